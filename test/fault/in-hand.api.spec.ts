import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Database, sql } from '#libs/database';
import { InHand } from '#libs/http';
import { eventually } from '#libs/testing';
import { answer, closed, posted, Sockets } from '../support/sockets';
import { TestApp } from '../support/test-app';

jest.setTimeout(60_000);

const MIB = 1024 * 1024;
/** More than sockets between one machine and itself take in unread. */
const LARGE = 8 * MIB;

let test: TestApp;
const sockets = new Sockets(() => test);
const open = sockets.open.bind(sockets);
let hung: (() => void)[] = [];

const inHand = (): InHand => test.get(InHand);

async function start(env: Record<string, string>): Promise<void> {
  test = await TestApp.start(env, (app) => {
    const fastify = app.getHttpAdapter().getInstance();
    fastify.get('/large', async () => 'x'.repeat(LARGE));
    fastify.post('/hung', async () => {
      await new Promise<void>((resolve) => hung.push(resolve));
      return { done: true };
    });
    fastify.post('/late-write', async () => {
      const db = test.get(Database);
      await db.transaction(async () => {
        await db.execute(sql`insert into platforms (name, slug) values ('Late', 'late')`);
        await new Promise<void>((resolve) => hung.push(resolve));
      });
      return { done: true };
    });
  });
  await test.app.listen(0, '127.0.0.1');
}

afterEach(async () => {
  sockets.destroy();
  for (const end of hung) end();
  hung = [];
  await test.stop();
});

const BODY = Buffer.from(
  JSON.stringify({ email: 'a@b.test', password: 'x'.repeat(900_000), PlatformId: '1' }),
);
/** All but the end of a body, from an address of its own. */
const withheld = (n: number): Promise<Socket> =>
  open(posted('/api/user/signin', BODY.length), BODY.subarray(0, -1), `127.0.0.${n + 2}`);

describe('bodies that do not come to an end', () => {
  it('are held up to a budget, beyond which bodies get 503 while reads are answered', async () => {
    await start({ MAX_BODIES_MIB: '4', STALLED_AFTER_MS: '60000' });
    for (let n = 0; n < 4; n++) await withheld(n);
    await eventually(() => inHand().bodies.bytes >= 4 * BODY.length - 4);
    const { status, head } = await answer(await withheld(4));
    expect([status, head]).toEqual([503, expect.stringMatching(/retry-after: 1/i)]);
    expect(inHand().bodies.bytes).toBeLessThanOrEqual(4 * MIB);
    expect((await test.app.inject({ url: '/api/version' })).statusCode).toBe(200);
    sockets.destroy();
    await eventually(() => inHand().bodies.bytes === 0);
    const whole = await open(posted('/api/user/signin', BODY.length), BODY);
    expect((await answer(whole)).status).toBe(400);
    await eventually(() => inHand().bodies.bytes === 0);
  });

  it('are cut off for those that come after them, and leave other addresses half of the room', async () => {
    await start({ MAX_BODIES_MIB: '4', STALLED_AFTER_MS: '300' });
    const own = await Promise.all([1, 2].map(() => open(posted('/hung', BODY.length), BODY.subarray(0, -1))));
    await eventually(() => inHand().bodies.bytes >= 2 * BODY.length - 2);
    expect((await answer(await open(posted('/hung', BODY.length), BODY))).status).toBe(503);
    const others = await Promise.all([0, 1].map(withheld));
    await eventually(() => inHand().bodies.bytes >= 4 * BODY.length - 4);
    await wait(300);
    expect((await answer(await open(posted('/api/user/signin', BODY.length), BODY))).status).toBe(400);
    await Promise.race([...own, ...others].map(closed));
  });
});

describe('readers who take nothing of their answer', () => {
  const GET = ['GET /large HTTP/1.1'];

  it('keep large answers from others while there is no room, and small ones from nobody', async () => {
    await start({ MAX_ANSWERS_MIB: '20', STALLED_AFTER_MS: '60000', RATE_LIMIT_EXEMPT: '127.0.0.1' });
    for (let n = 0; n < 2; n++) await open(GET);
    await eventually(() => inHand().answers.bytes === 2 * LARGE);
    const { status, head } = await answer(await open(GET));
    expect([status, head]).toEqual([503, expect.stringMatching(/retry-after: 1/i)]);
    expect((await test.app.inject({ url: '/api/version' })).statusCode).toBe(200);
    sockets.destroy();
    await eventually(() => inHand().answers.bytes === 0);
  });

  it('lose it to others after a while', async () => {
    await start({ MAX_ANSWERS_MIB: '20', STALLED_AFTER_MS: '300', RATE_LIMIT_EXEMPT: '127.0.0.1' });
    const stalled = [await open(GET), await open(GET)];
    await eventually(() => inHand().answers.bytes === 2 * LARGE);
    await eventually(async () => (await answer(await open(GET))).status === 200);
    expect(inHand().answers.bytes).toBeLessThanOrEqual(20 * MIB);
    await Promise.race(stalled.map(closed));
  });

  it('hold half of what there is at most', async () => {
    await start({ MAX_ANSWERS_MIB: '20', STALLED_AFTER_MS: '60000' });
    await open(GET);
    await eventually(() => inHand().answers.bytes === LARGE);
    expect((await answer(await open(GET))).status).toBe(503);
    expect((await answer(await open(GET, '', '127.0.0.2'))).status).toBe(200);
  });

  it('get all of it when they do take it', async () => {
    await start({ MAX_ANSWERS_MIB: '20' });
    const reader = await open([...GET, 'Connection: close']);
    let bytes = 0;
    for await (const chunk of reader) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(LARGE);
    expect(bytes).toBeLessThan(LARGE + 2000);
    await eventually(() => inHand().answers.bytes === 0);
  });
});

describe('a request that takes too long', () => {
  it('gets 503 when its handler hangs, with a body too, and its connection ends', async () => {
    await start({ REQUEST_DEADLINE_MS: '200' });
    const socket = await open(posted('/hung', 2), '{}');
    const { status, head } = await answer(socket);
    expect([status, head]).toEqual([503, expect.stringMatching(/connection: close[^]*retry-after: \d/i)]);
    await closed(socket);
  });

  it('gets 503 when its body does not come to an end', async () => {
    await start({ REQUEST_DEADLINE_MS: '200' });
    const socket = await open(posted('/hung', 3), '{}');
    expect((await answer(socket)).status).toBe(503);
    await closed(socket);
  });

  it.each([
    ['answered', (socket: Socket) => answer(socket)],
    ['gone', async (socket: Socket) => socket.destroy()],
  ])('stores nothing of what it began before it was %s', async (_, end) => {
    await start({ REQUEST_DEADLINE_MS: '500' });
    const socket = await open(posted('/late-write', 2), '{}');
    await eventually(() => hung.length === 1);
    await end(socket);
    await wait(100);
    hung[0]?.();
    const waiting = await test.db.rows(sql`select 1 from platforms where slug = 'late'`);
    await test.db.settled();
    await wait(100);
    expect([waiting, await test.db.rows(sql`select 1 from platforms where slug = 'late'`)]).toEqual([[], []]);
  });
});
