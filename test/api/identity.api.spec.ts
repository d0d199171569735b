import { createHash } from 'node:crypto';
import { eventually, SmtpServer } from '#libs/testing';
import { PASSWORD, World } from '../factories/world';
import { TestApp } from '../support/test-app';

const smtp = new SmtpServer();
let test: TestApp;
let world: World;
let people = 0;

beforeAll(async () => {
  await smtp.start();
  test = await TestApp.start({ SMTP_URL: smtp.url, WORKER: 'inline' });
  world = await World.create(test);
});
afterAll(async () => {
  await test.stop();
  await smtp.stop();
});
afterEach(() => test.clock.reset());

const address = (): string => `new-${++people}@people.test`;
const mailsTo = (email: string) => smtp.mails.filter(({ envelope }) => envelope.to.includes(email));
const nthMailTo = (email: string, nth = 1) => eventually(() => mailsTo(email)[nth - 1]);
const codeIn = (text: string | undefined): string => /\b\d{6}\b/.exec(text ?? '')?.[0] ?? '';
const onA = () => ({ PlatformId: String(world.platformId()) });

async function member(values: object = {}): Promise<{ id: number; email: string; token: string }> {
  const email = address();
  const body = {
    email,
    name: 'New',
    role: 'free',
    PlatformId: world.platformId(),
    password: PASSWORD,
    ...values,
  };
  const answer = await world.as('admin').post('/api/user', body);
  expect(answer.status).toBe(200);
  return { id: answer.body[0].id, email, token: answer.body[0].token };
}
const bearer = (token: string) => test.client({ authorization: `Bearer ${token}` });

describe('sign-in by code', () => {
  it('O1 answers the same for an unknown address, and mails only a known one', async () => {
    const { email } = await member();
    const known = await world.anonymous().post('/api/user/signin-otp', { email, ...onA() });
    const unknown = await world.anonymous().post('/api/user/signin-otp', { email: address(), ...onA() });
    expect(known.status).toBe(200);
    expect(known.body).toEqual({ message: expect.any(String), expiresIn: 600 });
    expect(unknown.body).toEqual(known.body);
    const mail = await nthMailTo(email);
    expect(mail.subject).toBe('Your sign-in code');
    const code = codeIn(mail.text);
    const signedIn = await world
      .anonymous()
      .post('/api/user/verify-otp', { email, otp: ` ${code.slice(0, 3)}-${code.slice(3)}`, ...onA() });
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.user).toMatchObject({ email, status: 'active' });
    expect((await bearer(signedIn.body.token).get('/api/user/me')).status).toBe(200);
    const again = await world.anonymous().post('/api/user/verify-otp', { email, otp: code, ...onA() });
    expect(again.body.error.code).toBe('INVALID_OTP');
  });

  it('O2 sends nothing new within a minute, and a newer code replaces the older', async () => {
    const { email } = await member();
    const ask = () => world.anonymous().post('/api/user/signin-otp', { email, ...onA() });
    await ask();
    const first = codeIn((await nthMailTo(email)).text);
    await ask();
    test.clock.advance(61);
    await ask();
    const second = codeIn((await nthMailTo(email, 2)).text);
    expect(mailsTo(email)).toHaveLength(2);
    // Safe to expect: one code in a million repeats the one before.
    const replaced = await world.anonymous().post('/api/user/verify-otp', { email, otp: first, ...onA() });
    expect(replaced.status).toBe(401);
    test.clock.advance(601);
    expect(
      (await world.anonymous().post('/api/user/verify-otp', { email, otp: second, ...onA() })).status,
    ).toBe(401);
  });

  it('O8 a code is good on its own platform only, and is text', async () => {
    const { email } = await member();
    await world.anonymous().post('/api/user/signin-otp', { email, ...onA() });
    const otp = codeIn((await nthMailTo(email)).text);
    const foreign = await world
      .anonymous()
      .post('/api/user/verify-otp', { email, otp, PlatformId: world.platformId('B') });
    expect(foreign.status).toBe(401);
    const asNumber = await world
      .anonymous()
      .post('/api/user/verify-otp', { email, otp: Number(otp), ...onA() });
    expect(asNumber.status).toBe(400);
  });
});

