import { readFileSync } from 'node:fs';
import { eventually, SmtpServer, testLogFile } from '#libs/testing';
import { PASSWORD, World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

const smtp = new SmtpServer();
let test: TestApp;
let world: World;
let people = 0;

beforeAll(async () => {
  await smtp.start();
  test = await TestApp.start({ SMTP_URL: smtp.url, WORKER: 'inline', TRUST_PROXY: '127.0.0.1' });
  world = await World.create(test);
});
afterAll(async () => {
  await test.stop();
  await smtp.stop();
});
afterEach(() => test.clock.reset());

/** What a teaser leaves out, which tells a member's view from a visitor's. */
const BEYOND_TEASER = `<p>${'word '.repeat(500)}</p><p>For members.</p>`;

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const address = (): string => `refused-${++people}@people.test`;
const mailsTo = (email: string) => smtp.mails.filter(({ envelope }) => envelope.to.includes(email));
const nthMailTo = (email: string, nth = 1) => eventually(() => mailsTo(email)[nth - 1]);
const codeIn = (text: string | undefined): string => /\b\d{6}\b/.exec(text ?? '')?.[0] ?? '';
const tokenIn = (text: string | undefined): string => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? '';
const onA = (values: object): object => ({ PlatformId: String(world.platformId()), ...values });
const bearer = (token: string): Client => test.client({ authorization: `Bearer ${token}` });
const call = (route: string, values: object): Promise<Answer> =>
  world.anonymous().post(`/api/user/${route}`, onA(values));
const otherCode = (code: string): string => (code === '000000' ? '111111' : '000000');
/** The background has nothing left to do. */
const settled = (): Promise<boolean> =>
  eventually(async () => {
    const [{ open }] = await query(`select count(*)::int as open from outbox where "doneAt" is null`);
    return open === 0;
  });

/** All that an answer tells, but for what differs in every answer. */
const told = ({ status, headers, body }: Answer): object => {
  const { requestId: _, ...error } = body.error ?? {};
  const names = Object.keys(headers).toSorted();
  return { status, names, body: body.error ? { error } : body };
};

interface Member {
  id: number;
  email: string;
  token: string;
}

async function member(values: object = {}): Promise<Member> {
  const email = address();
  const { status, body } = await world.as('admin').post('/api/user', {
    ...{ email, name: 'New', role: 'free', PlatformId: world.platformId(), password: PASSWORD },
    ...values,
  });
  expect(status).toBe(200);
  return { id: body[0].id, email, token: body[0].token };
}

async function codeFor({ email }: Member): Promise<string> {
  const before = mailsTo(email).length;
  expect((await call('signin-otp', { email })).status).toBe(200);
  return codeIn((await nthMailTo(email, before + 1)).text);
}

async function linkFor({ email }: Member): Promise<string> {
  const before = mailsTo(email).length;
  expect((await call('forgot-password', { email })).status).toBe(200);
  return tokenIn((await nthMailTo(email, before + 1)).text);
}

const failed = (id: number, passwords: number, codes: number): Promise<unknown> =>
  query(
    `insert into sign_in_failures ("UserId", passwords, codes) values ($1, $2, $3)
     on conflict ("UserId") do update set passwords = $2, codes = $3`,
    [id, passwords, codes],
  );
const failures = async (id: number): Promise<object | undefined> =>
  (await query(`select passwords, codes from sign_in_failures where "UserId" = $1`, [id]))[0];

describe('O1 enumeration', () => {
  it.each(['signin-otp', 'forgot-password'])('%s answers all alike', async (route) => {
    const { email } = await member();
    const pending = await member({ status: 'pending' });
    const gone = await member();
    await world.as('admin').delete(`/api/user/${gone.id}`);
    const known = await call(route, { email });
    expect(known.status).toBe(200);
    for (const other of [
      { email: pending.email },
      { email: gone.email },
      { email: address() },
      { email, PlatformId: 2_147_483_647 },
      { email: 'banned@people.test' },
    ]) {
      expect(told(await call(route, other))).toEqual(told(known));
    }
    await settled();
    expect(mailsTo(gone.email)).toEqual([]);
  });

  it('signup answers all alike, on platforms that are not there too', async () => {
    const { email } = await member();
    const fresh = await call('signup', { email: address(), name: 'Fresh' });
    expect(fresh.status).toBe(200);
    for (const other of [
      { email },
      { email: address(), website: 'https://spam.test' },
      { email: address(), PlatformId: 2_147_483_647 },
    ]) {
      expect(told(await call('signup', { name: 'Other', ...other }))).toEqual(told(fresh));
    }
    await settled();
  });

  it('signup never touches an account that is there', async () => {
    const { id, email } = await member({ status: 'pending', role: 'basic' });
    const before = await query('select * from users where id = $1', [id]);
    await call('signup', { email: email.toUpperCase(), name: 'Thief', role: 'admin', password: 'mine mine' });
    await nthMailTo(email);
    await settled();
    expect(await query('select * from users where id = $1', [id])).toEqual(before);
  });

  it('of parallel sign-ups one makes the account, which is free and pending', async () => {
    const email = address();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        call('signup', { email, name: 'Twin', role: 'admin', status: 'active' }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await settled();
    const rows = await query('select role, status, "passwordHash" as hash from users where "emailKey" = $1', [
      email,
    ]);
    expect(rows).toEqual([{ role: 'free', status: 'pending', hash: null }]);
    expect(mailsTo(email)).toHaveLength(1);
  });
});

describe('A4 a hundred failures in a row', () => {
  it('stop the password with the same 401, until a sign-in by code', async () => {
    const one = await member();
    const signIn = (password: string): Promise<Answer> => call('signin', { email: one.email, password });
    await failed(one.id, 99, 0);
    const last = await signIn('wrong horse');
    expect(last.status).toBe(401);
    const right = await signIn(PASSWORD);
    expect(told(right)).toEqual(told(last));
    expect(told(right)).toEqual(told(await call('signin', { email: address(), password: PASSWORD })));
    const otp = await codeFor(one);
    expect((await call('verify-otp', { email: one.email, otp })).status).toBe(200);
    expect((await signIn(PASSWORD)).status).toBe(200);
  });

  it('are in a row: a sign-in with the right password begins anew', async () => {
    const { id, email } = await member();
    await failed(id, 98, 0);
    await call('signin', { email, password: 'wrong horse' });
    expect((await call('signin', { email, password: PASSWORD })).status).toBe(200);
    expect(await failures(id)).toMatchObject({ passwords: 0 });
  });

  it('end with a reset, as do those of codes', async () => {
    const one = await member();
    await failed(one.id, 100, 99);
    const token = await linkFor(one);
    expect((await call('reset-password', { token, password: 'a new long password' })).status).toBe(200);
    expect(await failures(one.id)).toBeUndefined();
    expect((await call('signin', { email: one.email, password: 'a new long password' })).status).toBe(200);
  });
});

describe('codes', () => {
  it('O3 failures add up across codes, and a hundred in a row stop codes for 24 hours', async () => {
    const one = await member();
    const verify = (otp: string): Promise<Answer> => call('verify-otp', { email: one.email, otp });
    const first = await codeFor(one);
    expect((await verify(otherCode(first))).body.error.code).toBe('INVALID_OTP');
    test.clock.advance(61);
    await failed(one.id, 0, 99);
    const second = await codeFor(one);
    const last = await verify(otherCode(second));
    expect(told(await verify(second))).toEqual(told(last));
    test.clock.advance(24 * 60 * 60);
    const third = await codeFor(one);
    expect((await verify(third)).status).toBe(200);
  });

  it('O5 asking again does not give a code its tries back', async () => {
    const one = await member();
    const code = await codeFor(one);
    for (let time = 0; time < 5; time++) await call('verify-otp', { email: one.email, otp: otherCode(code) });
    await call('signin-otp', { email: one.email });
    await settled();
    expect((await call('verify-otp', { email: one.email, otp: code })).status).toBe(401);
    expect(mailsTo(one.email)).toHaveLength(1);
  });

  it('O8 refuses all alike: wrong, none, unknown, foreign', async () => {
    const one = await member();
    const code = await codeFor(one);
    const wrong = await call('verify-otp', { email: one.email, otp: otherCode(code) });
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'INVALID_OTP' } } });
    for (const other of [
      { email: (await member()).email, otp: code },
      { email: address(), otp: code },
      { email: one.email, otp: code, PlatformId: world.platformId('B') },
      { email: one.email, otp: '' },
      { email: one.email, otp: `${code}0` },
    ]) {
      expect(told(await call('verify-otp', other))).toEqual(told(wrong));
    }
    for (const otp of [5, null, {}, [code], undefined, '1'.repeat(33)]) {
      expect((await call('verify-otp', { email: one.email, otp })).status).toBe(400);
    }
  });

  it('O9 neither the code nor its hash under no key is stored', async () => {
    const one = await member();
    const code = await codeFor(one);
    const rows = await query(`select * from one_time_codes where "UserId" = $1`, [one.id]);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(rows[0].mac).toHaveLength(32);
    const jobs = await query('select * from outbox order by id desc limit 5');
    expect(JSON.stringify(jobs)).not.toContain(one.email);
  });
});

