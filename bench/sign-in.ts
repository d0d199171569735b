/** Whether the time of an answer tells that an address is known, and what signing in costs everyone else. */
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { dropDatabase, filledDatabase } from './support/database';
import { median } from './support/load';
import { percentile } from './support/percentile';
import { post } from './support/post';
import { type Running, startServer } from './support/process';
import { commentsSeed, CONTENT_ID, MEMBER } from './support/seed';

const DATABASE = 'bench_sign_in';
const API = join(__dirname, '../src/main.js');
const SAMPLES = Number(process.env.SAMPLES ?? 200);
const SIGN_INS = 200;
// The service lets two hashes run and 32 wait: with more at once it would refuse some.
const AT_ONCE = 32;
const PASSWORD = 'correct horse battery';
const ARGON2 = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };
const READS = ['/health/live', `/api/chat?contentId=${CONTENT_ID}`];
/** Each known address is asked for once: a second code within a minute would cost less. */
const knownAddress = (n: number): string => `member${1 + (n % 500)}@bench.example`;
const unknownAddress = (n: number): string => `nobody${n}@bench.example`;

async function main(): Promise<void> {
  const passwordHash = await hash(PASSWORD, ARGON2);
  const seed = [...commentsSeed(200), `update users set "passwordHash" = '${passwordHash}'`];
  const DATABASE_URL = await filledDatabase(DATABASE, seed);
  let server: Running | undefined;
  try {
    // Jobs run elsewhere in production; here they would take time from the request after.
    server = await startServer([API], { RATE_LIMITS: 'off', WORKER: 'off', DATABASE_URL }, '/health/ready');
    for (const route of ['signin', 'signin-otp', 'forgot-password', 'signup', 'verify-otp'])
      await compare(server, route);
    await signInRate(server);
    await othersMeanwhile(server);
  } finally {
    await server?.stop();
    await dropDatabase(DATABASE);
  }
}

const ask = ({ url }: Running, route: string, body: object): Promise<number> =>
  post(`${url}/api/user/${route}`, { PlatformId: MEMBER.platformId, ...body });

/** Known and unknown in turns, first one and then the other, since machines drift. */
async function compare(server: Running, route: string): Promise<void> {
  const expected = route === 'signin' || route === 'verify-otp' ? 401 : 200;
  const timed = async (email: string): Promise<number> => {
    const begin = performance.now();
    const status = await ask(server, route, {
      email,
      password: 'wrong horse',
      otp: '000000',
      name: 'Newcomer',
    });
    if (status !== expected) throw new Error(`${route} answered ${status}`);
    return performance.now() - begin;
  };
  for (let n = 0; n < 10; n++) await timed(unknownAddress(-n));
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    const turns = [
      async () => known.push(await timed(knownAddress(n))),
      async () => unknown.push(await timed(unknownAddress(n))),
    ];
    for (const turn of n % 2 ? turns.toReversed() : turns) await turn();
  }
  const [one, other] = [median(known), median(unknown)];
  console.log(
    `${route.padEnd(16)} known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms, ratio ${(one / other).toFixed(3)}`,
  );
}

/** As many as keep two hashes running in the service, against two at a time of the hash alone. */
async function signInRate(server: Running): Promise<void> {
  const signIn = async (n: number): Promise<void> => {
    const status = await ask(server, 'signin', { email: knownAddress(n), password: PASSWORD });
    if (status !== 200) throw new Error(`signin answered ${status}`);
  };
  const bare: number[] = [];
  const service: number[] = [];
  for (let round = 0; round < 3; round++) {
    bare.push(await perSecond(() => hash(PASSWORD, ARGON2).then(() => undefined), 2));
    service.push(await perSecond(signIn, 8));
  }
  const [hashes, signIns] = [median(bare), median(service)];
  console.log(
    `sign-ins ${signIns.toFixed(1)}/s, bare hashes ${hashes.toFixed(1)}/s: ${Math.round((signIns / hashes) * 100)} %`,
  );
}

async function perSecond(work: (n: number) => Promise<void>, concurrency: number): Promise<number> {
  const begin = performance.now();
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < SIGN_INS) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, run));
  return SIGN_INS / ((performance.now() - begin) / 1000);
}

/** What other routes take while 200 people sign in at once, and go on signing in, against an idle service. */
async function othersMeanwhile(server: Running): Promise<void> {
  const idle = await p99s(server);
  let shed = 0;
  const signIn = async (n: number): Promise<void> => {
    if ((await ask(server, 'signin', { email: knownAddress(n), password: PASSWORD })) === 503) shed++;
  };
  const flood = perSecond(signIn, SIGN_INS).then(() => perSecond(signIn, AT_ONCE));
  const meanwhile = await p99s(server, flood);
  console.log(`of ${SIGN_INS} sign-ins at once, then ${AT_ONCE} at a time, ${shed} were shed`);
  for (const [path, ms] of meanwhile) {
    console.log(`p99 of ${path}: idle ${idle.get(path)?.toFixed(1)} ms, meanwhile ${ms.toFixed(1)} ms`);
  }
}

/** The 99th percentile of each read, taken in turns at least 300 times and until `work` is done. */
async function p99s(
  { url }: Running,
  work: Promise<unknown> = Promise.resolve(),
): Promise<Map<string, number>> {
  const times = new Map(READS.map((path) => [path, [] as number[]]));
  let done = false;
  void work.finally(() => (done = true));
  for (let count = 0; count < 300 || !done; count++) {
    for (const [path, measured] of times) {
      const begin = performance.now();
      await (await fetch(url + path)).arrayBuffer();
      measured.push(performance.now() - begin);
    }
  }
  await work;
  return new Map([...times].map(([path, measured]) => [path, percentile(measured, 0.99)]));
}

void main();
