import { eventually } from '#libs/testing';
import { TestApp } from '../support/test-app';

jest.setTimeout(60_000);

let test: TestApp;
beforeAll(async () => {
  test = await TestApp.start({ MAX_EVENT_LOOP_DELAY_MS: '100' });
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
      block(300);
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
