import { eventually, SmtpServer } from '#libs/testing';
import { AccountService } from '../../src/auth/account.service';
import { ResetService } from '../../src/auth/reset.service';
import { SignUpService } from '../../src/auth/sign-up.service';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

/** A worker may die after it did the work and before it said so: every job is run a second time. */
const smtp = new SmtpServer();
let test: TestApp;
let world: World;

beforeAll(async () => {
  await smtp.start();
  test = await TestApp.start({ SMTP_URL: smtp.url, WORKER: 'inline' });
  world = await World.create(test);
});
afterAll(async () => {
  await test.stop();
  await smtp.stop();
});

const mailsTo = (email: string) => smtp.mails.filter(({ envelope }) => envelope.to.includes(email));
const sent = () =>
  eventually(async () => {
    const [{ open }] = await test.db.dataSource.query(
      `select count(*)::int as open from outbox where "doneAt" is null and "failedAt" is null`,
    );
    return open === 0;
  });
const twice = async (work: () => Promise<unknown>): Promise<void> => {
  await work();
  await work();
  await sent();
};

it('auth.sign-up makes one account and mails one code', async () => {
  const address = { email: 'twice@people.test', name: 'Twice', PlatformId: world.platformId() };
  await twice(() => test.get(SignUpService).complete(address));
  const accounts = await test.db.dataSource.query(`select status from users where email = $1`, [
    address.email,
  ]);
  expect(accounts).toEqual([{ status: 'pending' }]);
  expect(mailsTo(address.email)).toHaveLength(1);
});

it('auth.send-first-code mails one code to who signed up', async () => {
  const address = { email: 'first@people.test', name: 'First', PlatformId: world.platformId() };
  await test.get(SignUpService).complete(address);
  await eventually(() => mailsTo(address.email).length === 1);
  const [{ id }] = await test.db.dataSource.query(`select id from users where email = $1`, [address.email]);
  const signUps = [{ number: 1, payload: { platformId: world.platformId(), userId: id } }];
  await twice(() => test.get(SignUpService).sendFirstCodes(signUps));
  expect(mailsTo(address.email)).toHaveLength(1);
});

it('auth.send-code mails one code', async () => {
  const { email } = world.user('basic');
  await twice(() => test.get(SignUpService).sendCode({ email: email ?? '', PlatformId: world.platformId() }));
  expect(mailsTo('basic@people.test').filter(({ subject }) => subject === 'Your sign-in code')).toHaveLength(
    1,
  );
});

it('auth.send-change-email mails one code to the new address', async () => {
  const wish = { email: 'wished@people.test', PlatformId: world.platformId(), userId: world.user('free').id };
  await twice(() => test.get(AccountService).sendCode(wish));
  expect(mailsTo(wish.email)).toHaveLength(1);
});

it('auth.send-reset leaves the newest link working', async () => {
  const address = { email: 'premium@people.test', PlatformId: world.platformId() };
  await twice(() => test.get(ResetService).send(address));
  const links = mailsTo(address.email).map(({ text }) => /token=([\w-]+)/.exec(text ?? '')?.[1]);
  expect(links).toHaveLength(2);
  const answers = await Promise.all(
    links.map((token) =>
      world.anonymous().post('/api/user/reset-password', { token, password: 'a new long password' }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});
