import { eventually, SmtpServer } from '#libs/testing';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

/** What is good once is good once, however many ask at the same moment. */
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

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const call = (route: string, values: object): Promise<Answer> =>
  world.anonymous().post(`/api/user/${route}`, { PlatformId: String(world.platformId()), ...values });
const times = <Result>(count: number, make: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function member(): Promise<{ id: number; email: string }> {
  const email = `once-${++people}@people.test`;
  const values = { email, name: 'Once', role: 'free', PlatformId: world.platformId() };
  const { body } = await world.as('admin').post('/api/user', values);
  return { id: body[0].id, email };
}

/** What the mail to the address holds that was caused by the call. */
async function mailed(route: string, email: string, pattern: RegExp): Promise<string> {
  expect((await call(route, { email })).status).toBe(200);
  const mail = await eventually(() => smtp.mails.find(({ envelope }) => envelope.to.includes(email)));
  return pattern.exec(mail.text ?? '')?.[1] ?? '';
}
const codeFor = (email: string): Promise<string> => mailed('signin-otp', email, /\b(\d{6})\b/);
const sessionsOf = (id: number): Promise<any[]> =>
  query(`select kind from sessions where "UserId" = $1 and kind <> 'created'`, [id]);

describe('a code', () => {
  it('O4 is compared with five of 100 parallel guesses; the right one after them signs nobody in', async () => {
    const { id, email } = await member();
    const code = await codeFor(email);
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
      { codes: 100 },
    ]);
    expect((await call('verify-otp', { email, otp: code })).status).toBe(401);
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('O7 signs one of 20 parallel right answers in, and O6 none after that', async () => {
    const { id, email } = await member();
    const otp = await codeFor(email);
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
    const { email } = await member();
    const token = await mailed('forgot-password', email, /token=([\w-]+)/);
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
      const mails = smtp.mails.filter(({ envelope }) => envelope.to.includes(email));
      return mails.length > 1 && mails;
    });
    expect(notices.map(({ subject }) => subject).slice(1)).toEqual(['Your password was changed']);
  });
});
