import { setTimeout as wait } from 'node:timers/promises';
import { eventually, SmtpServer } from '#libs/testing';
import { closedPort } from '../../test/support/service-process';
import { CONTENT_ID, commentsSeed, MEMBER } from '../support/seed';
import { signIn } from '../support/session';
import type { Drill, Stage } from './support/stage';
import { ask, keepDoing, postJson, Tally } from './support/tally';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const MEMBERS = 8;

/** Everything dies in turns while people write: what was answered with success is there, once, and done. */
export const drill: Drill = {
  title: 'kills: kill -9 of API, worker, PostgreSQL and Redis under load',

  async run(stage: Stage): Promise<void> {
    const smtp = new SmtpServer();
    await smtp.start();
    stage.onEnd(() => smtp.stop());
    const DATABASE_URL = await stage.database(commentsSeed(100));
    const PORT = String(await closedPort());
    const env = { DATABASE_URL, PORT, SMTP_URL: smtp.url };
    let api = stage.start('main', env);
    let worker = stage.start('worker', env);
    const url = await api.url();
    const members = await Promise.all(
      Array.from({ length: MEMBERS }, (_, n) =>
        signIn(url, { ...MEMBER, email: `member${n + 1}@bench.example` }),
      ),
    );

    const comments = new Tally();
    const signUps = new Tally();
    const stored: number[] = [];
    const asked: string[] = [];
    const writing = keepDoing(MEMBERS, async (n) => {
      const headers = { authorization: members[n % MEMBERS] ?? '' };
      const comment = { contentId: CONTENT_ID, message: `Written while things die, number ${n}.` };
      const answer = await comments.count(postJson(`${url}/api/chat`, comment, headers));
      if (answer.status === 200) stored.push((JSON.parse(answer.body) as [{ id: number }])[0].id);
      // A refused connection is an answer within a millisecond: no reason to ask as fast.
      if (answer.status !== 200) await wait(20);
      if (n % 10) return;
      const email = `newcomer${n}@bench.example`;
      const signUp = { email, name: `Newcomer ${n}`, PlatformId: String(MEMBER.platformId) };
      if ((await signUps.count(postJson(`${url}/api/user/signup`, signUp))).status === 200) asked.push(email);
    });

    let slowest = 0;
    /** Milliseconds from a fault's end to the first write that is stored again. */
    const backAfter = async (): Promise<void> => {
      const begin = performance.now();
      const before = stored.length;
      await eventually(() => stored.length > before, 60_000);
      slowest = Math.max(slowest, performance.now() - begin);
    };
    const faults = {
      api: async () => {
        await api.end('SIGKILL');
        api = stage.start('main', env);
        await api.url();
      },
      worker: async () => {
        await worker.end('SIGKILL');
        worker = stage.start('worker', env);
        await worker.said(/Worker ready/);
      },
      postgres: async () => {
        await stage.servers.postgres.kill();
        await stage.servers.postgres.start();
      },
      redis: async () => {
        await stage.servers.redis.kill();
        await wait(500);
        await stage.servers.redis.start();
      },
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const fault of Object.values(faults)) {
        await wait(500 + Math.random() * 500);
        await fault();
        await backAfter();
      }
    }
    await writing.stop();

    const { report } = stage;
    report.line('kill -9 of each', `${ROUNDS} × ${Object.keys(faults).join(', ')}`);
    report.line(
      'comments',
      String(comments),
      'only 200 and 503 while the API lives',
      comments.others(503, 0) === 0,
    );
    report.line('sign-ups', String(signUps));
    const [found] = await stage.rows<{ count: number }>(
      DATABASE_URL,
      'select count(*)::int as count from comments where id = any($1)',
      [stored],
    );
    const lost = stored.length - (found?.count ?? 0);
    report.line('acknowledged comments that are gone', lost, '0', lost === 0);
    const [counted] = await stage.rows<{ same: boolean; counter: number }>(
      DATABASE_URL,
      `select "commentCount" as counter,
              "commentCount" = (select count(*) from comments where "ContentId" = c.id and not hidden) as same
         from contents c where id = $1`,
      [CONTENT_ID],
    );
    report.line(
      'the counter of the comments',
      counted?.counter ?? '',
      'equals the rows',
      counted?.same === true,
    );
    const unmailed = (): string[] => {
      const mailed = new Set(smtp.mails.flatMap(({ envelope }) => envelope.to));
      return asked.filter((email) => !mailed.has(email));
    };
    // The lease of a killed worker runs for a minute.
    await eventually(() => unmailed().length === 0, 120_000).catch(() => undefined);
    report.line('accepted sign-ups without their mail', unmailed().length, '0', unmailed().length === 0);
    report.line('slowest return to writing', `${Math.round(slowest)} ms`, '5 s or less', slowest <= 5000);
    const ready = await ask(`${url}/health/ready`);
    report.line('readiness at the end', ready.status, '200', ready.status === 200);
  },
};
