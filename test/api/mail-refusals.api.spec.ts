import { readFileSync } from 'node:fs';
import { MailRefusedError, SmtpTransport } from '#libs/mail';
import { Sweeper } from '#libs/queue';
import { eventually, type ReceivedMail, SmtpServer, testLogFile } from '#libs/testing';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

type Stage = 'connect' | 'mailFrom' | 'rcptTo' | 'data';

/** What the server does at each stage before it goes on; an error with a `responseCode` is its answer. */
let at: Partial<Record<Stage, (address: string) => void | Promise<void>>> = {};
const go = (stage: Stage, address: string, done: (error?: Error) => void): void => {
  const pass = async (): Promise<void> => at[stage]?.(address);
  pass().then(() => done(), done);
};
const smtp = new SmtpServer({
  onConnect: (_session, done) => go('connect', '', done),
  onMailFrom: ({ address }, _session, done) => go('mailFrom', address, done),
  onRcptTo: ({ address }, _session, done) => go('rcptTo', address, done),
});
smtp.beforeTaking = ([to = '']) => at.data?.(to);

const refuse = (responseCode: number, text: string): never => {
  throw Object.assign(new Error(text), { responseCode });
};

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
afterEach(() => {
  at = {};
});

async function member(): Promise<string> {
  const email = `reader-${++people}@people.test`;
  const body = { email, name: 'Reader', role: 'free', PlatformId: world.platformId() };
  expect((await world.as('admin').post('/api/user', body)).status).toBe(200);
  return email;
}
const members = (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, member));

/** Causes a mail, and is answered as ever, whatever the mail server does. */
async function ask(email: string): Promise<void> {
  const answer: Answer = await world
    .anonymous()
    .post('/api/user/signin-otp', { email, PlatformId: world.platformId() });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ message: expect.any(String), expiresIn: 600 });
}

interface Row {
  id: string;
  payload: string | null;
  attempts: number;
  waiting: boolean;
  done: boolean;
  failed: boolean;
  error: string | null;
}
const mailRows = (): Promise<Row[]> =>
  test.db.dataSource.query(
    `select id::text, payload, attempts, error, "leaseUntil" is null as waiting, "doneAt" is not null as done,
            "failedAt" is not null as failed from outbox where job = 'mail.send' order by outbox.id`,
  );
type RowOnce = (expected: (row: Row) => boolean) => Promise<Row>;
/** As `ask`, for one mail whose row is looked at. */
async function askForRow(email: string): Promise<RowOnce> {
  const { length } = await mailRows();
  await ask(email);
  return (expected) =>
    eventually(async () => {
      const row = (await mailRows())[length];
      return row && expected(row) && row;
    });
}
/** As if the pauses until the next attempts were over. */
async function hurry(): Promise<void> {
  await test.db.dataSource.query(
    `update outbox set "dueAt" = now() - interval '1 second', "handOverAt" = now() - interval '1 second'`,
  );
  await test.get(Sweeper).sweep();
}
const settled = (): Promise<boolean> =>
  eventually(async () => {
    const [{ open }] = await test.db.dataSource.query(
      `select count(*)::int as open from outbox where "doneAt" is null and "failedAt" is null`,
    );
    return open === 0;
  });
const mailsTo = (email: string): ReceivedMail[] =>
  smtp.mails.filter(({ envelope }) => envelope.to.includes(email));
const mailTo = (email: string): Promise<ReceivedMail> => eventually(() => mailsTo(email)[0]);

