import { eventually } from '#libs/testing';
import { answer, posted, Sockets } from '../support/sockets';
import { TestApp } from '../support/test-app';

jest.setTimeout(60_000);

const PLACES = 100;
/** More than sockets between one machine and itself take in unread. */
const KEPT = Buffer.alloc(8 * 1024 * 1024, 'x');
const VERSION = ['GET /api/version HTTP/1.1'];

let test: TestApp;
let hung: (() => void)[] = [];
const sockets = new Sockets(() => test);

async function start(env: Record<string, string>): Promise<void> {
  // It is about places: there is room for the bytes.
  test = await TestApp.start({ MAX_ANSWERS_MIB: '2048', ...env }, (app) => {
    const fastify = app.getHttpAdapter().getInstance();
    fastify.get('/kept', async () => KEPT);
    fastify.post('/hung', () => new Promise<void>((resolve) => hung.push(resolve)));
  });
  await test.app.listen(0, '127.0.0.1');
}

afterEach(async () => {
  sockets.destroy();
  for (const end of hung) end();
  hung = [];
  await test.stop();
});

async function atWork(): Promise<number> {
  const { payload } = await test.app.inject({ url: '/metrics' });
  return Number(/^http_requests_at_work (\d+)$/m.exec(payload)?.[1]);
}

const times = <Result>(count: number, work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, work));

async function fillWithHung(): Promise<void> {
  await times(PLACES, () => sockets.open(posted('/hung', 2), '{}'));
  await eventually(async () => (await atWork()) === PLACES);
}

describe('the places at work', () => {
  it('are free again when those who took them are gone, whatever hangs', async () => {
    await start({});
    await fillWithHung();
    expect((await answer(await sockets.open(VERSION))).status).toBe(503);
    sockets.destroy();
    await eventually(async () => (await atWork()) === 0);
    expect((await answer(await sockets.open(VERSION))).status).toBe(200);
  });

  it('are free again when the deadline passes, whatever hangs', async () => {
    await start({ REQUEST_DEADLINE_MS: '1500' });
    await times(PLACES, () => sockets.open(posted('/hung', 2), '{}'));
    await eventually(() => hung.length === PLACES);
    await eventually(async () => (await atWork()) === 0);
    expect((await answer(await sockets.open(VERSION))).status).toBe(200);
  });

  it('are held until answers have left, half of them at most by one address that does not read', async () => {
    await start({ STALLED_AFTER_MS: '60000' });
    for (let n = 0; n < PLACES; n++) await sockets.open(['GET /kept HTTP/1.1']);
    await eventually(async () => (await atWork()) === PLACES / 2);
    expect((await answer(await sockets.open(VERSION))).status).toBe(503);
    expect((await answer(await sockets.open(VERSION, '', '127.0.0.2'))).status).toBe(200);
    sockets.destroy();
    await eventually(async () => (await atWork()) === 0);
  });

  it('are taken from those who do not read when others need them', async () => {
    await start({ STALLED_AFTER_MS: '300' });
    for (let n = 0; n < PLACES / 2; n++) await sockets.open(['GET /kept HTTP/1.1']);
    await eventually(async () => (await answer(await sockets.open(VERSION))).status === 200);
    expect(await atWork()).toBeLessThan(PLACES / 2 + 1);
  });
});
