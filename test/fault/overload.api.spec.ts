import { eventually } from '#libs/testing';
import { TestApp } from '../support/test-app';

jest.setTimeout(60_000);

let test: TestApp;
beforeAll(async () => {
  test = await TestApp.start({ MAX_EVENT_LOOP_DELAY_MS: '500' });
});
afterAll(() => test.stop());

/** Work that lets nobody else have the processor. */
const block = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

const get = (url: string) => test.app.inject({ url });

describe('a process whose event loop is late', () => {
  it('refuses with 503 when to come again, answers who watches it, and serves as before afterwards', async () => {
    expect((await get('/api/version')).statusCode).toBe(200);
    const refused = await eventually(async () => {
      block(900);
      const answer = await get('/api/version');
      return answer.statusCode === 503 && answer;
    }, 30_000);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(refused.payload)).toMatchObject({
      error: { status: 503, code: 'UNAVAILABLE', requestId: refused.headers['x-request-id'] },
    });
    for (const watched of ['/health/live', '/metrics']) expect((await get(watched)).statusCode).toBe(200);
    await eventually(async () => (await get('/api/version')).statusCode === 200);
  });
});

describe('a process with many requests at work', () => {
  it('refuses the surplus at once, and takes as many again afterwards', async () => {
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(Array.from({ length: 200 }, () => get('/health/ready')));
      const refused = answers.filter(({ statusCode }) => statusCode === 503);
      expect(answers.filter(({ statusCode }) => statusCode === 200).length + refused.length).toBe(200);
      expect(refused.length).toBeGreaterThan(0);
      // On a busy machine the first round takes so long that fewer are admitted to the second.
      expect(refused.length).toBeLessThanOrEqual(180);
      for (const { headers } of refused) expect(headers['retry-after']).toBe('1');
    }
  });

  it('answers who watches it whatever else is at work', async () => {
    const others = Array.from({ length: 200 }, () => get('/health/ready'));
    expect((await get('/health/live')).statusCode).toBe(200);
    await Promise.all(others);
  });
});
