import { eventually, type ReceivedMail, SmtpServer } from '#libs/testing';
import { PASSWORD, World } from '../factories/world';
import type { Answer, Client } from './client';
import { TestApp } from './test-app';

/*
 * For tests of what reaches people by mail: codes, links and what they open. A file that imports this has the
 * application, two platforms and a mail server of its own, before its first test and until after its last.
 */
export const smtp = new SmtpServer();
export let test: TestApp;
export let world: World;
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

export const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
/** An address that nobody has. */
export const address = (): string => `member-${++people}@people.test`;
export const mailsTo = (email: string): ReceivedMail[] =>
  smtp.mails.filter(({ envelope }) => envelope.to.includes(email));
export const nthMailTo = (email: string, nth = 1): Promise<ReceivedMail> =>
  eventually(() => mailsTo(email)[nth - 1]);
export const codeIn = (text: string | undefined): string => /\b\d{6}\b/.exec(text ?? '')?.[0] ?? '';
export const tokenIn = (text: string | undefined): string => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? '';
export const otherCode = (code: string): string => (code === '000000' ? '111111' : '000000');

export const onA = (values: object = {}): object => ({ PlatformId: String(world.platformId()), ...values });
export const bearer = (token: string): Client => test.client({ authorization: `Bearer ${token}` });
/** Calls a route that takes no credential, on platform A. */
export const call = (route: string, values: object): Promise<Answer> =>
  world.anonymous().post(`/api/user/${route}`, onA(values));
/** The background has nothing left to do. */
export const settled = (): Promise<boolean> =>
  eventually(async () => {
    const [{ open }] = await query(`select count(*)::int as open from outbox where "doneAt" is null`);
    return open === 0;
  });

/** All that an answer tells, but for what differs in every answer. */
export const told = ({ status, headers, body }: Answer): object => {
  const { requestId: _, ...error } = body.error ?? {};
  const names = Object.keys(headers).toSorted();
  return { status, names, body: body.error ? { error } : body };
};

export interface Member {
  id: number;
  email: string;
  token: string;
}

/** One more free member of platform A, who has a password unless `values` say otherwise. */
export async function member(values: object = {}): Promise<Member> {
  const email = address();
  const { status, body } = await world.as('admin').post('/api/user', {
    ...{ email, name: 'New', role: 'free', PlatformId: world.platformId(), password: PASSWORD },
    ...values,
  });
  expect(status).toBe(200);
  return { id: body[0].id, email, token: body[0].token };
}

/** The code to sign in with that the member asks for and is mailed. */
export async function codeFor({ email }: Pick<Member, 'email'>): Promise<string> {
  const before = mailsTo(email).length;
  expect((await call('signin-otp', { email })).status).toBe(200);
  return codeIn((await nthMailTo(email, before + 1)).text);
}

/** The token of the link for a new password, likewise. */
export async function linkFor({ email }: Pick<Member, 'email'>): Promise<string> {
  const before = mailsTo(email).length;
  expect((await call('forgot-password', { email })).status).toBe(200);
  return tokenIn((await nthMailTo(email, before + 1)).text);
}
