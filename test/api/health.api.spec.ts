import { Logger } from '@nestjs/common';
import { QUEUE_BACKEND, type QueueBackend } from '#libs/queue';
import { recordSecret } from '#libs/testing';
import { TestApp } from '../support/test-app';

let test: TestApp;
beforeAll(async () => {
  test = await TestApp.start({ RATE_LIMITS: 'on' });
});
afterAll(() => test.stop());

describe('health', () => {
  it('lives and is ready', async () => {
    const live = await test.client().get('/health/live');
    expect(live).toMatchObject({ status: 200, body: { status: 'ok' } });
    const ready = await test.client().get('/health/ready');
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready', queue: 'ok' } });
  });

  it('is asked as often as one likes, with whatever credential', async () => {
    for (const url of ['/health/live', '/health/ready']) {
      const answer = await test.client({ authorization: 'Bearer a.b.c', cookie: 'token=x' }).get(url);
      expect(answer.status).toBe(200);
      expect(answer.headers['ratelimit-limit']).toBeUndefined();
    }
  });

  it('tells the version', async () => {
    const answer = await test.client().get('/api/version');
    expect(answer).toMatchObject({ status: 200, body: { version: '1.0.0', api: '1.0.0' } });
    expect(answer.headers['ratelimit-limit']).toBe('300');
  });

  it('is not ready without the database, and lives on', async () => {
    const broken = jest.spyOn(test.db, 'rows').mockRejectedValue(new Error('away'));
    try {
      const ready = await test.client().get('/health/ready');
      expect(ready).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
      expect(Number(ready.headers['retry-after'])).toBeGreaterThan(0);
      expect(ready.text).not.toContain('away"');
      expect((await test.client().get('/health/live')).status).toBe(200);
    } finally {
      broken.mockRestore();
    }
    expect((await test.client().get('/health/ready')).status).toBe(200);
  });

  it('is ready without the queue, and says so in its answer, in metrics, and once in the log', async () => {
    const told = jest.spyOn(Logger.prototype, 'warn');
    const up = async (): Promise<string | undefined> =>
      /^queue_up (\d)/m.exec((await test.app.inject({ url: '/metrics' })).payload)?.[1];
    const backend = test.app.get<QueueBackend>(QUEUE_BACKEND, { strict: false });
    expect(await up()).toBe('1');
    const broken = jest.spyOn(backend, 'ping').mockRejectedValue(new Error('away'));
    try {
      for (let n = 0; n < 3; n++) {
        const ready = await test.client().get('/health/ready');
        expect(ready).toMatchObject({ status: 200, body: { status: 'ready', queue: 'away' } });
      }
      expect(await up()).toBe('0');
      expect(told.mock.calls.filter(([text]) => /queue is away/.test(String(text)))).toHaveLength(1);
    } finally {
      broken.mockRestore();
      told.mockRestore();
    }
    expect((await test.client().get('/health/ready')).body).toEqual({ status: 'ready', queue: 'ok' });
    expect(await up()).toBe('1');
  });
});

describe('metrics', () => {
  const metrics = async (
    remoteAddress: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string }> => {
    const { statusCode, payload } = await test.app.inject({
      method: 'GET',
      url: '/metrics',
      remoteAddress,
      headers,
    });
    return { status: statusCode, text: payload };
  };

  it('are Prometheus text, with a histogram of requests by route', async () => {
    await test.client().get('/api/platform/123456');
    const { status, text } = await metrics('127.0.0.1');
    expect(status).toBe(200);
    expect(text).toMatch(
      /^http_request_seconds_count\{method="GET",route="\/api\/platform\/:platformId",status="404"\} [1-9]/m,
    );
    expect(text).toMatch(/^process_cpu_seconds_total/m);
    expect(text).not.toContain('123456');
    expect((await metrics('::1')).status).toBe(200);
    expect((await metrics('::ffff:127.0.0.1')).status).toBe(200);
  });

  it('are closed to other machines, whatever they claim', async () => {
    for (const address of ['192.0.2.1', '10.0.0.1', '2001:db8::1']) {
      const answer = await metrics(address, { 'x-forwarded-for': '127.0.0.1', authorization: 'Bearer ' });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'FORBIDDEN' } });
    }
  });

  it.each([
    { 'x-forwarded-for': '203.0.113.5' },
    { 'x-forwarded-for': '' },
    { 'x-forwarded-host': 'localhost' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
    { 'true-client-ip': '127.0.0.1' },
    { 'cf-connecting-ip': '127.0.0.1' },
    { host: 'api.example.org' },
    { host: 'localhost.example.org' },
    { host: '127.0.0.1.example.org' },
    { host: '@' },
  ] as Record<string, string>[])(
    'are closed to what came through a proxy on this machine: %j',
    async (headers) => {
      expect((await metrics('127.0.0.1', headers)).status).toBe(403);
    },
  );

  it.each(['localhost', 'localhost:3000', '127.0.0.1', '127.0.0.1:3000', '[::1]:3000'])(
    'are open to this machine as %s',
    async (host) => {
      expect((await metrics('127.0.0.1', { host })).status).toBe(200);
    },
  );

  it('are closed to this machine in production, where a proxy need not show that it is one', async () => {
    test.settings.NODE_ENV = 'production';
    expect((await metrics('127.0.0.1')).status).toBe(403);
    test.settings.NODE_ENV = 'test';
  });

  it('are opened to other machines by METRICS_TOKEN, and closed to loopback without it', async () => {
    const token = 'a-token-for-metrics-only';
    recordSecret(token);
    test.settings.METRICS_TOKEN = token;
    expect((await metrics('192.0.2.1', { authorization: `Bearer ${token}` })).status).toBe(200);
    for (const authorization of ['', token, `Bearer ${token}x`, 'Bearer ', `bearer ${token}`.slice(0, -1)]) {
      expect((await metrics('127.0.0.1', { authorization })).status).toBe(403);
    }
    expect((await metrics('127.0.0.1')).status).toBe(403);
    test.settings.METRICS_TOKEN = undefined;
  });
});