describe('resets', () => {
  it('R2 a look-alike of an address gets nothing, one spelling of it gets it where it is', async () => {
    const { email } = await member();
    const before = smtp.mails.length;
    // A Cyrillic е; then letters that are the same by compatibility.
    await call('forgot-password', { email: email.replace('e', 'е') });
    await settled();
    expect(smtp.mails).toHaveLength(before);
    await call('forgot-password', { email: email.replace('refused', 'ＲＥＦＵＳＥＤ') });
    expect((await nthMailTo(email)).envelope.to).toEqual([email]);
    expect(smtp.mails).toHaveLength(before + 1);
  });

  it('R3 refuses used, old, replaced and made-up links alike', async () => {
    const one = await member();
    const password = 'a new long password';
    const reset = (token: unknown): Promise<Answer> => call('reset-password', { token, password });
    const replaced = await linkFor(one);
    const token = await linkFor(one);
    const made = await reset('x'.repeat(43));
    expect(made).toMatchObject({ status: 400, body: { error: { code: 'INVALID_TOKEN' } } });
    expect(told(await reset(replaced))).toEqual(told(made));
    expect(told(await reset(` ${token}`))).toEqual(told(made));
    test.clock.advance(60 * 60 + 1);
    expect(told(await reset(token))).toEqual(told(made));
    test.clock.reset();
    expect((await reset(token)).status).toBe(200);
    expect(told(await reset(token))).toEqual(told(made));
    for (const malformed of [undefined, null, 5, {}, [token], 'x'.repeat(201)]) {
      expect((await reset(malformed)).body.error.code).toBe('VALIDATION_ERROR');
    }
  });

  it.each([
    ['short', 'seven77'],
    ['long', 'x1'.repeat(65)],
    ['common', 'iloveyou123'],
    ['the address', 'refused-mail@people.test'],
    ['the name', 'Admiral Nelson'],
  ])('R5 a weak password (%s) is 400, and the link still works', async (kind, password) => {
    const values =
      kind === 'the address' ? { email: password } : kind === 'the name' ? { name: password } : {};
    const one = { ...(await member(values)), ...values } as Member;
    const token = await linkFor(one);
    const weak = await call('reset-password', { token, password });
    expect(weak).toMatchObject({ status: 400, body: { error: { details: [{ field: 'password' }] } } });
    expect(weak.body.error.code).not.toBe('INVALID_TOKEN');
    expect(weak.text).not.toContain(password);
    expect((await call('reset-password', { token, password: 'a new long password' })).status).toBe(200);
  });

  it('R6 a reset ends codes and sessions, those of frames too', async () => {
    const one = await member();
    const { id } = await world.content();
    const { body } = await bearer(one.token).post('/api/auth/embed-token', { scope: 'content', id });
    const otp = await codeFor(one);
    const token = await linkFor(one);
    await call('reset-password', { token, password: 'a new long password' });
    expect((await bearer(one.token).get('/api/user/me')).status).toBe(401);
    expect((await call('verify-otp', { email: one.email, otp })).status).toBe(401);
    const page = await world.anonymous().get(`/embed/content/${id}?token=${body.embedToken}`);
    expect(page.headers['set-cookie']).toBeUndefined();
  });

  it('R7 a link or code does not outlive the address or password that it was sent for', async () => {
    const password = 'yet another password';
    const moved = await member();
    const [movedLink, movedCode] = [await linkFor(moved), await codeFor(moved)];
    const fresh = address();
    expect((await world.as('admin').post('/api/user', { id: moved.id, email: fresh })).status).toBe(200);
    expect((await call('reset-password', { token: movedLink, password })).status).toBe(400);
    expect((await call('verify-otp', { email: fresh, otp: movedCode })).status).toBe(401);

    const changed = await member();
    const link = await linkFor(changed);
    const change = { currentPassword: PASSWORD, password: 'another long password' };
    expect((await bearer(changed.token).post('/api/user/change-password', change)).status).toBe(200);
    expect((await call('reset-password', { token: link, password })).status).toBe(400);

    const gone = await member();
    const dead = await linkFor(gone);
    await bearer(gone.token).delete(`/api/user/${gone.id}`);
    expect((await call('reset-password', { token: dead, password })).body.error.code).toBe('INVALID_TOKEN');
    const left = await query(
      `select "passwordHash" as hash, s.ip, s."userAgent" from users u join sessions s on s."UserId" = u.id where u.id = $1`,
      [gone.id],
    );
    expect(left).toEqual([{ hash: null, ip: null, userAgent: null }]);
  });

  it('the page has a nonce policy, no third party, and sends no address on', async () => {
    const { headers, text } = await world.anonymous().get('/reset-password?token=%22%3E%3Cscript%3Ealert(1)');
    const nonce = /<script nonce="([^"]+)">/.exec(text)?.[1] ?? 'none';
    expect(headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}'`);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(text).not.toMatch(/https?:\/\/|alert/);
    const again = await world.anonymous().get('/reset-password');
    expect(again.text).not.toContain(nonce);
  });
});

