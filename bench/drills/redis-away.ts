import { hash } from '@node-rs/argon2';
import type { FaultProxy } from '#libs/testing';
import type { ServiceProcess } from '../../test/support/service-process';
import { commentsSeed, CONTENT_ID, MEMBER } from '../support/seed';
import { signIn } from '../support/session';
import { everyRoute, type RouteRequest } from './support/routes';
import type { Drill, Stage } from './support/stage';
import { ask, type Answered, postJson, Tally } from './support/tally';

const SIGN_INS = 300;
/** Fewer at once than the fewest places at work, so that none is refused unless places are taken for nothing. */
const READS = 15;
const READ_ROUNDS = 4;
/** How much longer than usual an answer may take. */
const LATE_MS = 1000;
const PASSWORD = 'correct horse battery';
const ARGON2 = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };
const ADMINS = 50;

/** A new client's address each time: the rates are on, and this is no test of them. */
let clients = 0;
const newcomer = (): Record<string, string> => {
  clients++;
  return { 'x-forwarded-for': `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}` };
};

/** The API while Redis is killed, stopped or silent: whoever asks is answered as if nothing were. */
export const drill: Drill = {
  title: 'redis-away: Redis is killed, stopped (SIGSTOP), silent (its bytes vanish)',

  async run(stage: Stage): Promise<void> {
    const passwordHash = await hash(PASSWORD, ARGON2);
    const databaseUrl = await stage.database([
      ...commentsSeed(200),
      `update users set "passwordHash" = '${passwordHash}', role = case when id <= ${ADMINS} then 'admin' else role end`,
    ]);
    const { redis } = stage.servers;
    const proxy = await stage.proxy(stage.servers.redisUrl);
    await during(
      stage,
      databaseUrl,
      'killed',
      () => redis.kill(),
      () => redis.start(),
    );
    await during(
      stage,
      databaseUrl,
      'stopped',
      () => redis.stop(),
      () => redis.resume(),
    );
    await during(
      stage,
      databaseUrl,
      'silent',
      () => proxy.silence(),
      () => proxy.restore(),
      proxy,
    );
    await during(
      stage,
      databaseUrl,
      'half-open',
      () => proxy.silenceOpen(),
      () => undefined,
      proxy,
    );
  },
};

/** One fault, against a process of its own. */
async function during(
  stage: Stage,
  databaseUrl: string,
  name: string,
  begin: () => Promise<void> | void,
  end: () => Promise<void> | void,
  proxy?: FaultProxy,
): Promise<void> {
  const { report, servers } = stage;
  const api = stage.start('main', {
    DATABASE_URL: databaseUrl,
    REDIS_URL: proxy?.url ?? servers.redisUrl,
    RATE_LIMITS: 'on',
    TRUST_PROXY: '127.0.0.1',
  });
  const caller = await Caller.of(api);
  const [usualSignIns, usualMeanwhile] = await Promise.all([caller.signIns(PASSWORD), caller.everyRoute()]);
  const usual = await caller.everyRoute();
  await begin();
  const kept = (signIns: Tally): boolean =>
    signIns.others(401, 503) === 0 && signIns.time(1) <= usualSignIns.time(1) + LATE_MS;
  const [right, meanwhile] = await Promise.all([caller.signIns(PASSWORD), caller.everyRoute()]);
  const wrong = await caller.signIns('wrong horse');
  const afterwards = await caller.everyRoute();
  const promise = `each answered, ${usualSignIns.time(1) + LATE_MS} ms at most`;
  report.line(`${name}: ${SIGN_INS} right sign-ins at once`, String(right), promise, kept(right));
  report.line(`${name}: ${SIGN_INS} wrong sign-ins at once`, String(wrong), promise, kept(wrong));
  // Some routes wait for a hash, as sign-ins do: which of them have to is a matter of luck.
  const usualSlowest = Math.max(slowest(usualMeanwhile), usualSignIns.time(1));
  report.line(
    `${name}: slowest of all ${meanwhile.size} routes meanwhile`,
    `${slowest(meanwhile)} ms`,
    `${usualSlowest + LATE_MS} ms at most`,
    slowest(meanwhile) <= usualSlowest + LATE_MS,
  );
  const worst = latest(usual, afterwards);
  report.line(
    `${name}: each of all ${afterwards.size} routes afterwards`,
    `latest: ${worst.name}, ${worst.ms} ms later than usual`,
    `${LATE_MS} ms later at most`,
    worst.ms <= LATE_MS,
  );
  const refusing = [...afterwards]
    .filter(([route, { status }]) => (status === 0 || status >= 500) && status !== usual.get(route)?.status)
    .map(([route]) => route);
  report.line(
    `${name}: routes that refuse`,
    refusing.length > 5 ? `${refusing.length} of ${afterwards.size}` : refusing.join(', ') || 'none',
    'none but readiness',
    refusing.every((route) => route === 'GET /health/ready'),
  );
  const reads = await caller.reads();
  report.line(
    `${name}: reads, ${READS} at once, Redis still away`,
    String(reads),
    'all 200: places at work are free',
    reads.of(200) === READS * READ_ROUNDS,
  );
  await end();
  const back = await caller.countedInRedis(stage);
  report.line(`${name}: rates in Redis again`, `${back} ms after its return`, '5 s or less', back <= 5000);
  const { code, ms } = await api.end();
  report.line(
    `${name}: exit on SIGTERM`,
    `${code} after ${ms} ms`,
    '0 within 10 s',
    code === 0 && ms <= 10_000,
  );
}

