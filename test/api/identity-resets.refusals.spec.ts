import { PASSWORD } from '../factories/world';
import type { Answer } from '../support/client';
import {
  address,
  bearer,
  call,
  codeFor,
  linkFor,
  type Member,
  member,
  nthMailTo,
  query,
  settled,
  smtp,
  test,
  told,
  world,
} from '../support/mailed-people';

describe('resets', () => {
  it('R2 a look-alike of an address gets nothing, one spelling of it gets it where it is', async () => {
    const { email } = await member();
    const before = smtp.mails.length;
    // A Cyrillic е; then letters that are the same by compatibility.
    await call('forgot-password', { email: email.replace('e', 'е') });
    await settled();
    expect(smtp.mails).toHaveLength(before);
    await call('forgot-password', { email: email.replace('member', 'ＭＥＭＢＥＲ') });
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
