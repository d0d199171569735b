import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { UnavailableError } from '#libs/errors';
import { KeptAnswersRepository } from '../../src/kernel/idempotency/kept-answers.repository';
import { drafts, operationsOf, requestOf } from '../factories/fuzz-requests';
import { FuzzWorld } from '../factories/fuzz-world';
import type { Api, Operation } from '../factories/fuzz-values';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

const SEED = 20_260_101;
const MOST_TRIES = 40;
/** After these the caller is signed out, and is told so before anything else. */
const ENDS_THE_SESSION = ['auth_signOut', 'sessions_end', 'sessions_endAll', 'users_remove'];

const api = JSON.parse(readFileSync('openapi.json', 'utf8')) as Api;
const operations = operationsOf(api).filter(({ documented: { parameters = [] } }) =>
  parameters.some(({ name }) => name === 'Idempotency-Key'),
);

describe('every write of a signed-in caller', () => {
  let test: TestApp;
  let world: FuzzWorld;

  beforeAll(async () => {
    test = await TestApp.start();
    world = await FuzzWorld.create(test);
  });
  afterAll(() => test.stop());
  afterEach(() => jest.restoreAllMocks());

  it('is looked at here', () => {
    expect(operations.length).toBeGreaterThan(40);
  });

  it.each(operations.map((operation): [string, Operation] => [operation.id, operation]))(
    '%s is done with its answer or not at all, and once',
    async (_, operation) => {
      const answers = test.get(KeptAnswersRepository);
      for (const draft of fc.sample(drafts(api, operation, false), { seed: SEED, numRuns: MOST_TRIES })) {
        await world.mend();
        const { method, url, body, headers } = requestOf(draft, world);
        const caller = world.as(draft.caller).with({ ...headers, 'idempotency-key': randomUUID() });
        const before = await world.fingerprint();

        const keeping = jest.spyOn(answers, 'keep').mockRejectedValueOnce(new UnavailableError());
        const failed = await caller.request(method, url, body);
        const reached = keeping.mock.calls.length > 0;
        keeping.mockRestore();
        // Whoever may not call the route, or has no key to keep, is refused before.
        if (!reached) continue;
        expect([failed.status, await world.fingerprint()]).toEqual([503, before]);

        const first = await caller.request(method, url, body);
        const after = await world.fingerprint();
        const repeats = !ENDS_THE_SESSION.includes(operation.id);
        const second = repeats ? await caller.request(method, url, body) : first;
        expect(second.headers['idempotency-replayed']).toBe(repeats ? 'true' : undefined);
        expect([second.status, second.text]).toEqual([first.status, first.text]);
        expect(await world.fingerprint()).toBe(after);
        if (first.status < 300) return;
      }
      throw new Error('Nothing got through.');
    },
    60_000,
  );
});

describe('two processes on one database', () => {
  let test: TestApp;
  let second: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await TestApp.start();
    world = await World.create(test);
    second = await test.another();
  });
  afterAll(async () => {
    await second.stop();
    await test.stop();
  });

  const clientOf = async (app: TestApp, key: string) =>
    app.client({ authorization: `Bearer ${await world.newToken('creator')}`, 'idempotency-key': key });
  const titled = async (title: string): Promise<number> =>
    (await test.db.dataSource.query(`select 1 from contents where title = $1`, [title])).length;

  it('answer alike what one of them did', async () => {
    const key = randomUUID();
    const body = { title: 'Here and there', type: 'article' };
    const here = await (await clientOf(test, key)).post('/api/content', body);
    const there = await (await clientOf(second, key)).post('/api/content', body);
    expect(there.headers['idempotency-replayed']).toBe('true');
    expect([there.status, there.text]).toEqual([here.status, here.text]);
    expect(await titled('Here and there')).toBe(1);
  });

  it('of many at once do it once, and answer all the same or 409', async () => {
    for (let round = 0; round < 5; round++) {
      const key = randomUUID();
      const body = { title: `Round ${round}`, type: 'article' };
      const clients = [await clientOf(test, key), await clientOf(second, key)] as const;
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => clients[n % 2 ? 1 : 0].post('/api/content', body)),
      );
      const done = answers.filter((answer) => answer.status === 200);
      expect(new Set(answers.map((answer) => answer.status))).toEqual(
        new Set(done.length === answers.length ? [200] : [200, 409]),
      );
      expect(new Set(done.map((answer) => answer.text)).size).toBe(1);
      expect(done.filter((answer) => answer.headers['idempotency-replayed'] === undefined)).toHaveLength(1);
      expect(await titled(`Round ${round}`)).toBe(1);
    }
  });

  it('refuse what the other is at work on', async () => {
    // All connections of the embedded database share one session, which the first one's transaction holds.
    if (test.database.embedded) return;
    const key = randomUUID();
    const body = { title: 'In the other', type: 'article' };
    const answers = test.get(KeptAnswersRepository);
    const keep = answers.keep.bind(answers);
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    jest.spyOn(answers, 'keep').mockImplementationOnce(async (...parameters) => {
      begun.resolve();
      await released.promise;
      return keep(...parameters);
    });
    const first = (await clientOf(test, key)).post('/api/content', body);
    await begun.promise;
    const other = await clientOf(second, key);
    const refused = await other.post('/api/content', body);
    expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([
      409,
      'CONFLICT',
      '1',
    ]);
    released.resolve();
    expect((await first).status).toBe(200);
    const repeated = await other.post('/api/content', body);
    expect([repeated.text, repeated.headers['idempotency-replayed']]).toEqual([(await first).text, 'true']);
    expect(await titled('In the other')).toBe(1);
  });
});
