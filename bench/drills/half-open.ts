import { setTimeout as wait } from 'node:timers/promises';
import { eventually, SmtpServer } from '#libs/testing';
import { CONTENT_ID, commentsSeed, MEMBER } from '../support/seed';
import { signIn } from '../support/session';
import type { Drill, Stage } from './support/stage';
import { type Answered, ask, postJson, Tally } from './support/tally';

const BACK_WITHIN_MS = 12_000;
const EVERY_MS = 200;

/** Every connection of API and worker to the database falls silent at once; new ones work. */
export const drill: Drill = {
  title: 'half-open: all connections to the database fall silent under load',

  async run(stage: Stage): Promise<void> {
    const smtp = new SmtpServer();
    await smtp.start();
    stage.onEnd(() => smtp.stop());
    const proxy = await stage.proxy(await stage.database(commentsSeed(100)));
    for (const queue of ['Redis', 'PostgreSQL']) await round(stage, proxy, smtp, queue);
  },
};

async function round(
  stage: Stage,
  proxy: Awaited<ReturnType<Stage['proxy']>>,
  smtp: SmtpServer,
  queue: string,
): Promise<void> {
  const { report } = stage;
  const env: Record<string, string> = { DATABASE_URL: proxy.url, SMTP_URL: smtp.url };
  if (queue === 'PostgreSQL') env.REDIS_URL = '';
  const api = stage.start('main', env);
  const url = await api.url();
  const worker = stage.start('worker', env);
  await worker.said(/Worker ready/);
  const headers = { authorization: await signIn(url, MEMBER) };

  const tallies = {
    reads: new Tally(),
    'signed-in reads': new Tally(),
    writes: new Tally(),
    signUps: new Tally(),
  };
  const asked: string[] = [];
  const underway = new Set<Promise<unknown>>();
  let silentAt = Infinity;
  let lastFailure = 0;
  let number = 0;
  const count = (tally: Tally, asking: Promise<Answered>, onSuccess?: () => void): void => {
    const begun = Date.now();
    const done = tally.count(asking).then(({ status }) => {
      if (status === 200) onSuccess?.();
      else if (begun > silentAt) lastFailure = Math.max(lastFailure, begun - silentAt);
      underway.delete(done);
    });
    underway.add(done);
  };
  const timer = setInterval(() => {
    const list = `${url}/api/chat?contentId=${CONTENT_ID}`;
    count(tallies.reads, ask(`${url}/api/collection/${MEMBER.platformId}`));
    count(tallies['signed-in reads'], ask(list, { headers }));
    const comment = { contentId: CONTENT_ID, message: `Number ${++number} of ${queue}.` };
    count(tallies.writes, postJson(`${url}/api/chat`, comment, headers));
    const email = `new${number}.${queue.toLowerCase()}@bench.example`;
    const signUp = { email, name: 'New', PlatformId: String(MEMBER.platformId) };
    count(tallies.signUps, postJson(`${url}/api/user/signup`, signUp), () => asked.push(email));
  }, EVERY_MS);
  await wait(2000);
  const silenced = proxy.connections;
  proxy.silenceOpen();
  silentAt = Date.now();
  await wait(BACK_WITHIN_MS + 5000);
  clearInterval(timer);
  await Promise.all(underway);

  report.line(`queue in ${queue}: connections silenced`, silenced);
  for (const [name, tally] of Object.entries(tallies)) {
    report.line(`queue in ${queue}: ${name}`, String(tally), 'only 200 and 503', tally.others(503) === 0);
  }
  const back = lastFailure <= BACK_WITHIN_MS;
  report.line(
    `queue in ${queue}: last request that failed began after`,
    `${lastFailure} ms`,
    '12 s or less',
    back,
  );
  const unmailed = (): number => {
    const mailed = new Set(smtp.mails.flatMap(({ envelope }) => envelope.to));
    return asked.filter((email) => !mailed.has(email)).length;
  };
  await eventually(() => unmailed() === 0, 120_000).catch(() => undefined);
  report.line(`queue in ${queue}: accepted sign-ups without their mail`, unmailed(), '0', unmailed() === 0);
  for (const [name, service] of Object.entries({ api, worker })) {
    const { code } = await service.end();
    report.line(`queue in ${queue}: ${name} ends with`, code ?? 'a signal', '0', code === 0);
  }
}
