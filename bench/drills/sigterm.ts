import { eventually } from '#libs/testing';
import { Senders } from '../../test/support/senders';
import { commentsSeed, CONTENT_ID, MEMBER } from '../support/seed';
import { SERVICE_SECRET } from '../support/session';
import type { Drill, Stage } from './support/stage';

const ROUNDS = Number(process.env.ROUNDS ?? 20);
const DELAYS_MS = [0, 300, 2000];
const ENDS_WITHIN_MS = 10_000;
/** Each of them has one request underway at a time. */
const SENDERS = { keptReads: 4, keptWrites: 2, newReads: 2, newWrites: 2 };

/** An API is told to end while requests come without a pause, on connections that are kept and on new ones. */
export const drill: Drill = {
  title: 'sigterm: an API is told to end while requests are sent',

  async run(stage: Stage): Promise<void> {
    const DATABASE_URL = await stage.database(commentsSeed(100));
    const minted = async (): Promise<number> => {
      const rows = await stage.rows<{ n: number }>(DATABASE_URL, 'select count(*)::int as n from sessions');
      return rows[0]?.n ?? 0;
    };
    const read = { method: 'GET', path: `/api/chat?contentId=${CONTENT_ID}` } as const;
    const write = {
      method: 'POST',
      path: '/api/auth/token-for-email',
      headers: { 'x-service-secret': SERVICE_SECRET },
      body: { email: MEMBER.email, platformId: MEMBER.platformId },
    } as const;
    const lost: string[] = [];
    const codes = new Map<string, number>();
    let [answered, refused, written, slowest] = [0, 0, 0, 0];
    const before = await minted();
    for (let round = 0; round < ROUNDS; round++) {
      const SHUTDOWN_DELAY_MS = String(DELAYS_MS[round % DELAYS_MS.length]);
      const api = stage.start('main', { DATABASE_URL, SHUTDOWN_DELAY_MS });
      const senders = new Senders(await api.url());
      senders.start(SENDERS.keptReads, true, () => read);
      senders.start(SENDERS.keptWrites, true, () => write);
      senders.start(SENDERS.newReads, false, () => read);
      senders.start(SENDERS.newWrites, false, () => write);
      await eventually(() => senders.outcomes.answered > 100);
      const exit = await api.end('SIGTERM');
      const outcomes = await senders.done();
      answered += outcomes.answered;
      refused += outcomes.refused;
      written += outcomes.written;
      lost.push(...outcomes.lost);
      slowest = Math.max(slowest, exit.ms);
      const ending = exit.signal ?? String(exit.code);
      codes.set(ending, (codes.get(ending) ?? 0) + 1);
    }

    const { report } = stage;
    report.line('SIGTERM', `${ROUNDS} ×, serving on for ${DELAYS_MS.join(', ')} ms in turns`);
    report.line('requests', `${answered} answered, ${refused} × 503 with Retry-After`);
    report.line('sent and not answered by us', lost.length, '0', lost.length === 0);
    const stored = (await minted()) - before;
    report.line('writes answered with success', written);
    report.line('writes stored', stored, `${written} or more`, stored >= written);
    const ended = [...codes].map(([code, times]) => `${times} × ${code}`).join(', ');
    report.line('exit codes', ended, `${ROUNDS} × 0`, codes.get('0') === ROUNDS);
    report.line('slowest end', `${slowest} ms`, `${ENDS_WITHIN_MS} ms at most`, slowest <= ENDS_WITHIN_MS);
    for (const one of lost.slice(0, 5)) console.error(one);
  },
};
