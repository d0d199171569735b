import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { eventually } from '#libs/testing';
import { CONTENT_ID, commentsSeed, MEMBER } from '../support/seed';
import { signIn } from '../support/session';
import type { Drill, Stage } from './support/stage';
import { ask, postJson, Tally } from './support/tally';

const DEADLINE_MS = 1000;
/** What a busy machine may add to it. */
const LATE_MS = 500;
const WRITES = 50;
/** Of the database's own limits the shortest is two seconds; silence is noticed after eight. */
const GIVEN_UP_MS = 12_000;

/** Requests with a body whose work hangs: they are answered in time, and what they began is given up. */
export const drill: Drill = {
  title: 'deadline: requests with a body whose work hangs',

  async run(stage: Stage): Promise<void> {
    const DATABASE_URL = await stage.database(commentsSeed(100));
    const proxy = await stage.proxy(DATABASE_URL);
    await locked(stage, DATABASE_URL);
    const api = stage.start('main', { DATABASE_URL: proxy.url });
    const url = await api.url();
    const headers = { authorization: await signIn(url, MEMBER) };
    const silent = new Tally();
    const writing = Array.from({ length: WRITES }, (_, n) =>
      silent.count(comment(url, `Silent ${n}`, headers)),
    );
    proxy.silence();
    const answers = await Promise.all(writing);
    report(stage, 'the database silent', silent, answers, GIVEN_UP_MS);
    proxy.restore();
    const begin = performance.now();
    await eventually(async () => (await comment(url, 'Back', headers)).status === 200, 30_000);
    stage.report.line('the database silent: first write afterwards', `${since(begin)} ms later`);
  },
};

/** A table that somebody else has locked. */
async function locked(stage: Stage, DATABASE_URL: string): Promise<void> {
  const api = stage.start('main', { DATABASE_URL, REQUEST_DEADLINE_MS: String(DEADLINE_MS) });
  const url = await api.url();
  const headers = { authorization: await signIn(url, MEMBER) };
  const other = new Client({ connectionString: DATABASE_URL });
  await other.connect();
  await other.query('begin; lock table comments in access exclusive mode');
  const tally = new Tally();
  const answers = await Promise.all(
    Array.from({ length: WRITES }, (_, n) => tally.count(comment(url, `Locked ${n}`, headers))),
  );
  await other.query('commit');
  await other.end();
  report(stage, 'a table locked', tally, answers, DEADLINE_MS + LATE_MS);
  // Time for what was not given up to be done after all.
  await wait(3000);
  const stored = await stage.rows(DATABASE_URL, `select 1 from comments where message like '%Locked%'`);
  stage.report.line('a table locked: stored afterwards', stored.length, '0', stored.length === 0);
  const reads = new Tally();
  await Promise.all(
    Array.from({ length: 20 }, () => reads.count(ask(`${url}/api/chat?contentId=${CONTENT_ID}`))),
  );
  stage.report.line(
    'a table locked: 20 reads at once, afterwards',
    String(reads),
    'all 200',
    reads.of(200) === 20,
  );
  await api.end();
}

const comment = (url: string, message: string, headers: Record<string, string>) =>
  postJson(`${url}/api/chat`, { contentId: CONTENT_ID, message }, headers);

const since = (begin: number): number => Math.round(performance.now() - begin);

function report(
  stage: Stage,
  what: string,
  tally: Tally,
  answers: Awaited<ReturnType<typeof ask>>[],
  mostMs: number,
): void {
  const told = answers.filter(({ status, headers }) => status === 503 && headers.get('retry-after')).length;
  const good = told + tally.of(200);
  stage.report.line(
    `${what}: ${WRITES} comments at once`,
    String(tally),
    `200 or 503 with Retry-After, ${mostMs} ms at most`,
    good === WRITES && tally.time(1) <= mostMs,
  );
}