describe('one’s own credentials', () => {
  const change = (token: string, values: object): Promise<Answer> =>
    bearer(token).post('/api/user/change-password', { password: 'another long password', ...values });

  it('without a password only a fresh sign-in by code may set one', async () => {
    const one = await member({ password: undefined });
    expect((await change(one.token, {})).status).toBe(403);
    expect((await change(one.token, { currentPassword: PASSWORD })).status).toBe(403);
    const email = { email: address() };
    expect((await bearer(one.token).post('/api/user/change-email', email)).status).toBe(403);
    const { body } = await call('verify-otp', { email: one.email, otp: await codeFor(one) });
    test.clock.advance(15 * 60 + 1);
    expect((await change(body.token, {})).status).toBe(403);
    test.clock.reset();
    expect((await change(body.token, { password: 'password1' })).body.error.details[0].field).toBe(
      'password',
    );
    expect((await change(body.token, {})).status).toBe(200);
    expect((await bearer(one.token).get('/api/user/me')).status).toBe(401);
  });

  it('a sign-in by code does not stand in for a password that is set', async () => {
    const one = await member();
    const { body } = await call('verify-otp', { email: one.email, otp: await codeFor(one) });
    for (const [route, values] of [
      ['change-password', { password: 'another long password' }],
      ['change-email', { email: address() }],
    ] as const) {
      const me = bearer(body.token);
      expect((await me.post(`/api/user/${route}`, values)).body.error.details[0].field).toBe(
        'currentPassword',
      );
      const wrong = await me.post(`/api/user/${route}`, { ...values, currentPassword: 'wrong horse' });
      expect(wrong).toMatchObject({ status: 400, body: { error: { details: [{ issue: 'is wrong' }] } } });
    }
  });

  it('a new address needs its code: five tries, its own purpose, its own user', async () => {
    const one = await member();
    const other = await member();
    const fresh = address();
    const me = bearer(one.token);
    const wish = { email: fresh, currentPassword: PASSWORD };
    expect((await me.post('/api/user/change-email', wish)).status).toBe(200);
    const otp = codeIn((await nthMailTo(fresh)).text);
    const verify = (client: Client, code: string): Promise<Answer> =>
      client.post('/api/user/change-email/verify', { otp: code });
    expect((await verify(bearer(other.token), otp)).body.error.code).toBe('INVALID_OTP');
    expect((await call('verify-otp', { email: one.email, otp })).status).toBe(401);
    expect((await call('verify-otp', { email: fresh, otp })).status).toBe(401);
    for (let time = 0; time < 5; time++) expect((await verify(me, otherCode(otp))).status).toBe(401);
    expect((await verify(me, otp)).status).toBe(401);
    expect((await me.get('/api/user/me')).body.email).toBe(one.email);
  });

  it('a taken address looks like a free one and gets no mail', async () => {
    const one = await member();
    const other = await member();
    const wish = { currentPassword: PASSWORD };
    const me = bearer(one.token);
    const taken = await me.post('/api/user/change-email', { ...wish, email: other.email.toUpperCase() });
    const free = await me.post('/api/user/change-email', { ...wish, email: address() });
    expect(told(taken)).toEqual(told(free));
    await settled();
    expect(mailsTo(other.email)).toEqual([]);
  });

  it('an address that is taken meanwhile is 400, and both keep theirs', async () => {
    const one = await member();
    const fresh = address();
    const me = bearer(one.token);
    await me.post('/api/user/change-email', { email: fresh, currentPassword: PASSWORD });
    const otp = codeIn((await nthMailTo(fresh)).text);
    await member({ email: fresh });
    const late = await me.post('/api/user/change-email/verify', { otp });
    expect(late).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'email', issue: 'taken' }] } },
    });
    expect((await me.get('/api/user/me')).body.email).toBe(one.email);
  });
});

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

