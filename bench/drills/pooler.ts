import { eventually, SmtpServer } from '#libs/testing';
import { CONTENT_ID, commentsSeed, MEMBER } from '../support/seed';
import { signIn } from '../support/session';
import type { Drill, Stage } from './support/stage';
import { ask, postJson, Tally } from './support/tally';

const REQUESTS = Number(process.env.REQUESTS ?? 2000);
const AT_ONCE = 20;
const SIGN_UPS = 20;

/** Two API processes and a worker behind PgBouncer as it comes, in transaction mode; the queue is there as well. */
export const drill: Drill = {
  title: 'pooler: two processes and a worker behind PgBouncer in transaction mode',

  async run(stage: Stage): Promise<void> {
    const { report } = stage;
    const smtp = new SmtpServer();
    await smtp.start();
    stage.onEnd(() => smtp.stop());
    const direct = await stage.database(commentsSeed(500));
    if (!stage.servers.poolerUrl) throw new Error('There is no PgBouncer on this machine.');
    const behind = new URL(stage.servers.poolerUrl);
    behind.pathname = new URL(direct).pathname;
    const env = { DATABASE_URL: behind.href, SMTP_URL: smtp.url, REDIS_URL: '' };
    const first = stage.start('main', env);
    const urls = [await first.url()];
    const second = stage.start('main', env);
    urls.push(await second.url());
    const worker = stage.start('worker', env);
    await worker.said(/Worker ready/);
    const headers = { authorization: await signIn(urls[0] ?? '', MEMBER) };

    const reads = new Tally();
    const writes = new Tally();
    let next = 0;
    const asking = async (): Promise<void> => {
      while (next < REQUESTS) {
        const n = next++;
        const url = urls[n % 2];
        const list = `${url}/api/chat?contentId=${CONTENT_ID}&itemsPerPage=${1 + (n % 100)}`;
        const comment = { contentId: CONTENT_ID, message: `Number ${n}.` };
        await (n % 4 === 3
          ? writes.count(postJson(`${url}/api/chat`, comment, headers))
          : reads.count(ask(list, n % 4 === 1 ? { headers } : {})));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, asking));
    const emails = Array.from({ length: SIGN_UPS }, (_, n) => `new${n}@bench.example`);
    for (const [n, email] of emails.entries()) {
      const signUp = { email, name: 'New', PlatformId: String(MEMBER.platformId) };
      await writes.count(postJson(`${urls[n % 2]}/api/user/signup`, signUp));
    }
    const unmailed = (): number => {
      const mailed = new Set(smtp.mails.flatMap(({ envelope }) => envelope.to));
      return emails.filter((email) => !mailed.has(email)).length;
    };
    await eventually(() => unmailed() === 0, 60_000).catch(() => undefined);

    report.line('reads', String(reads), 'only 200', reads.others() === 0);
    report.line('writes', String(writes), 'only 200', writes.others() === 0);
    report.line('sign-ups without their mail', unmailed(), '0', unmailed() === 0);
    const [kept] = await stage.rows<{ count: number }>(
      behind.href,
      'select count(*)::int as count from pg_prepared_statements',
    );
    report.line('statements kept on one of the connections', kept?.count ?? 0);
    const warnings = worker.stdout.match(/The queue is away/g)?.length ?? 0;
    report.line('complaints of the worker about its queue', warnings, '0', warnings === 0);
    for (const [name, service] of Object.entries({ first, second, worker })) {
      const { code } = await service.end();
      report.line(`${name} ends with`, code ?? 'a signal', '0', code === 0);
    }
  },
};
