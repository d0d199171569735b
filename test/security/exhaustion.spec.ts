import { existsSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '#libs/testing';
import { World } from '../factories/world';
import { Attacker, wireRequest } from '../support/attacker';
import { ServiceProcess } from '../support/service-process';
import { TestApp } from '../support/test-app';

/*
 * Under each attack from one address, with ordinary rates on: the service says that it lives, reads of others are
 * answered or told when to come again, memory stays bounded, and soon afterwards all is as before. What was seen is
 * printed. ATTACK_SECONDS=60 attacks for longer.
 */

const ATTACK_MS = 1000 * Number(process.env.ATTACK_SECONDS ?? 20);
const MOST = { liveMs: 500, readMs: 1000, rssMiB: 700, recoveryMs: 5000 };
const EVERY_MS = 200;
const KIB = 1024;

interface Seen {
  liveMs: number;
  readMs: number;
  refused: number;
  rssMiB: number;
}

let test: TestApp;
let service: ServiceProcess;
let url: URL;
let ordinary: string;
let attacks = 0;

beforeAll(async () => {
  test = await TestApp.start();
  const world = await World.create(test);
  const item = await world.content({ title: 'Ordinary' });
  for (let n = 0; n < 25; n++) await world.comment(item.id);
  ordinary = `/api/chat?contentId=${item.id}`;
}, 180_000);

afterAll(() => test.stop());

// One for each attack, so that none is judged by what another left behind.
beforeEach(async () => {
  const { JWT_SECRET, COOKIE_SECRET, ENCRYPTION_KEY } = test.settings;
  service = new ServiceProcess(
    'main',
    {
      DATABASE_URL: test.database.url,
      ...(process.env.REDIS_URL && { REDIS_URL: process.env.REDIS_URL }),
      RATE_LIMITS: 'on',
      WORKER: 'inline',
      JWT_SECRET: JWT_SECRET.join(),
      COOKIE_SECRET: COOKIE_SECRET.join(),
      ENCRYPTION_KEY: ENCRYPTION_KEY.join(),
    },
    undefined,
    startFlags(),
  );
  url = new URL(await service.url());
});
afterEach(() => service.end('SIGKILL'));

const json = (body: unknown): Buffer => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
const manyKeys = json(`{${Array.from({ length: 105_000 }, (_, n) => `"${n.toString(36)}":1`).join()}}`);

it.each<[string, (attacker: Attacker) => Promise<void>]>([
  [
    'bodies of 105,000 keys',
    (attacker) => attacker.flood(4, () => wireRequest('POST', '/api/user/signin', {}, manyKeys)),
  ],
  [
    'bodies of 200,000 nodes',
    (attacker) => {
      const nodes = json(`{"email":[${'[],'.repeat(200_000)}1]}`);
      return attacker.flood(4, () => wireRequest('POST', '/api/user/signup', {}, nodes));
    },
  ],
  [
    'one parameter repeated 8,000 times',
    (attacker) => {
      const path = `/health/live?${'a&'.repeat(7_900)}a`;
      return attacker.flood(8, () => wireRequest('GET', path));
    },
  ],
  [
    'a homepage of 16,000 slashes',
    (attacker) =>
      attacker.flood(8, () => wireRequest('GET', `/api/platform/homepage/a${'/'.repeat(15_900)}a`)),
  ],
])(
  'under %s others are served',
  async (name, attack) => {
    attacks++;
    const attacker = new Attacker(url, `127.0.1.${attacks}`);
    const seen: Seen = { liveMs: 0, readMs: 0, refused: 0, rssMiB: 0 };
    const under = attack(attacker);
    const until = Date.now() + ATTACK_MS;
    const failures: string[] = [];
    while (Date.now() < until) {
      failures.push(...(await look(seen)));
      await wait(EVERY_MS);
    }
    attacker.stop();
    await under;
    const ended = Date.now();
    await eventually(async () => (await get(ordinary)).status === 200, 30_000);
    const recoveryMs = Date.now() - ended;
    process.stdout.write(
      `${name}: live ${seen.liveMs} ms, read ${seen.readMs} ms, refused ${seen.refused}, ` +
        `memory ${seen.rssMiB} MiB, as before after ${recoveryMs} ms\n`,
    );
    expect(failures).toEqual([]);
    expect(seen.liveMs).toBeLessThanOrEqual(MOST.liveMs);
    expect(seen.readMs).toBeLessThanOrEqual(MOST.readMs);
    expect(seen.rssMiB).toBeLessThanOrEqual(MOST.rssMiB);
    expect(recoveryMs).toBeLessThanOrEqual(MOST.recoveryMs);
  },
  ATTACK_MS + 60_000,
);

/** One look at the service as another client has it. */
async function look(seen: Seen): Promise<string[]> {
  const [live, read] = await Promise.all([get('/health/live'), get(ordinary)]);
  seen.liveMs = Math.max(seen.liveMs, live.ms);
  seen.readMs = Math.max(seen.readMs, read.ms);
  seen.rssMiB = Math.max(seen.rssMiB, residentMiB());
  if (read.status === 503 && read.retryAfter) seen.refused++;
  else if (read.status !== 200) return [`${ordinary}: ${read.status} ${read.fault}`];
  return live.status === 200 ? [] : [`/health/live: ${live.status} ${live.fault}`];
}

interface Looked {
  status: number;
  ms: number;
  retryAfter?: string;
  fault?: string;
}

/** From an address of this attack's own, so that no rate of one is used up by all. */
function get(path: string): Promise<Looked> {
  const started = performance.now();
  const ms = (): number => Math.round(performance.now() - started);
  return new Promise((resolve) => {
    const request = httpRequest(
      new URL(path, url),
      { localAddress: `127.0.2.${attacks}`, agent: false, timeout: 10_000 },
      (response) => {
        response.resume();
        response.on('error', (error) => resolve({ status: 0, ms: ms(), fault: error.message }));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            ms: ms(),
            retryAfter: response.headers['retry-after'],
          }),
        );
      },
    );
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.on('error', (error) => resolve({ status: 0, ms: ms(), fault: error.message }));
    request.end();
  });
}

function residentMiB(): number {
  const file = `/proc/${service.pid}/status`;
  if (!existsSync(file)) throw new Error(`The service ended: ${service.stderr.slice(0, 2000)}`);
  const status = readFileSync(file, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / KIB);
}

/** With the bounds of memory that `npm start` gives the process. */
function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}
