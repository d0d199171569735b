import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { CALLERS, type CallerName, FuzzWorld } from '../factories/fuzz-world';
import { type Draft, drafts, operationsOf, type Request, requestOf } from '../factories/fuzz-requests';
import type { Api, Operation } from '../factories/fuzz-values';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

/*
 * Anything sent by anybody to every operation. The same seed sends the same requests; another one, or more of them:
 * FUZZ_SEED=7 FUZZ_REQUESTS=20000.
 */

const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
const requests = Number(process.env.FUZZ_REQUESTS ?? 2000);
const MENDED_EVERY = 100;
const FINGERPRINTED_EVERY = 6;
/** Of this process for one request, the check of its answer included. */
const MOST_CPU_MS = 250;

/** What ends sessions, takes rights away or gives them. */
const WEARS = /^(sessions_end|auth_signOut|account_changePassword|users_|standing_(ban|redeem))/;
/** No answer shows how the service is made, or the hash of a password. */
const INSIDES =
  /\$argon2|passwordHash|node_modules|\n\s+at .+:\d+|\bat \S+ \(|\.[jt]s:\d+|QueryFailed|violates \w+|syntax error at/;

const api = JSON.parse(readFileSync('openapi.json', 'utf8')) as Api;
const operations = operationsOf(api);

let test: TestApp;
let world: FuzzWorld;
let sent = 0;
const outcomes: Record<string, { sent: number; done: number }> = Object.fromEntries(
  operations.map(({ id }) => [id, { sent: 0, done: 0 }]),
);

beforeAll(async () => {
  test = await TestApp.start();
  world = await FuzzWorld.create(test);
});
afterAll(() => test.stop());

it(
  `answers ${requests} requests as documented (seed ${seed})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(...operations.map((operation) => drafts(api, operation))), (draft) =>
        send(draft),
      ),
      { seed, numRuns: requests, includeErrorInReport: true },
    );
    expect(world.seen).toBeGreaterThan(0);
  },
  60_000 + requests * 50,
);

it('gets through to every operation', async () => {
  for (const operation of operations) {
    if (outcomes[operation.id]?.done) continue;
    await world.mend();
    const plain = fc.sample(drafts(api, operation, false), { seed, numRuns: 40 });
    for (const draft of plain) {
      if (outcomes[operation.id]?.done) break;
      await send(draft);
    }
  }
  const share = ({ id }: Operation): string => `${id} ${outcomes[id]?.done}/${outcomes[id]?.sent}`;
  process.stdout.write(`Done of those sent (seed ${seed}): ${operations.map(share).join(', ')}\n`);
  expect(operations.map(({ id }) => id).filter((id) => !outcomes[id]?.done)).toEqual([]);
}, 60_000);

/** Sends it as it is now, and throws with all that is needed to send it by hand. */
async function send(draft: Draft): Promise<void> {
  if (sent++ % MENDED_EVERY === 0) await world.mend();
  const { operation, caller } = draft;
  const request = requestOf(draft, world);
  const before =
    operation.method !== 'GET' && sent % FINGERPRINTED_EVERY === 0 ? await world.fingerprint() : undefined;
  try {
    const answer = await atOrdinaryCost(() =>
      world.as(caller).request(request.method, request.url, request.body, request.headers),
    );
    judge(operation, caller, request, answer);
    const mustHaveChangedNothing = before !== undefined && answer.status >= 400;
    expect(mustHaveChangedNothing ? await world.fingerprint() : before).toBe(before);
    if (answer.status < 400 && WEARS.test(operation.id)) await world.mendPeople();
  } catch (error) {
    throw new Error(`${shown(caller, request)}\n${String(error)}`, { cause: error });
  }
}

/** The last of at most three tries: a pause of the process itself does not come back each time. */
async function atOrdinaryCost(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const before = process.threadCpuUsage();
    const answer = await ask();
    const { user, system } = process.threadCpuUsage(before);
    const cpuMs = (user + system) / 1000;
    if (cpuMs <= MOST_CPU_MS) return answer;
    if (tries === 3) throw new Error(`It took ${Math.round(cpuMs)} ms of CPU.`);
  }
}

function judge({ id, method }: Operation, caller: CallerName, request: Request, answer: Answer): void {
  const outcome = outcomes[id];
  if (outcome && request.method === method) {
    outcome.sent++;
    if (answer.status < 300) outcome.done++;
  }
  if (answer.status >= 500) {
    expect([answer.status, answer.headers]).toEqual([
      503,
      expect.objectContaining({ 'retry-after': expect.anything() }),
    ]);
  }
  const all = `${JSON.stringify(answer.headers)}\n${answer.text}`;
  expect(INSIDES.exec(all)).toBeNull();
  // What one says oneself, one may hear again.
  const known = decoded(request.url) + String(request.body);
  expect(world.leaks(caller, id, all).filter((mark) => !known.includes(mark))).toEqual([]);
  world.learn(caller, answer.body);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const shown = (caller: CallerName, { method, url, headers, body }: Request): string =>
  `${caller}${CALLERS[caller] ? '' : ' (nobody)'}: ${method} ${url.slice(0, 2000)} ${JSON.stringify(headers)} ${String(body).slice(0, 2000)}`;
