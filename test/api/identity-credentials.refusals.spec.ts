import { PASSWORD } from '../factories/world';
import type { Answer, Client } from '../support/client';
import {
  address,
  bearer,
  call,
  codeFor,
  codeIn,
  mailsTo,
  member,
  nthMailTo,
  otherCode,
  settled,
  test,
  told,
} from '../support/mailed-people';

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

  it('a right code for a new address ends the row of wrong ones', async () => {
    const one = await member();
    const fresh = address();
    const me = bearer(one.token);
    await me.post('/api/user/change-email', { email: fresh, currentPassword: PASSWORD });
    const otp = codeIn((await nthMailTo(fresh)).text);
    await test.db.dataSource.query(
      `insert into sign_in_failures ("UserId", passwords, codes) values ($1, 40, 98)`,
      [one.id],
    );
    const verify = (code: string): Promise<Answer> => me.post('/api/user/change-email/verify', { otp: code });
    expect((await verify(otherCode(otp))).status).toBe(401);
    expect((await verify(otp)).status).toBe(200);
    expect(
      await test.db.dataSource.query(`select passwords, codes from sign_in_failures where "UserId" = $1`, [
        one.id,
      ]),
    ).toEqual([{ passwords: 40, codes: 0 }]);
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