describe('sign-up', () => {
  it('makes a pending account that a code verifies', async () => {
    const email = address();
    const answer = await world
      .anonymous()
      .post('/api/user/signup', { email, name: 'Newcomer', password: 'ignored-password', ...onA() });
    expect(answer).toMatchObject({ status: 200, body: { expiresIn: 600 } });
    const otp = codeIn((await nthMailTo(email)).text);
    const early = await world
      .anonymous()
      .post('/api/user/signin', { email, password: 'ignored-password', ...onA() });
    expect(early.status).toBe(401);
    const verified = await world.anonymous().post('/api/user/verify-otp', { email, otp, ...onA() });
    expect(verified.body.user).toMatchObject({ name: 'Newcomer', role: 'free', status: 'active' });
  });

  it('writes in the language that the browser asked for, though the mail is written later', async () => {
    const email = address();
    const dto = { email, name: 'Neu', ...onA() };
    await world.anonymous().post('/api/user/signup', dto, { 'accept-language': 'de-CH, en;q=0.5' });
    const mail = await nthMailTo(email);
    expect(mail.subject).toBe('Dein Anmeldecode');
    expect(mail.html).toContain('<html lang="de">');
  });

  it('tells the owner of a taken address, and nobody else', async () => {
    const { email } = await member();
    const taken = await world.anonymous().post('/api/user/signup', { email, name: 'Thief', ...onA() });
    const fresh = await world
      .anonymous()
      .post('/api/user/signup', { email: address(), name: 'Fresh', ...onA() });
    expect(taken.body).toEqual(fresh.body);
    expect((await nthMailTo(email)).subject).toBe('You have an account already');
  });

  it('ignores machines and closes when the platform says so', async () => {
    const email = address();
    await world
      .anonymous()
      .post('/api/user/signup', { email, name: 'Bot', website: 'https://spam.test', ...onA() });
    const id = world.platformId();
    await world.as('admin').post(`/api/platform/${id}/settings`, { signup: false });
    const closed = await world.anonymous().post('/api/user/signup', { email, name: 'Late', ...onA() });
    expect(closed.status).toBe(403);
    await world.as('admin').post(`/api/platform/${id}/settings`, { signup: true });
    const [{ count }] = await test.db.dataSource.query(
      `select count(*)::int as count from users where email = $1`,
      [email],
    );
    expect(count).toBe(0);
  });
});

describe('password reset', () => {
  const tokenIn = (text: string | undefined): string => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? '';

  it('R1 the link uses the configured address, and ends every session', async () => {
    const { email, token: session } = await member();
    await world
      .anonymous()
      .post(
        '/api/user/forgot-password',
        { email, ...onA() },
        { host: 'evil.test', 'x-forwarded-host': 'evil.test' },
      );
    const mail = await nthMailTo(email);
    expect(mail.text).toContain('https://api.test/reset-password?token=');
    expect(mail.raw).not.toContain('evil.test');
    const token = tokenIn(mail.text);
    const weak = await world.anonymous().post('/api/user/reset-password', { token, password: 'password1' });
    expect(weak.body.error.details).toEqual([{ field: 'password', issue: 'is too common' }]);
    const reset = await world
      .anonymous()
      .post('/api/user/reset-password', { token, password: 'a new long password' });
    expect(reset.status).toBe(200);
    expect((await bearer(session).get('/api/user/me')).status).toBe(401);
    const signIn = await world
      .anonymous()
      .post('/api/user/signin', { email, password: 'a new long password', ...onA() });
    expect(signIn.status).toBe(200);
    expect((await nthMailTo(email, 2)).subject).toBe('Your password was changed');
    const [row] = await test.db.dataSource.query(
      `select digest from password_resets order by id desc limit 1`,
    );
    expect(row.digest.equals(createHash('sha256').update(token).digest())).toBe(true);
  });

  it('R3 two mails an hour, the newest link counts, and the homepage is where it leads', async () => {
    const id = world.platformId('B');
    await world.as('admin', 'B').post('/api/platform', { homepageUrl: 'club.test/home/' });
    const { email } = world.user('basic', 'B');
    if (!email) throw new Error('no address');
    const before = mailsTo(email).length;
    for (let time = 0; time < 3; time++) {
      await world.anonymous().post('/api/user/forgot-password', { email, PlatformId: id });
      if (time < 2) await nthMailTo(email, before + time + 1);
    }
    await eventually(async () => {
      const [{ open }] = await test.db.dataSource.query(
        `select count(*)::int as open from outbox where "doneAt" is null`,
      );
      return open === 0;
    });
    const [first, second, third] = mailsTo(email).slice(before);
    expect(third).toBeUndefined();
    expect(second?.text).toContain('https://club.test/home/reset-password?token=');
    const old = await world
      .anonymous()
      .post('/api/user/reset-password', { token: tokenIn(first?.text), password: 'a new long password' });
    expect(old.status).toBe(400);
    const page = await world.anonymous().get('/reset-password?token=x');
    expect(page.headers['content-security-policy']).toContain("script-src 'nonce-");
    expect(page.text).toContain('<form>');
  });
});

