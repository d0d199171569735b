import { readFileSync } from 'node:fs';
import { eventually, testLogFile } from '#libs/testing';
import type { Answer, Client } from '../support/client';
import { bearer, member, query, test, world } from '../support/mailed-people';

/** What a teaser leaves out, which tells a member's view from a visitor's. */
const BEYOND_TEASER = `<p>${'word '.repeat(500)}</p><p>For members.</p>`;

describe('embed sessions', () => {
  const issue = (client: Client, values: object): Promise<Answer> =>
    client.post('/api/auth/embed-token', { scope: 'content', ...values });
  const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';', 1)[0] ?? '';

  it('live 60 to 3600 seconds, for what the caller may see', async () => {
    const { id } = await world.content({ visibility: 'members' });
    for (const ttlSeconds of [59, 3601, 0, -1, 60.5, '300', null]) {
      expect((await issue(world.as('free'), { id, ttlSeconds })).status).toBe(400);
    }
    expect((await issue(world.as('free'), { id, ttlSeconds: 60 })).body.expiresIn).toBe(60);
    expect((await issue(world.as('free'), { id, ttlSeconds: 3600 })).body.expiresIn).toBe(3600);
    expect((await issue(world.as('free'), { id, scope: 'user' })).status).toBe(400);
    expect((await issue(world.as('free'), { id, scope: 'collection' })).status).toBe(404);
    expect((await issue(world.as('free', 'B'), { id })).status).toBe(404);
    expect((await issue(world.as('free'), { id: 2_147_483_647 })).status).toBe(404);
    expect((await issue(world.as('pending'), { id })).status).toBe(401);
    const { id: hidden } = await world.content({ visibility: 'private' });
    expect((await issue(world.as('free'), { id: hidden })).status).toBe(404);
  });

  it('end by their time and with the session that they come from', async () => {
    const { id } = await world.content({ visibility: 'members', description: BEYOND_TEASER });
    const one = await member();
    const { body } = await issue(bearer(one.token), { id, ttlSeconds: 60 });
    const exchange = (token: string): Promise<Answer> =>
      world.anonymous().get(`/embed/content/${id}?token=${token}`);
    const cookie = cookieOf(await exchange(body.embedToken));
    test.clock.advance(91);
    expect((await exchange(body.embedToken)).headers['set-cookie']).toBeUndefined();
    const read = (): Promise<Answer> => world.anonymous().get(`/embed/content/${id}`, { cookie });
    expect((await read()).text).toContain('For members.');
    await bearer(one.token).post('/api/user/signout');
    expect((await read()).text).not.toContain('For members.');
  });

  it('end with their parent even when they were made at that moment', async () => {
    const { id } = await world.content({ visibility: 'members', description: BEYOND_TEASER });
    const one = await member();
    const { body } = await issue(bearer(one.token), { id });
    // As if signing out had not seen the new session yet.
    await query(`update sessions set "endedAt" = now() where "UserId" = $1 and "parentId" is null`, [one.id]);
    const answer = await world.anonymous().get(`/embed/content/${id}?token=${body.embedToken}`);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('E1 a link works once: of many at a time one wins, the others show what a visitor sees', async () => {
    const { id } = await world.content({ visibility: 'members', description: BEYOND_TEASER });
    const { body } = await issue(world.as('free'), { id });
    const use = (): Promise<Answer> => world.anonymous().get(`/embed/content/${id}?token=${body.embedToken}`);
    const answers = await Promise.all(Array.from({ length: 8 }, use));
    expect(new Set(answers.map(({ status, headers }) => [status, headers.location].join(' ')))).toEqual(
      new Set([`303 /embed/content/${id}`]),
    );
    const won = answers.filter(({ headers }) => headers['set-cookie'] !== undefined);
    expect(won).toHaveLength(1);
    const read = (cookie: string): Promise<Answer> =>
      world.anonymous().get(`/embed/content/${id}`, { cookie });
    expect((await read(cookieOf(won[0] as Answer))).text).toContain('For members.');
    test.forgetCallers();
    expect((await use()).headers['set-cookie']).toBeUndefined();
    // An ordinary token may be exchanged again.
    const token = await world.newToken('free');
    for (let time = 0; time < 2; time++) {
      const again = await world.anonymous().get(`/embed/content/${id}?token=${token}`);
      expect((await read(cookieOf(again))).text).toContain('For members.');
    }
  });

  it('E2 a ticket is good for nothing but its address, and its session begets no other', async () => {
    const { id } = await world.content({ visibility: 'members', description: BEYOND_TEASER });
    const one = await member();
    const { body } = await issue(bearer(one.token), { id });
    const page = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
      world.anonymous().get(`/embed/content/${id}${query}`, headers);
    const asHeader = { authorization: `Bearer ${body.embedToken}` };
    expect((await page('', asHeader)).text).not.toContain('For members.');
    const cookie = cookieOf(await page(`?token=${body.embedToken}`));
    const session = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1)).replace(/\.[^.]*$/, '');
    const beget = async (): Promise<unknown> => (await page(`?token=${session}`)).headers['set-cookie'];
    expect(await beget()).toBeUndefined();
    expect((await page('', { cookie })).text).toContain('For members.');
    // What is asked for before it expires would be good for another hour.
    test.clock.advance(3590);
    expect(await beget()).toBeUndefined();
    test.clock.advance(60);
    expect((await page('', { cookie })).text).not.toContain('For members.');
    expect(
      await query(`select count(*)::int as n from sessions where kind = 'embed' and "UserId" = $1`, [one.id]),
    ).toEqual([{ n: 2 }]);
  });

  it('E3 no session of an embed outlives the one that it comes from', async () => {
    const { id } = await world.content({ visibility: 'members', description: BEYOND_TEASER });
    const one = await member();
    await query(`update sessions set "expiresAt" = $2 where "UserId" = $1`, [
      one.id,
      new Date(test.clock.now().getTime() + 120_000),
    ]);
    const { body } = await issue(bearer(one.token), { id, ttlSeconds: 3600 });
    expect(body.expiresIn).toBeLessThanOrEqual(120);
    for (const token of [body.embedToken, one.token]) {
      const exchanged = await world.anonymous().get(`/embed/content/${id}?token=${token}`);
      const [, age] = /Max-Age=(\d+)/.exec(String(exchanged.headers['set-cookie'])) ?? [];
      expect(Number(age)).toBeLessThanOrEqual(120);
    }
    const ends = `select count(distinct "expiresAt")::int as n, count(*)::int as all from sessions where "UserId" = $1`;
    expect(await query(ends, [one.id])).toEqual([{ n: 1, all: 4 }]);
    // Nor does one that was made before sessions knew.
    await query(
      `update sessions set "expiresAt" = "expiresAt" + interval '1 hour' where kind = 'embed' and "UserId" = $1`,
      [one.id],
    );
    const late = cookieOf(await world.anonymous().get(`/embed/content/${id}?token=${one.token}`));
    await query(
      `update sessions set "expiresAt" = "expiresAt" + interval '1 hour' where kind = 'embed' and "UserId" = $1`,
      [one.id],
    );
    test.clock.advance(151);
    const page = await world.anonymous().get(`/embed/content/${id}`, { cookie: late });
    expect(page.text).not.toContain('For members.');
    expect((await issue(bearer(one.token), { id })).status).toBe(401);
  });

  it('open nothing else: no other route, no other object, no other cookie', async () => {
    const text = { visibility: 'members', description: BEYOND_TEASER } as const;
    const { id } = await world.content(text);
    const other = await world.content(text);
    const { body } = await issue(world.as('free'), { id });
    const token = String(body.embedToken);
    for (const [method, url] of [
      ['GET', '/api/user/me'],
      ['GET', '/api/user/sessions'],
      ['GET', `/api/content/${id}`],
      ['GET', `/api/chat?contentId=${id}`],
      ['POST', '/api/chat'],
      ['POST', '/api/auth/embed-token'],
      ['POST', '/api/user/signout'],
      ['POST', '/api/user/change-password'],
      ['DELETE', `/api/user/${world.user('free').id}`],
    ] as const) {
      const answer = await bearer(token).request(method, url, method === 'POST' ? {} : undefined);
      expect([url, answer.status]).toEqual([url, 401]);
    }
    const foreign = await world.anonymous().get(`/embed/content/${other.id}?token=${token}`);
    expect(foreign.headers['set-cookie']).toBeUndefined();
    for (const headers of [{ authorization: `Bearer ${token}` }, { token }] as Record<string, string>[]) {
      const page = await world.anonymous().get(`/embed/content/${other.id}`, headers);
      expect(page.text).not.toContain('For members.');
    }
    const cookie = cookieOf(await world.anonymous().get(`/embed/content/${id}?token=${token}`));
    const asToken = cookie.replace(`embed_content_${id}`, 'token');
    expect((await world.anonymous().get('/api/user/me', { cookie: asToken })).status).toBe(401);
    const forged = `embed_content_${id}=${token}`;
    const page = await world.anonymous().get(`/embed/content/${id}`, { cookie: forged });
    expect(page.headers['set-cookie']).toMatch(
      new RegExp(`^embed_content_${id}=; Max-Age=0; Path=/; .*HttpOnly; Secure; Partitioned; SameSite=None`),
    );
    expect(page.text).not.toContain('For members.');
  });

  it('of a neighbouring platform show what a stranger sees', async () => {
    const secret = BEYOND_TEASER;
    const { id } = await world.content({ visibility: 'members', description: secret });
    const hidden = await world.content({ visibility: 'private', description: secret });
    for (const of of [id, hidden.id]) {
      const stranger = await world.anonymous().get(`/embed/content/${of}`);
      const token = await world.newToken('admin', 'B');
      const exchanged = await world.anonymous().get(`/embed/content/${of}?token=${token}`);
      expect(exchanged.headers.location).toBe(`/embed/content/${of}`);
      const page = await world.anonymous().get(`/embed/content/${of}`, { cookie: cookieOf(exchanged) });
      expect(page.status).toBe(stranger.status);
      expect(page.text).not.toContain('For members.');
    }
  });

  it('the redirect leads nowhere else, whatever the address holds', async () => {
    const { id } = await world.content();
    for (const rest of [
      '?token=x&token=y',
      '?token=',
      '?token=x&next=https://evil.test',
      '?token=%0d%0aX: y',
    ]) {
      const answer = await world.anonymous().get(`/embed/content/${id}${rest}`, { host: 'evil.test' });
      expect([answer.status, answer.headers.location]).toEqual([303, `/embed/content/${id}`]);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    }
    const odd = [`-${id}`, `${id}.0`, '%2F%2Fevil.test', `${id}%00`, `${id}%2F..%2F..`];
    for (const path of odd) {
      const answer = await world.anonymous().get(`/embed/content/${path}?token=x`);
      expect([path, answer.headers.location ?? answer.status]).toEqual([path, 400]);
    }
  });

  it('the page may be framed by embedOrigins only, and titles stay text', async () => {
    const title = `</title><script>alert(1)</script>"'&`;
    const { id } = await world.content({
      title,
      description: '<p onclick="alert(1)">Text<script>alert(1)</script></p>',
    });
    const settings = `/api/platform/${world.platformId()}/settings`;
    const alone = await world.anonymous().get(`/embed/content/${id}`);
    expect(alone.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    await world.as('admin').post(settings, { embedOrigins: ['https://club.test', 'http://[::1]:8080'] });
    const { headers, text } = await world.anonymous().get(`/embed/content/${id}`);
    const nonce = /<style nonce="([^"]+)">/.exec(text)?.[1] ?? 'none';
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain('frame-ancestors https://club.test http://[::1]:8080');
    expect(policy).toContain(`script-src 'nonce-${nonce}'`);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['x-frame-options']).toBeUndefined();
    expect(text).not.toMatch(/<script|onclick|https?:\/\//);
    expect(text).toContain('&lt;script&gt;alert(1)');
    await world.as('admin').post(settings, { embedOrigins: [] });
  });
});

describe('T1 a token in the query', () => {
  it('is nobody outside embeds, and never in a log', async () => {
    const token = await world.newToken('admin');
    const { id } = await world.content({ visibility: 'members' });
    const marked = `marked-${process.pid}-${Date.now()}`;
    for (const url of ['/api/user/me', '/api/user/sessions', '/api/admin/audit', `/api/${marked}`]) {
      const { status } = await world.anonymous().get(`${url}?token=${token}&accessToken=${token}`);
      expect([401, 404]).toContain(status);
    }
    const content = await world.anonymous().get(`/api/content/${id}?token=${token}`);
    expect(content.status).not.toBe(200);
    await world
      .anonymous()
      .get(`/embed/content/${id}?token=${token}`, { referer: `https://a.test/?token=${token}` });
    await world.anonymous().get(`/embed/content/2147483647?token=${token}`);
    const log = await eventually(() => {
      const lines = readFileSync(testLogFile(), 'utf8');
      return lines.includes(marked) && lines;
    });
    expect(log).toContain('/embed/content/');
    expect(log).not.toContain(token);
    expect(log).not.toContain(token.split('.')[2]);
  });
});