describe('a mail server that is slow', () => {
  it('to greet holds up no request, and gets each mail once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let held = 0;
    at.connect = () => {
      held++;
      return promise;
    };
    const readers = await members(3);
    for (const email of readers) await ask(email);
    await eventually(() => held === 3);
    // Told of them again, the worker leaves them to who has them in hand.
    await hurry();
    const other = await world.anonymous().get(`/api/platform/${world.platformId()}`);
    expect(other.body.id).toBe(world.platformId());
    const waiting = (await mailRows()).slice(-3);
    expect(waiting.map(({ done, attempts }) => [done, attempts])).toEqual(Array(3).fill([false, 1]));
    expect(readers.flatMap(mailsTo)).toEqual([]);
    resolve();
    await settled();
    expect(readers.map((email) => mailsTo(email).length)).toEqual([1, 1, 1]);
    expect(held).toBe(3);
  });

  it('to take one mail holds up no other mail', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const [slow = '', ...quick] = await members(4);
    let held = 0;
    at.data = (to) => {
      if (to !== slow) return;
      held++;
      return promise;
    };
    await ask(slow);
    await eventually(() => held === 1);
    for (const email of quick) await ask(email);
    for (const email of quick) expect((await mailTo(email)).text).toMatch(/\b\d{6}\b/);
    await hurry();
    expect(mailsTo(slow)).toEqual([]);
    resolve();
    await settled();
    expect([slow, ...quick].map((email) => mailsTo(email).length)).toEqual([1, 1, 1, 1]);
    expect(held).toBe(1);
  });

  it('beyond the time for one mail is left, and the mail may be tried again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    at.rcptTo = () => promise;
    const transport = new SmtpTransport(smtp.url, 'club@harbour.test', 100);
    const mail = { to: 'x@people.test', subject: 'x', text: 'x', html: 'x', messageId: '<x@api.test>' };
    const failure: unknown = await transport.send(mail).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(MailRefusedError);
    resolve();
    transport.close();
    expect(mailsTo('x@people.test')).toEqual([]);
  });
});

describe('a mail server that refuses for now', () => {
  it.each<[number, Stage]>([
    [421, 'connect'],
    [451, 'mailFrom'],
    [451, 'rcptTo'],
    [452, 'data'],
    // The operator can mend these: the service is closed, or does not know the sender.
    [554, 'connect'],
    [550, 'mailFrom'],
  ])('with %i at %s gets the mail once it takes it', async (code, stage) => {
    const [email = ''] = await members(1);
    at[stage] = () => refuse(code, `4.3.0 <${email}> not now`);
    const rowOnce = await askForRow(email);
    const first = await rowOnce(({ attempts, waiting }) => attempts === 1 && waiting);
    expect(first).toMatchObject({ done: false, failed: false, error: expect.stringContaining(String(code)) });
    expect(first.payload).toMatch(/^v1\./);
    expect(first.error).not.toContain('@');
    await hurry();
    await rowOnce(({ attempts, waiting }) => attempts === 2 && waiting);
    expect(mailsTo(email)).toEqual([]);
    at = {};
    await hurry();
    const done = await rowOnce((row) => row.done);
    expect(done).toMatchObject({ id: first.id, attempts: 3, payload: null, error: null });
    await hurry();
    await settled();
    expect(mailsTo(email)).toHaveLength(1);
  });
});

describe('a mail server that refuses for good', () => {
  it.each<[number, Stage]>([
    [550, 'rcptTo'],
    [554, 'data'],
  ])('with %i at %s is asked once, and the reason is kept without the address', async (code, stage) => {
    const [email = ''] = await members(1);
    let asked = 0;
    at[stage] = () => {
      asked++;
      refuse(code, `5.1.1 <${email}>: no such mailbox`);
    };
    const rowOnce = await askForRow(email);
    const row = await rowOnce(({ failed }) => failed);
    expect(row).toMatchObject({ attempts: 1, done: false, payload: null });
    expect(row.error).toContain(`${code} 5.1.1 <…>: no such mailbox`);
    await hurry();
    await settled();
    expect(asked).toBe(1);
    expect(await rowOnce(() => true)).toEqual(row);
    expect(mailsTo(email)).toEqual([]);
    const log = await eventually(() => {
      const text = readFileSync(testLogFile(), 'utf8');
      return text.includes('Job failed for good') && text;
    });
    expect(log).not.toContain(email);
  });

  it('one recipient of many gets each other mail once', async () => {
    const readers = await members(8);
    const [, , unknown = ''] = readers;
    at.rcptTo = (address) => {
      if (address === unknown) refuse(550, '5.1.1 no such mailbox');
    };
    await Promise.all(readers.map(ask));
    await settled();
    expect(readers.map((email) => mailsTo(email).length)).toEqual([1, 1, 0, 1, 1, 1, 1, 1]);
    const rows = (await mailRows()).slice(-8);
    expect(rows.filter(({ failed }) => failed)).toHaveLength(1);
    expect(rows.filter(({ done }) => done)).toHaveLength(7);
  });
});