describe('one’s own credentials', () => {
  it('changes the password and ends other sessions', async () => {
    const { email, token } = await member();
    const other = await world.anonymous().post('/api/user/signin', { email, password: PASSWORD, ...onA() });
    const me = bearer(token);
    const wrong = await me.post('/api/user/change-password', {
      currentPassword: 'not it',
      password: 'another long password',
    });
    expect(wrong.body.error.details[0].field).toBe('currentPassword');
    expect((await me.post('/api/user/change-password', { password: 'another long password' })).status).toBe(
      400,
    );
    const changed = await me.post('/api/user/change-password', {
      currentPassword: PASSWORD,
      password: 'another long password',
    });
    expect(changed.status).toBe(200);
    expect((await me.get('/api/user/me')).status).toBe(200);
    expect((await bearer(other.body.token).get('/api/user/me')).status).toBe(401);
  });

  it('changes the address once the new one is confirmed', async () => {
    const { email, token } = await member();
    const fresh = address();
    const me = bearer(token);
    const { body } = await me.post('/api/user/change-email', { email: fresh, currentPassword: PASSWORD });
    expect(body.expiresIn).toBe(600);
    const otp = codeIn((await nthMailTo(fresh)).text);
    expect((await nthMailTo(email)).subject).toBe('Your e-mail address is about to change');
    const verified = await me.post('/api/user/change-email/verify', { otp });
    expect(verified.body).toEqual([expect.objectContaining({ email: fresh }), false]);
    const taken = await me.post('/api/user/change-email', {
      email: world.user('basic').email,
      currentPassword: PASSWORD,
    });
    expect(taken.body).toEqual(body);
  });

  it('lists sessions, ends one, and signs out everywhere', async () => {
    const { email, token } = await member();
    const other = await world.anonymous().post('/api/user/signin', { email, password: PASSWORD, ...onA() });
    const me = bearer(token);
    const { body } = await me.get('/api/user/sessions');
    expect(
      body.map(({ kind, current }: { kind: string; current: boolean }) => [kind, current]).toSorted(),
    ).toEqual([
      ['created', true],
      ['password', false],
    ]);
    const id = body.find(({ current }: { current: boolean }) => !current).id;
    expect((await me.delete(`/api/user/sessions/${id}`)).body).toEqual({ message: 'Session ended.', id });
    expect((await bearer(other.body.token).get('/api/user/me')).status).toBe(401);
    expect((await me.delete(`/api/user/sessions/${id}`)).status).toBe(404);
    expect((await world.as('free').delete(`/api/user/sessions/${body[0].id}`)).status).toBe(404);
    expect((await me.post('/api/user/signout-all', { keepCurrent: true })).body.count).toBe(0);
    expect((await me.post('/api/user/signout-all', {})).body.count).toBe(1);
    expect((await me.get('/api/user/me')).status).toBe(401);
  });
});

describe('embeds', () => {
  it('exchanges a token in the address for a session of that object alone', async () => {
    const { id } = await world.content({ visibility: 'members' });
    const other = await world.content({ visibility: 'members' });
    const { token } = await member();
    const { body } = await bearer(token).post('/api/auth/embed-token', { scope: 'content', id });
    expect(body).toMatchObject({
      expiresIn: 300,
      url: `https://api.test/embed/content/${id}?token=${body.embedToken}`,
    });
    expect((await bearer(body.embedToken).get('/api/user/me')).status).toBe(401);
    expect((await bearer(body.embedToken).get(`/api/chat?contentId=${id}`)).status).toBe(401);
    const exchanged = await world.anonymous().get(`/embed/content/${id}?token=${body.embedToken}`);
    expect(exchanged.status).toBe(303);
    expect(exchanged.headers.location).toBe(`/embed/content/${id}`);
    const cookie = String(exchanged.headers['set-cookie']);
    expect(cookie).toMatch(
      new RegExp(`^embed_content_${id}=.*Path=/; HttpOnly; Secure; SameSite=None; Partitioned|Partitioned`),
    );
    const session = cookie.split(';', 1)[0] ?? '';
    const page = await world.anonymous().get(`/embed/content/${id}`, { cookie: session });
    expect(page.text).toContain('Its text.');
    const renamed = session.replace(`embed_content_${id}`, `embed_content_${other.id}`);
    const foreign = await world.anonymous().get(`/embed/content/${other.id}`, { cookie: renamed });
    expect(foreign.text).toContain('<h1');
    await bearer(token).post('/api/user/signout');
    const ended = await test.db.dataSource.query(
      `select 1 from sessions where object is not null and "endedAt" is null`,
    );
    expect(ended).toHaveLength(0);
  });
});