function latest(usual: Map<string, Answered>, seen: Map<string, Answered>): { name: string; ms: number } {
  const late = [...seen].map(([name, { ms }]) => ({ name, ms: Math.round(ms - (usual.get(name)?.ms ?? 0)) }));
  return late.toSorted((one, other) => other.ms - one.ms)[0] ?? { name: 'none', ms: 0 };
}

const slowest = (seen: Map<string, Answered>): number =>
  Math.round(Math.max(...[...seen.values()].map(({ ms }) => ms)));

class Caller {
  private constructor(
    private readonly url: string,
    private readonly admins: string[],
  ) {}

  static async of(api: ServiceProcess): Promise<Caller> {
    const url = await api.url();
    const admins: string[] = [];
    for (let n = 1; n <= ADMINS; n++)
      admins.push(await signIn(url, { ...MEMBER, email: `member${n}@bench.example` }));
    return new Caller(url, admins);
  }

  async signIns(password: string): Promise<Tally> {
    const tally = new Tally();
    const signIn = (n: number): Promise<Answered> =>
      this.post('signin', { email: `member${ADMINS + 1 + (n % 400)}@bench.example`, password });
    await Promise.all(Array.from({ length: SIGN_INS }, (_, n) => tally.count(signIn(n))));
    return tally;
  }

  async reads(): Promise<Tally> {
    const tally = new Tally();
    const read = (): Promise<Answered> =>
      ask(`${this.url}/api/chat?contentId=${CONTENT_ID}`, { headers: newcomer() });
    for (let round = 0; round < READ_ROUNDS; round++)
      await Promise.all(Array.from({ length: READS }, () => tally.count(read())));
    return tally;
  }

  /** Each route once, one after the other. */
  async everyRoute(): Promise<Map<string, Answered>> {
    const answers = new Map<string, Answered>();
    let turn = 0;
    for (const route of everyRoute()) {
      const authorization = route.name.includes('/signout')
        ? await signIn(this.url, { ...MEMBER, email: 'member500@bench.example' })
        : (this.admins[turn++ % this.admins.length] ?? '');
      answers.set(route.name, await this.send(own(route), authorization));
    }
    return answers;
  }

  /** Milliseconds until a wrong password is counted where all processes see it. */
  async countedInRedis(stage: Stage): Promise<number> {
    const begin = performance.now();
    await stage.servers.flush();
    while (performance.now() - begin < 30_000) {
      await this.post('signin', { email: 'nobody@bench.example', password: 'wrong horse' });
      if (await stage.servers.has('*signIn*')) break;
    }
    return Math.round(performance.now() - begin);
  }

  private post(route: string, body: object): Promise<Answered> {
    return postJson(
      `${this.url}/api/user/${route}`,
      { PlatformId: String(MEMBER.platformId), ...body },
      newcomer(),
    );
  }

  private send({ method, path, body }: RouteRequest, authorization: string): Promise<Answered> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return ask(`${this.url}${path}`, {
      method,
      headers: { ...newcomer(), ...type, authorization },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }
}

let addresses = 0;
/** What touches rates and the queue needs more than the document's examples to get that far. */
function own(route: RouteRequest): RouteRequest {
  const PlatformId = String(MEMBER.platformId);
  const email = `newcomer${++addresses}@bench.example`;
  const known = `member${ADMINS + 1 + (addresses % 400)}@bench.example`;
  const bodies: Record<string, object> = {
    'POST /api/user/signin': { PlatformId, email: known, password: PASSWORD },
    'POST /api/user/signin-otp': { PlatformId, email: known },
    'POST /api/user/verify-otp': { PlatformId, email: known, otp: '000000' },
    'POST /api/user/forgot-password': { PlatformId, email: known },
    'POST /api/user/signup': { PlatformId, email, name: 'Newcomer' },
    'POST /api/user/change-email': { email, currentPassword: PASSWORD },
    'POST /api/chat': { contentId: CONTENT_ID, message: `Number ${addresses}` },
  };
  return { ...route, body: bodies[route.name] ?? route.body };
}
