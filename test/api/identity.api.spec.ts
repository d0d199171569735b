import { createHash } from 'node:crypto';
import { PASSWORD } from '../factories/world';
import {
  address,
  bearer,
  codeIn,
  mailsTo,
  member,
  nthMailTo,
  onA,
  settled,
  test,
  tokenIn,
  world,
} from '../support/mailed-people';

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
    await settled();
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
    // Neither one that is over by itself nor that of a frame is among those that are listed.
    await test.db.dataSource.query(`update sessions set "expiresAt" = $2, "endedAt" = null where id = $1`, [
      id,
      test.clock.now(),
    ]);
    const { id: contentId } = await world.content();
    await me.post('/api/auth/embed-token', { scope: 'content', id: contentId });
    expect(await me.get('/api/user/sessions')).toMatchObject({ body: [{ current: true }] });
    expect((await me.post('/api/user/signout-all', { keepCurrent: true })).body.count).toBe(0);
    expect((await me.post('/api/user/signout-all', {})).body.count).toBe(1);
    expect((await me.get('/api/user/me')).status).toBe(401);
  });
});
