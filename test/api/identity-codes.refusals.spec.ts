import { PASSWORD } from '../factories/world';
import type { Answer } from '../support/client';
import {
  address,
  bearer,
  call,
  codeFor,
  linkFor,
  mailsTo,
  member,
  nthMailTo,
  otherCode,
  query,
  settled,
  test,
  told,
  world,
} from '../support/mailed-people';

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

  it('O3 tries count only against a live code: a stranger cannot stop the codes of somebody who asked for none', async () => {
    const one = await member();
    const tries = async (): Promise<void> => {
      for (let time = 0; time < 3; time++) {
        expect((await call('verify-otp', { email: one.email, otp: '123456' })).status).toBe(401);
        await bearer(one.token).post('/api/user/change-email/verify', { otp: '123456' });
      }
    };
    await tries();
    expect(await failures(one.id)).toBeUndefined();
    await failed(one.id, 0, 94);
    const code = await codeFor(one);
    for (let time = 0; time < 6; time++) await call('verify-otp', { email: one.email, otp: otherCode(code) });
    await tries();
    // Of the tries at the code the first five killed it; the sixth guessed at nothing.
    expect(await failures(one.id)).toMatchObject({ codes: 99 });
    test.clock.advance(61);
    await codeFor(one);
    test.clock.advance(601);
    await tries();
    const last = await codeFor(one);
    expect((await call('verify-otp', { email: one.email, otp: last })).status).toBe(200);
    await tries();
    expect(await failures(one.id)).toBeUndefined();
  });

  it('O3 counting starts anew after a stop, which tries at the same moment neither lift nor prolong', async () => {
    const one = await member();
    const code = await codeFor(one);
    await failed(one.id, 0, 99);
    const wrong = { email: one.email, otp: otherCode(code) };
    const stop = test.clock.now().getTime() + 24 * 60 * 60 * 1000;
    await Promise.all(Array.from({ length: 8 }, () => call('verify-otp', wrong)));
    const until = async (): Promise<Date | null> =>
      (
        await query(`select "codesStoppedUntil" as until from sign_in_failures where "UserId" = $1`, [one.id])
      )[0]?.until;
    expect((await until())?.getTime()).toBeGreaterThanOrEqual(stop);
    expect((await call('verify-otp', { email: one.email, otp: code })).status).toBe(401);
    test.clock.advance(24 * 60 * 60 + 1);
    const next = await codeFor(one);
    expect((await call('verify-otp', { ...wrong, otp: otherCode(next) })).status).toBe(401);
    expect(await failures(one.id)).toMatchObject({ codes: 1 });
    expect(await until()).toBeNull();
    expect((await call('verify-otp', { email: one.email, otp: next })).status).toBe(200);
  });

  it('O2 refusals take the same statements, whatever is known of the address', async () => {
    const [none, live, stopped] = [await member(), await member(), await member()];
    const code = await codeFor(live);
    await codeFor(stopped);
    await failed(stopped.id, 0, 100);
    await query(
      `update sign_in_failures set "codesStoppedUntil" = now() + interval '1 year' where "UserId" = $1`,
      [stopped.id],
    );
    const statements = async (email: string): Promise<string[]> => {
      await settled();
      return test.queriesOf(() => call('verify-otp', { email, otp: otherCode(code) }));
    };
    const unknown = await statements(address());
    for (const { email } of [none, live, stopped]) expect(await statements(email)).toEqual(unknown);
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
