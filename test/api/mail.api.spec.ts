import { readFileSync } from 'node:fs';
import { Sweeper } from '#libs/queue';
import { eventually, recordSecret, type ReceivedMail, SmtpServer, testLogFile } from '#libs/testing';
import { PASSWORD, World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

const codeIn = (text = ''): string => {
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
  if (code) recordSecret(code);
  return code;
};
const signIn = (world: World, email = 'pending@people.test'): Promise<Answer> =>
  world.anonymous().post('/api/user/signin', { email, password: PASSWORD, PlatformId: world.platformId() });
const expectUnverified = (answer: Answer): void =>
  expect(answer).toMatchObject({ status: 401, body: { error: { status: 401, code: 'EMAIL_NOT_VERIFIED' } } });

interface OutboxRow {
  id: string;
  job: string;
  payload: string | null;
  attempts: number;
  leaseUntil: Date | null;
  doneAt: Date | null;
  failedAt: Date | null;
  error: string | null;
}
const outbox = (test: TestApp): Promise<OutboxRow[]> =>
  test.db.dataSource.query(`select * from outbox order by id`);
/** As if the pause until the next attempt were over. */
async function hurry(test: TestApp, id: string): Promise<void> {
  await test.db.dataSource.query(
    `update outbox set "dueAt" = now() - interval '1 second', "handOverAt" = now() - interval '1 second' where id = $1`,
    [id],
  );
  await test.get(Sweeper).sweep();
}

describe('mail over SMTP', () => {
  let test: TestApp;
  let world: World;
  const server = new SmtpServer();

  beforeAll(async () => {
    await server.start();
    test = await TestApp.start({
      SMTP_URL: server.url,
      WORKER: 'inline',
      MAIL_FROM: 'Harbour Club <club@harbour.test>',
    });
    world = await World.create(test);
    await world.givePassword('pending');
    await world.givePassword('pending', 'B');
    await test.db.dataSource.query(`update platforms set name = $2 where id = $1`, [
      world.platformId(),
      'Sails <b>& more</b>\r\nBcc: x@evil.test',
    ]);
  });
  afterAll(async () => {
    await test.stop();
    await server.stop();
  });
  afterEach(() => test.clock.reset());

  const nextMail = (count: number): Promise<ReceivedMail> => eventually(() => server.mails[count]);
  const lastRow = async (): Promise<OutboxRow> => (await outbox(test)).at(-1) as OutboxRow;

  it('a pending sign-in with the right password sends a code', async () => {
    expectUnverified(await signIn(world));
    const mail = await nextMail(0);
    expect(mail.envelope).toEqual({ from: 'club@harbour.test', to: ['pending@people.test'] });
    expect(mail.from).toMatchObject({ name: 'Harbour Club', address: 'club@harbour.test' });
    expect(mail.to).toMatchObject([{ address: 'pending@people.test' }]);
    expect(mail.subject).toBe('Your sign-in code');
    expect(mail.messageId).toMatch(/^<[0-9a-f]{32}@api\.test>$/);
    const code = codeIn(mail.text);
    expect(code).toMatch(/^\d{6}$/);
    expect(mail.text).toContain(`Your code is ${code}. It is valid for 10 minutes`);
    expect(mail.html).toContain(`Your code is ${code}.`);
    expect(mail.html).toContain('Sails &lt;b&gt;&amp; more&lt;/b&gt;');
    expect(mail.headers.find(({ key }) => key === 'bcc')).toBeUndefined();
    const row = await eventually(async () => {
      const entry = await lastRow();
      return entry.doneAt && entry;
    });
    expect(row).toMatchObject({ job: 'mail.send', payload: null, error: null, attempts: 1 });
  });

  it('the code is nowhere else: not in the answer, the database or the log', async () => {
    const code = codeIn(server.mails[0]?.text);
    const [stored] = await test.db.dataSource.query(`select * from one_time_codes order by id limit 1`);
    expect(stored.mac).toHaveLength(32);
    expect(JSON.stringify(stored)).not.toContain(code);
    const log = readFileSync(testLogFile(), 'utf8');
    expect(log).toContain('/api/user/signin');
    expect(log).not.toContain(`Your code is`);
    expect(log).not.toContain(PASSWORD);
  });

  it('O2 within 60 seconds nothing new is sent, also for ten at once; after them another code', async () => {
    const sent = server.mails.length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(world)));
    answers.forEach(expectUnverified);
    expect(await outbox(test)).toHaveLength(sent);
    test.clock.advance(30);
    expectUnverified(await signIn(world));
    expect(await outbox(test)).toHaveLength(sent);
    test.clock.advance(33);
    const later = await Promise.all(Array.from({ length: 5 }, () => signIn(world)));
    later.forEach(expectUnverified);
    expect(await outbox(test)).toHaveLength(sent + 1);
    const mail = await nextMail(sent);
    expect(codeIn(mail.text)).toMatch(/^\d{6}$/);
    expect(mail.messageId).not.toBe(server.mails[0]?.messageId);
  });

  it('nothing is sent for a wrong password, an unknown address, or someone who is verified', async () => {
    await world.givePassword('free');
    const before = await outbox(test);
    const attempt = (values: object): Promise<Answer> =>
      world.anonymous().post('/api/user/signin', {
        email: 'pending@people.test',
        password: PASSWORD,
        PlatformId: world.platformId(),
        ...values,
      });
    test.clock.advance(120);
    expect((await attempt({ password: 'wrong horse' })).body.error.code).toBe('UNAUTHORIZED');
    expect((await attempt({ email: 'nobody@people.test' })).body.error.code).toBe('UNAUTHORIZED');
    expect((await attempt({ email: 'free@people.test' })).status).toBe(200);
    expect(await outbox(test)).toHaveLength(before.length);
  });

  it('a mail server that is down holds up nobody, and gets the mail once it is back', async () => {
    const sent = server.mails.length;
    await server.stop();
    test.clock.advance(300);
    expectUnverified(await signIn(world));
    const waiting = await eventually(async () => {
      const row = await lastRow();
      return row.error !== null && row;
    });
    expect(waiting).toMatchObject({ attempts: 1, doneAt: null, failedAt: null });
    expect(waiting.payload).toMatch(/^v1\./);
    expect(waiting.payload).not.toContain('people.test');
    await hurry(test, waiting.id);
    await eventually(async () => {
      const { attempts, leaseUntil } = await lastRow();
      return attempts === 2 && leaseUntil === null;
    });
    await server.start();
    await hurry(test, waiting.id);
    await nextMail(sent);
    const done = await eventually(async () => {
      const row = await lastRow();
      return row.doneAt && row;
    });
    expect(done).toMatchObject({ id: waiting.id, payload: null, error: null });
    expect(codeIn(server.mails[sent]?.text)).toMatch(/^\d{6}$/);

    // A worker that died after the server took the mail: it goes out again, recognisably the same one.
    await test.db.dataSource.query(`update outbox set "doneAt" = null, payload = $2 where id = $1`, [
      waiting.id,
      waiting.payload,
    ]);
    await hurry(test, waiting.id);
    const again = await nextMail(sent + 1);
    expect(again.messageId).toBe(server.mails[sent]?.messageId);
    expect(codeIn(again.text)).toBe(codeIn(server.mails[sent]?.text));
  });

  it('codes of the same person on two platforms are two', async () => {
    const sent = server.mails.length;
    const answer = await world.anonymous().post('/api/user/signin', {
      email: 'pending@people.test',
      password: PASSWORD,
      PlatformId: world.platformId('B'),
    });
    expectUnverified(answer);
    const mail = await nextMail(sent);
    expect(mail.text).toContain('— Platform B');
    expect(mail.text).not.toContain('Sails');
  });
});
