import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { closedPort } from '../../test/support/service-process';
import { commentsSeed, MEMBER } from '../support/seed';
import { signIn } from '../support/session';
import type { Drill, Stage } from './support/stage';
import { type Answered, ask, keepDoing, Tally } from './support/tally';

const WRITES = Number(process.env.WRITES ?? 1000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const AT_ONCE = 32;
/** Between the first good answer to a write and the last time that it is sent again. */
const REPEATED_WITHIN_MS = 2000;

interface Write {
  method: 'POST' | 'DELETE';
  path: string;
  body?: object;
  key: string;
}

/** Writes are sent again and again with their key while API and database die and come back. */
export const drill: Drill = {
  title:
    'idempotency: writes repeated with their key while API processes and PostgreSQL are killed and restarted',

  async run(stage: Stage): Promise<void> {
    const database = await stage.database([
      ...commentsSeed(0),
      `update users set role = 'admin' where id = 1`,
    ]);
    const proxy = await stage.proxy(database);
    const ports = [String(await closedPort()), String(await closedPort())];
    const open = (index: number) =>
      stage.start('main', { DATABASE_URL: proxy.url, PORT: ports[index] ?? '' });
    const apis = [open(0), open(1)];
    const urls = await Promise.all(apis.map((api) => api.url()));
    const authorization = await signIn(urls[0] ?? '', MEMBER);

    const answers = new Tally();
    /** At either process, whichever comes. */
    const send = ({ method, path, body, key }: Write): Promise<Answered> =>
      answers.count(
        ask(`${urls[Math.random() < 0.5 ? 0 : 1]}${path}`, {
          method,
          headers: {
            authorization,
            'idempotency-key': key,
            ...(body && { 'content-type': 'application/json' }),
          },
          body: body && JSON.stringify(body),
        }),
      );
    let rescued = 0;
    const differing: string[] = [];
    /** Until it is answered, and then at random moments again, which must be answered alike. */
    const settle = async (write: Write): Promise<Answered> => {
      const answered = async (): Promise<[Answered, number]> => {
        for (let tries = 1; ; tries++) {
          const answer = await send(write);
          const { status } = answer;
          if (status !== 0 && status !== 503 && status !== 409) return [answer, tries];
          await wait(50 + Math.random() * 100);
        }
      };
      const [first, tries] = await answered();
      // It was stored by a request that was answered with a failure, or not at all.
      if (tries > 1 && first.headers.get('idempotency-replayed')) rescued++;
      for (let turn = 0; turn < 2; turn++) {
        await wait(Math.random() * REPEATED_WITHIN_MS * (turn === 0 ? 0.05 : 1));
        const [again] = await answered();
        const alike = again.status === first.status && again.body === first.body;
        if (!alike || again.headers.get('idempotency-replayed') !== 'true') {
          differing.push(`${write.method} ${first.status} ${first.body} / ${again.status} ${again.body}`);
        }
      }
      return first;
    };

    let posted = 0;
    let deleted = 0;
    const refused: string[] = [];
    const gone: number[] = [];
    const writing = keepDoing(AT_ONCE, async (n) => {
      const body = { title: `Written ${n}`, type: 'article', visibility: 'public' };
      const made = await settle({ method: 'POST', path: '/api/content', body, key: randomUUID() });
      posted = Math.max(posted, n + 1);
      if (made.status !== 200) {
        refused.push(`${made.status} ${made.body}`);
        return;
      }
      if (n % 4) return;
      const [{ id }] = JSON.parse(made.body) as [{ id: number }];
      const removed = await settle({ method: 'DELETE', path: `/api/content/${id}`, key: randomUUID() });
      deleted++;
      if (removed.status === 200) gone.push(id);
      else refused.push(`${removed.status} ${removed.body}`);
    });

    const again = async (index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
      await apis[index]?.end(signal);
      const api = open(index);
      apis[index] = api;
      await api.url();
    };
    const faults = {
      'kill -9 of an API': (round: number) => again(round % 2, 'SIGKILL'),
      'kill -9 of PostgreSQL': async () => {
        await stage.servers.postgres.kill();
        await stage.servers.postgres.start();
      },
      'restart of an API': (round: number) => again((round + 1) % 2, 'SIGTERM'),
      'connections that die after a commit, its answer lost': async () => proxy.cutAfter('commit\0'),
      'all connections reset': async () => proxy.cut(),
    };
    let round = 0;
    for (; round < ROUNDS || posted < WRITES; round++) {
      for (const fault of Object.values(faults)) {
        await wait(300 + Math.random() * 1500);
        await fault(round);
      }
    }
    await writing.stop();

    const { report } = stage;
    for (const name of Object.keys(faults)) report.line(name, `${round} ×`);
    report.line('writes', `${posted} × POST, ${deleted} × DELETE`, `${WRITES} or more`, posted >= WRITES);
    report.line('answers', String(answers));
    report.line(
      'stored, though the first request was answered with 503 or not at all',
      rescued,
      'some',
      rescued > 0,
    );
    report.line('writes that ended in a refusal', refused.length, '0', refused.length === 0);
    report.line('answers that differ from the first', differing.length, '0', differing.length === 0);
    const stored = await stage.rows<{ n: number; times: number; deleted: number }>(
      database,
      `select substr(title, 9)::int as n, count(*)::int as times, count("deletedAt")::int as deleted
         from contents where title like 'Written %' group by 1`,
    );
    const doubled = stored.filter(({ times }) => times > 1).length;
    report.line('stored more than once', doubled, '0', doubled === 0);
    const lost = posted - stored.length;
    report.line('answered and not stored', lost, '0', lost === 0);
    const undone = gone.length - stored.reduce((sum, row) => sum + row.deleted, 0);
    report.line('answered as deleted and still there', undone, '0', undone === 0);
    for (const one of [...differing, ...refused].slice(0, 5)) console.error(one);
  },
};