describe('bans', () => {
  const ban = (id: number, values: object = {}): Promise<Answer> =>
    world.as('admin').post(`/api/user/${id}/ban`, { reason: 'Advertising', ...values });

  it('the last admin, oneself included, is not banned', async () => {
    const { id } = world.user('admin');
    expect((await ban(id)).body.error.code).toBe('LAST_ADMIN');
    const second = await member({ role: 'admin' });
    const until = new Date(test.clock.now().getTime() + 60_000).toISOString();
    expect((await ban(second.id, { until })).status).toBe(200);
    expect((await ban(id)).body.error.code).toBe('LAST_ADMIN');
    const unban = await bearer(second.token).delete(`/api/user/${second.id}/ban`);
    expect(unban.body.error.code).toBe('BANNED');
    test.clock.advance(61);
    const answers = await Promise.all([
      ban(second.id),
      bearer(second.token).post(`/api/user/${id}/ban`, { reason: 'x' }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await query(`update users set "bannedAt" = null, "bannedUntil" = null where id = any($1)`, [
      [id, second.id],
    ]);
    await world.as('admin').delete(`/api/user/${second.id}`);
  });

  it('ends at its time, and ends sessions when asked', async () => {
    const one = await member();
    const { id: contentId } = await world.content();
    const say = (): Promise<Answer> => bearer(one.token).post('/api/chat', { contentId, message: 'x' });
    const until = new Date(test.clock.now().getTime() + 60_000).toISOString();
    await ban(one.id, { until });
    expect((await say()).body.error.code).toBe('BANNED');
    test.clock.advance(61);
    expect((await say()).status).toBe(200);
    await ban(one.id, { endSessions: true });
    expect((await say()).status).toBe(401);
    const again = await call('signin', { email: one.email, password: PASSWORD });
    expect(again.status).toBe(200);
    expect((await bearer(again.body.token).post('/api/chat', { contentId, message: 'x' })).status).toBe(403);
  });

  it.each([
    ['no reason', { reason: undefined }],
    ['an empty one', { reason: ' ' }],
    ['an impossible date', { until: '2026-02-30T00:00:00Z' }],
    ['no date', { until: 'tomorrow' }],
    ['a word', { endSessions: 'yes' }],
  ])('%s → 400', async (_name, values) => {
    const { id } = world.user('basic');
    expect((await ban(id, values)).body.error.code).toBe('VALIDATION_ERROR');
    const rows = await query('select "bannedAt" from users where id = $1', [id]);
    expect(rows).toEqual([{ bannedAt: null }]);
  });

  it('U13 privileged fields do not pass through the routes of one’s own', async () => {
    const one = await member();
    const { email } = one;
    const fields = { role: 'admin', status: 'active', PlatformId: world.platformId('B'), bannedAt: null };
    await ban(one.id);
    const me = bearer(one.token);
    await me.post('/api/user/change-password', {
      ...fields,
      currentPassword: PASSWORD,
      password: 'another long password',
    });
    await call('verify-otp', { ...fields, PlatformId: world.platformId(), email, otp: await codeFor(one) });
    const [row] = await query(
      'select role, "PlatformId", "bannedAt" is not null as banned from users where id = $1',
      [one.id],
    );
    expect(row).toEqual({ role: 'free', PlatformId: world.platformId(), banned: true });
  });
});

describe('audit', () => {
  it('has a row for each act, with shortened addresses and without values', async () => {
    const admin = world.as('admin').with({ 'x-forwarded-for': '2001:db8:1:2:3::4' });
    const one = await member();
    const visitor = world.anonymous().with({ 'x-forwarded-for': '203.0.113.77' });
    const secret = { 'x-service-secret': test.settings.SERVICE_SECRET[0] ?? '' };
    await visitor.post('/api/user/signin', onA({ email: one.email, password: PASSWORD }));
    const mint = { email: one.email, platformId: world.platformId() };
    await visitor.post('/api/auth/token-for-email', mint, secret);
    await admin.post('/api/user', { id: one.id, role: 'basic' });
    await admin.post(`/api/user/${one.id}/ban`, { reason: 'A private reason' });
    await admin.delete(`/api/user/${one.id}/ban`);
    await admin.post('/api/platform', { premiumToken: 'a-secret-code', name: 'A private name' });
    await admin.post(`/api/platform/${world.platformId()}/settings`, { blockedWords: ['a-blocked-word'] });
    await admin.delete(`/api/user/${one.id}`);
    const { body } = await admin.get('/api/admin/audit?itemsPerPage=8');
    const rows = body.items.map(({ action, actorId, targetId, fields, ip }: Record<string, unknown>) => [
      ...[action, actorId === one.id ? 'self' : actorId, targetId, (fields as string[]).toSorted(), ip],
    ]);
    const { id } = world.user('admin');
    const [target, platform, six, four] = [
      ...[String(one.id), String(world.platformId()), '2001:db8:1::/48', '203.0.113.0/24'],
    ];
    const ban = ['banReason', 'bannedAt', 'bannedUntil'];
    expect(rows).toEqual([
      ['user.delete', id, target, [], six],
      ['platform.settings', id, platform, ['blockedWords'], six],
      ['platform.edit', id, platform, ['name', 'premiumToken'], six],
      ['user.unban', id, target, ban, six],
      ['user.ban', id, target, ban, six],
      ['user.role', id, target, ['role'], six],
      ['token.mint', null, target, [], four],
      ['user.sign-in', 'self', target, [], four],
    ]);
    const all = JSON.stringify(await query('select * from audit_log'));
    for (const word of ['@people.test', 'private', 'a-secret-code', 'a-blocked-word', PASSWORD]) {
      expect(all).not.toContain(word);
    }
  });

  it('has no row for what was refused', async () => {
    const count = async (): Promise<number> =>
      (await query('select count(*)::int as count from audit_log'))[0].count;
    const before = await count();
    await call('signin', { email: 'free@people.test', password: 'wrong horse' });
    await world.as('admin').post(`/api/user/${world.user('admin').id}/ban`, { reason: 'x' });
    await world.as('admin').post('/api/platform', { slug: 'platform-b' });
    expect(await count()).toBe(before);
  });
});

describe('platforms', () => {
  const faults: [string, unknown][] = [
    ...['red', '#12', '#12345', '#1234567', 'url(x)', '#fff;', 5].map((value): [string, unknown] => [
      'primaryColor',
      value,
    ]),
    ...['Mars/Olympus', '', 'UTC+1 or so', 5, null].map((value): [string, unknown] => ['timezone', value]),
    ...['A', 'a', 'with space', 'ä-b', 'x'.repeat(61), '../a', 'a\n', null].map(
      (value): [string, unknown] => ['slug', value],
    ),
    ...['javascript:alert(1)', 'ftp://a.test/x', '//a.test', 'data:text/html,x', 'a.test/x', 5].map(
      (value): [string, unknown] => ['logo', value],
    ),
    ...[
      'javascript:alert(1)',
      'https://user:secret@a.test',
      'a b.test',
      'https://a.test/?next=',
      'https://a.test/#top',
      `a.test/${'x'.repeat(2048)}`,
    ].map((value): [string, unknown] => ['homepageUrl', value]),
    ...['', ' ', null, 'x'.repeat(101)].map((value): [string, unknown] => ['name', value]),
  ];
  it.each(faults)('%s %j → 400', async (field, value) => {
    const answer = await world.as('admin').post('/api/platform', { [field]: value });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field }] } },
    });
  });

  it('another’s slug and homepage are taken, and nobody saves a platform that is not theirs', async () => {
    await world.as('admin', 'B').post('/api/platform', { homepageUrl: 'https://Club.test/home/' });
    const admin = world.as('admin');
    for (const [field, value] of [
      ['slug', 'platform-b'],
      ['homepageUrl', 'http://club.TEST/home'],
      ['homepageUrl', 'club.test/home///'],
    ] as const) {
      const answer = await admin.post('/api/platform', { [field]: value });
      expect(answer.body.error.details).toEqual([{ field, issue: 'taken' }]);
    }
    const saved = await admin.post('/api/platform', { id: world.platformId('B'), name: 'Taken over' });
    expect(saved.body[0].id).toBe(world.platformId());
    const other = await world.anonymous().get(`/api/platform/${world.platformId('B')}`);
    expect(other.body.name).toBe('Platform B');
    expect((await world.as('creator').post('/api/platform', { name: 'x' })).status).toBe(403);
    expect((await world.anonymous().post('/api/platform', { name: 'x' })).status).toBe(401);
  });

  const settings: [string, unknown][] = [
    ...[
      'null',
      '*',
      'https://*',
      'https://*.a.test',
      'https://a.test/',
      'https://a.test;script-src',
      5,
    ].flatMap((value): [string, unknown][] => [
      ['embedOrigins', [value]],
      ['allowedOrigins', [value]],
    ]),
    ...[
      'https://a.test,https://b.test',
      'https://a.test https://b.test',
      'HTTPS://a.test',
      'ftp://a.test',
    ].map((value): [string, unknown] => ['embedOrigins', [value]]),
    ['embedOrigins', 'https://a.test'],
    ['embedOrigins', Array.from({ length: 51 }, (_, index) => `https://a${index}.test`)],
    ['signup', 'no'],
    ['signup', null],
    ['defaultVisibility', 'everyone'],
    ['commentEditMinutes', -1],
    ['commentEditMinutes', 1.5],
    ['blockedWords', ['']],
    ['blockedWords', ['x'.repeat(101)]],
    ['ai', null],
    ['ai.monthlyTokenCap', { enabled: true, monthlyTokenCap: -1 }],
  ];
  it.each(settings)('setting %s %j → 400', async (name, value) => {
    const field = name.split('.')[0] ?? '';
    const path = `/api/platform/${world.platformId()}/settings`;
    const before = (await world.as('admin').get(path)).body;
    const answer = await world.as('admin').post(path, { showTeasers: false, [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].field).toMatch(new RegExp(`^${field}`));
    expect((await world.as('admin').get(path)).body).toEqual(before);
  });

  it('unknown settings are dropped, and privileged parts do not pass', async () => {
    const path = `/api/platform/${world.platformId()}/settings`;
    const { body } = await world.as('admin').post(path, {
      push: { connected: true, projectId: 'mine' },
      premiumToken: 'x',
      unknown: 1,
    });
    expect(body.push).toEqual({ connected: false, projectId: null });
    const [row] = await query('select settings from platforms where id = $1', [world.platformId()]);
    expect(row.settings).not.toHaveProperty('push');
    expect(row.settings).not.toHaveProperty('unknown');
  });

  it.each([
    ['empty', ''],
    ['NUL', 'a%00.test'],
    ['over-long', 'x'.repeat(5000)],
    ['a wildcard', '%25'],
    ['SQL', `'%20or%20'1'='1`],
    ['only slashes', '%2F%2F%2F'],
    ['up the path', '..%2F..%2Fetc%2Fpasswd'],
    ['another port', 'club.test:81/home'],
    ['part of one', 'club.test'],
  ])('no platform has a homepage that is %s', async (_name, url) => {
    const { status, body } = await world.anonymous().get(`/api/platform/homepage/${url}`);
    expect([400, 404, 414]).toContain(status);
    expect(body.error).toBeDefined();
  });

  it.each(['a%ZZ', 'a%ff.test'])('the homepage %s is 400: it cannot be read', async (url) => {
    // No route is found for such an address, so the error has its usual form.
    const answer = await test.app.inject({ url: `/api/platform/homepage/${url}` });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  it('a platform without a homepage is not found by an empty one', async () => {
    const id = world.platformId();
    await world.as('admin').post('/api/platform', { homepageUrl: null });
    for (const url of ['', '%20', 'null', 'https:%2F%2F']) {
      const { status } = await world.anonymous().get(`/api/platform/homepage/${url}`);
      expect(status).toBeGreaterThanOrEqual(400);
    }
    expect((await world.anonymous().get(`/api/platform/${id}`)).body.homepageUrl).toBeNull();
  });

  it('codes of tiers: other platforms’, empty and long ones raise nobody', async () => {
    await world.as('admin', 'B').post('/api/platform', { premiumToken: 'gold-of-b' });
    await world.as('admin').post('/api/platform', { premiumToken: '', basicToken: null });
    const one = await member();
    for (const code of ['gold-of-b', 'null', 'undefined']) {
      const { body } = await bearer(one.token).post('/api/user/redeem-token', { code });
      expect([body[0].role, body[1]]).toEqual(['free', false]);
    }
    for (const code of ['', ' ', null, 5, {}, 'x'.repeat(201)]) {
      expect((await bearer(one.token).post('/api/user/redeem-token', { code })).status).toBe(400);
    }
    await world.as('admin').post('/api/platform', { premiumToken: 'gold-of-a' });
    const staff = await world.as('creator').post('/api/user/redeem-token', { code: 'gold-of-a' });
    expect([staff.body[0].role, staff.body[1]]).toEqual(['creator', false]);
  });
});