describe('people and platforms', () => {
  it('bans, which lets read and not write, and lifts the ban', async () => {
    const { id, token } = await member();
    const banned = await world
      .as('admin')
      .post(`/api/user/${id}/ban`, { reason: 'Advertising', until: null });
    expect(banned.body[1]).toBe(true);
    const { id: contentId } = await world.content();
    expect((await bearer(token).post('/api/chat', { contentId, message: 'x' })).body.error.code).toBe(
      'BANNED',
    );
    expect((await bearer(token).get(`/api/content/${contentId}`)).status).toBe(200);
    expect((await world.as('admin').delete(`/api/user/${id}/ban`)).body[1]).toBe(false);
    expect((await bearer(token).post('/api/chat', { contentId, message: 'x' })).status).toBe(200);
    expect((await world.as('creator').post(`/api/user/${id}/ban`, { reason: 'x' })).status).toBe(403);
    expect((await world.as('admin', 'B').post(`/api/user/${id}/ban`, { reason: 'x' })).status).toBe(404);
  });

  it('raises a tier by code, never lowers it', async () => {
    await world.as('admin').post('/api/platform', { premiumToken: 'gold-code', basicToken: 'silver-code' });
    const { token } = await member();
    const me = bearer(token);
    expect((await me.post('/api/user/redeem-token', { code: 'nope' })).body[1]).toBe(false);
    expect((await me.post('/api/user/redeem-token', { code: 'gold-code' })).body).toEqual([
      expect.objectContaining({ role: 'premium' }),
      true,
    ]);
    expect((await me.post('/api/user/redeem-token', { code: 'silver-code' })).body[0].role).toBe('premium');
    const shown = await world.anonymous().get(`/api/platform/${world.platformId()}`);
    expect(shown.body).toMatchObject({ premiumToken: null, basicToken: null });
  });

  it('takes a code as it was meant, with blanks around it and however it is composed', async () => {
    const saved = await world
      .as('admin')
      .post('/api/platform', { premiumToken: ' Cafe\u0301-gold\n', basicToken: '\tsilver code ' });
    expect(saved.body[0]).toMatchObject({ premiumToken: 'Caf\u00e9-gold', basicToken: 'silver code' });
    const { token } = await member();
    for (const [code, role] of [
      ['silver code\n', 'basic'],
      [' Cafe\u0301-gold', 'premium'],
    ]) {
      const { body } = await bearer(token).post('/api/user/redeem-token', { code });
      expect([body[0].role, body[1]]).toEqual([role, true]);
    }
    await world.as('admin').post('/api/platform', { premiumToken: '  ' });
    const other = await member();
    expect((await bearer(other.token).post('/api/user/redeem-token', { code: ' ' })).status).toBe(400);
    await world.as('admin').post('/api/platform', { premiumToken: 'gold-code' });
  });

  it('shows profiles to members and records to admins', async () => {
    const { id } = world.user('basic');
    const profile = await world.as('free').get(`/api/user/${id}`);
    expect(profile.body).not.toHaveProperty('email');
    expect((await world.as('admin').get(`/api/user/${id}`)).body.email).toBe('basic@people.test');
    expect((await world.as('admin', 'B').get(`/api/user/${id}`)).status).toBe(404);
    const found = await world.as('free').get('/api/users/lookup?q=BAS');
    expect(found.body.items.map(({ id: one }: { id: number }) => one)).toEqual([id]);
    const admins = await world.as('free').get(`/api/platform/${world.platformId()}/admins`);
    expect(admins.body).toMatchObject({ total: 1, page: 1, limit: 20 });
    expect(admins.body.admins[0]).not.toHaveProperty('email');
    expect((await world.as('free', 'B').get(`/api/platform/${world.platformId()}/admins`)).status).toBe(403);
  });

  it('lists the users of the platform for staff, filtered', async () => {
    const { body } = await world.as('creator').get('/api/users?filters=role:premium&sort=name:desc');
    expect(body.items.every(({ role }: { role: string }) => role === 'premium')).toBe(true);
    expect(body.items[0]).not.toHaveProperty('email');
    const banned = await world.as('admin').get('/api/users?filters=banned:true');
    expect(banned.body.items).toEqual([
      expect.objectContaining({ name: 'banned of A', email: 'banned@people.test' }),
    ]);
    const group = await world.group();
    await world.as('admin').post('/api/user', { id: world.user('basic').id, GroupIds: [group.id] });
    const inGroup = await world.as('admin').get(`/api/users?filters=GroupId:${group.id},role:basic`);
    expect(inGroup.body.items.map(({ id }: { id: number }) => id)).toEqual([world.user('basic').id]);
    expect((await world.as('free').get('/api/users')).status).toBe(403);
    expect((await world.as('admin').get('/api/users?filters=passwordHash:x')).status).toBe(400);
    const queries = await test.queriesOf(() => world.as('admin').get('/api/users?itemsPerPage=3'));
    expect(queries.length).toBeLessThanOrEqual(3);
  });

  it('looks up only those who may read an item, each by the rule for readers', async () => {
    const open = await world.content({ visibility: 'members' });
    const gated = await world.content({ visibility: 'members', requiredRole: 'premium' });
    const closed = await world.content({ visibility: 'private' });
    const foreign = await world.content({}, 'B');
    const found = async (contentId: number): Promise<string[]> => {
      const { body } = await world.as('free').get(`/api/users/lookup?q=of&contentId=${contentId}&limit=100`);
      return body.items.map(({ name }: { name: string }) => name);
    };
    expect(await found(open.id)).toEqual(expect.arrayContaining(['free of A', 'basic of A', 'admin of A']));
    const premium = await found(gated.id);
    expect(premium).toEqual(expect.arrayContaining(['premium of A', 'creator of A', 'admin of A']));
    expect(premium).not.toEqual(expect.arrayContaining(['free of A']));
    expect(premium).not.toEqual(expect.arrayContaining(['basic of A']));
    expect((await found(closed.id)).toSorted()).toEqual(['admin of A', 'creator of A', 'otherCreator of A']);
    expect(await found(foreign.id)).toEqual([]);
  });

  it('finds a platform by its homepage, however that is written', async () => {
    const id = world.platformId();
    await world.as('admin').post('/api/platform', { homepageUrl: 'https://Harbour.test:8080/club/' });
    for (const written of [
      'harbour.test:8080/club',
      'HARBOUR.test:8080/club/',
      'harbour.test%3A8080%2Fclub',
    ]) {
      const { body } = await world.anonymous().get(`/api/platform/homepage/${written}`);
      expect(body).toMatchObject({ id, premiumToken: null });
    }
    const asAdmin = await world.as('admin').get('/api/platform/homepage/harbour.test:8080/club');
    expect(asAdmin.body.premiumToken).toBe('gold-code');
    const missing = await world.anonymous().get('/api/platform/homepage/nowhere.test');
    expect(missing).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    const taken = await world
      .as('admin', 'B')
      .post('/api/platform', { homepageUrl: 'http://harbour.TEST:8080/club' });
    expect(taken.body.error.details).toEqual([{ field: 'homepageUrl', issue: 'taken' }]);
    const slug = await world.anonymous().get('/api/platform-by-slug/platform-a');
    expect(slug.body.id).toBe(id);
  });

  it('keeps the settings to the admins of the platform', async () => {
    const id = world.platformId();
    const { body } = await world.as('admin').get(`/api/platform/${id}/settings`);
    expect(body).toMatchObject({
      signup: true,
      showTeasers: true,
      push: { connected: false, projectId: null },
    });
    for (const person of ['creator', 'free'] as const) {
      expect((await world.as(person).get(`/api/platform/${id}/settings`)).status).toBe(403);
    }
    expect(
      (await world.as('admin', 'B').post(`/api/platform/${id}/settings`, { signup: false })).status,
    ).toBe(403);
  });
});

describe('audit', () => {
  it('holds what happened, without names, and cannot be changed', async () => {
    const { id } = await member();
    await world.as('admin').post('/api/user', { id, role: 'basic' });
    const { body } = await world.as('admin').get('/api/admin/audit?itemsPerPage=5');
    expect(body.items[0]).toMatchObject({
      action: 'user.role',
      actorId: world.user('admin').id,
      targetType: 'user',
      targetId: String(id),
      fields: ['role'],
      ip: '127.0.0.0/24',
    });
    expect(JSON.stringify(body)).not.toContain('@people.test');
    expect((await world.as('admin', 'B').get('/api/admin/audit')).body.items).not.toContainEqual(
      expect.objectContaining({ targetId: String(id) }),
    );
    for (const statement of [
      `update audit_log set action = 'x'`,
      'delete from audit_log',
      'truncate audit_log',
      'truncate audit_log_default',
    ]) {
      await expect(test.db.dataSource.query(statement)).rejects.toThrow('append-only');
    }
  });
});
