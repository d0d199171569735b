import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { loadWith } from '../support/load';
import { commentsSeed, CONTENT_ID } from '../support/seed';
import type { Drill, Stage } from './support/stage';
import { ask } from './support/tally';

const SECONDS = Number(process.env.ROUND_SECONDS ?? 10);
const HOGS = Number(process.env.HOGS ?? availableParallelism());
const TIMES = 3;
/** Enough that the answers' delay does not slow the asking down. */
const CONNECTIONS = { few: 20, many: 500 };
const ADMITTED_MS = 1000;

/** Three times as many requests as can be answered, on a machine that others keep busy as well. */
export const drill: Drill = {
  title: 'overload: three times what can be answered, on a machine kept busy',

  async run(stage: Stage): Promise<void> {
    const DATABASE_URL = await stage.database(commentsSeed(8000));
    const api = stage.start('main', { DATABASE_URL });
    const url = `${await api.url()}/api/chat?contentId=${CONTENT_ID}`;
    const hogs = Array.from({ length: HOGS }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    );
    stage.onEnd(() => hogs.forEach((hog) => hog.kill('SIGKILL')));

    const usual = { url, connections: CONNECTIONS.few, duration: SECONDS };
    await loadWith(usual);
    const capacity = (await loadWith(usual)).requests.average;
    const overallRate = Math.round(TIMES * capacity);
    const loading = loadWith({ url, connections: CONNECTIONS.many, overallRate, duration: 2 * SECONDS });
    const hint = await refusal(url);
    const { requests, refused, errors, p99 } = await loading;
    const after = (await loadWith({ ...usual, duration: 2 })).requests.average;

    const { report } = stage;
    report.line('processes that keep the machine busy', hogs.length);
    report.line(`asked with ${CONNECTIONS.few} connections`, `${Math.round(capacity)} answers a second`);
    report.line(
      `asked for ${overallRate} a second over ${CONNECTIONS.many} connections`,
      `${Math.round(requests.average)} answers a second, refusals included`,
    );
    const statuses = Object.entries(refused).map(([status, count]) => `${count} × ${status}`);
    const only503 = Object.keys(refused).every((status) => status === '503');
    report.line(
      'refused',
      `${statuses.join(', ') || 'none'}; Retry-After: ${hint ?? 'none seen'}`,
      '503 with Retry-After',
      only503 && hint !== null,
    );
    report.line('without an answer', errors, '0', errors === 0);
    report.line(
      '99th percentile of those admitted',
      `${Math.round(p99)} ms`,
      `${ADMITTED_MS} ms at most`,
      p99 <= ADMITTED_MS,
    );
    report.line('in the two seconds afterwards', `${Math.round(after)} answers a second`);
  },
};

/** What the first refusal says of when to come again, or null when none came. */
async function refusal(url: string): Promise<string | null> {
  const end = Date.now() + 2 * SECONDS * 1000;
  while (Date.now() < end) {
    const { status, headers } = await ask(url);
    if (status === 503) return headers.get('retry-after');
  }
  return null;
}
