import { eventually } from '#libs/testing';
import { call, codeFor, linkFor, mailsTo, member, query } from '../support/mailed-people';

/*
 * What is good once is good once, however many ask at the same moment.
 */
const times = <Result>(count: number, make: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => make(index));
const sessionsOf = (id: number): Promise<any[]> =>
  query(`select kind from sessions where "UserId" = $1 and kind <> 'created'`, [id]);

describe('a code', () => {
  it('O4 is compared with five of 100 parallel guesses; the right one after them signs nobody in', async () => {
    const { id, email } = await member({ password: undefined });
    const code = await codeFor({ email });
    const guess = (index: number): string => String((Number(code) + index) % 1_000_000).padStart(6, '0');
    // The right one is the 81st that is sent.
    const answers = await Promise.all(
      times(100, (index) => call('verify-otp', { email, otp: guess(index + 999_920) })),
    );
    expect(guess(80 + 999_920)).toBe(code);
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body.error.code).toBe('INVALID_OTP');
      expect(body.token).toBeUndefined();
    }
    const codes = await query(`select tries, "usedAt" from one_time_codes where "UserId" = $1`, [id]);
    expect(codes).toEqual([{ tries: 5, usedAt: null }]);
    expect(await query(`select codes from sign_in_failures where "UserId" = $1`, [id])).toEqual([
      { codes: 5 },
    ]);
    expect((await call('verify-otp', { email, otp: code })).status).toBe(401);
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('O7 signs one of 20 parallel right answers in, and O6 none after that', async () => {
    const { id, email } = await member({ password: undefined });
    const otp = await codeFor({ email });
    const answers = await Promise.all(times(20, () => call('verify-otp', { email, otp })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(19).fill([401, 'INVALID_OTP']),
    );
    expect(answers.filter(({ body }) => body.token)).toHaveLength(1);
    expect((await call('verify-otp', { email, otp })).body.error.code).toBe('INVALID_OTP');
    expect(await sessionsOf(id)).toEqual([{ kind: 'otp' }]);
  });
});

describe('a link', () => {
  it('R4 sets the password of one of 20 parallel resets', async () => {
    const { email } = await member({ password: undefined });
    const token = await linkFor({ email });
    const password = (index: number): string => `a new long password ${index}`;
    const answers = await Promise.all(
      times(20, (index) => call('reset-password', { token, password: password(index) })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(19).fill([400, 'INVALID_TOKEN']),
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    expect((await call('signin', { email, password: password(winner) })).status).toBe(200);
    const loser = (winner + 1) % 20;
    expect((await call('signin', { email, password: password(loser) })).status).toBe(401);
    const notices = await eventually(() => {
      const mails = mailsTo(email);
      return mails.length > 1 && mails;
    });
    expect(notices.map(({ subject }) => subject).slice(1)).toEqual(['Your password was changed']);
  });
});
