import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually, testLogFile } from '#libs/testing';
import { PASSWORD, World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

const MOST_CONNECTIONS = 5;
/** Requests of an address in a minute. */
const RATE = 300;
/** Requests that a connection may send ahead of their answers. */
const AHEAD = 16;
/** Stands for a proxy that is believed, and for a machine of one's own. */
const [PROXY, OWN] = ['127.0.0.2', '127.0.0.3'];

let test: TestApp;
let world: World;
let port: number;
let last = 0;

beforeAll(async () => {
  test = await TestApp.start({
    RATE_LIMITS: 'on',
    TRUST_PROXY: `127.0.0.1,${PROXY}`,
    RATE_LIMIT_EXEMPT: OWN,
    MAX_CONNECTIONS_PER_ADDRESS: String(MOST_CONNECTIONS),
    LOG_LEVEL: 'debug',
  });
  world = await World.create(test);
  for (const person of ['free', 'basic'] as const) await world.givePassword(person);
  await test.app.listen(0, '127.0.0.1');
  port = (test.app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => test.stop());

const address = (): string => `198.18.${++last >> 8}.${last & 255}`;
const from = (ip: string, client: Client = world.anonymous()): Client =>
  client.with({ 'x-forwarded-for': ip });
const remaining = ({ headers }: Answer): number => Number(headers['ratelimit-remaining']);
const token = (authorization: string): Record<string, string> => ({
  authorization: `Bearer ${authorization}`,
});

async function opened(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const head = (method: string, path: string, headers: Record<string, string>): string =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** The first of what comes. */
async function answered(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

describe('rates', () => {
  it.each([
    ['GET', '/api/version', undefined],
    ['GET', '/api/no-such-route', undefined],
    ['GET', '/', undefined],
    ['GET', '/api/docs', undefined],
    ['GET', '/api/docs/swagger-ui.css', undefined],
    ['GET', '/api/openapi.json', undefined],
    ['GET', '/api/%', undefined],
    ['GET', `/api/platform/${'1'.repeat(513)}`, undefined],
    ['GET', `/api/version?${'a&'.repeat(200)}`, undefined],
    ['GET', '/api/user/me', undefined],
    ['GET', '/embed/content/1', undefined],
    ['OPTIONS', '/api/content', undefined],
    ['HEAD', '/api/version', undefined],
    ['POST', '/api/no-such-route', '{}'],
    ['POST', '/api/user/signin', '{'],
    ['POST', '/api/user/signin', ' '.repeat(1024 * 1024 + 1)],
  ] as const)('count %s %.40s, and its answer tells', async (method, path, body) => {
    const ip = address();
    const before = remaining(await from(ip).get('/api/version'));
    const { headers } = await from(ip).request(method, path, body);
    expect(headers).toMatchObject({ 'ratelimit-limit': method === 'POST' ? '60' : '300' });
    expect(remaining(await from(ip).get('/api/version'))).toBe(before - 2);
  });

  it('count preflights, and refuse them', async () => {
    const ip = address();
    const asking = { origin: 'https://page.test', 'access-control-request-method': 'POST' };
    const preflight = (): Promise<Answer> =>
      from(ip)
        .with({ 'x-forwarded-for': ip, ...asking })
        .request('OPTIONS', '/api/content');
    const before = remaining(await from(ip).get('/api/version'));
    const { headers } = await preflight();
    expect(headers).toMatchObject({ 'ratelimit-limit': '300', 'ratelimit-remaining': String(before - 1) });
    await Promise.all(Array.from({ length: 300 }, preflight));
    expect((await preflight()).status).toBe(429);
  });

  it('do not count who watches the process', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      const { headers } = await from(address()).get(path);
      expect(headers['ratelimit-limit']).toBeUndefined();
    }
  });

  it('refuse on every path once they are used up', async () => {
    const ip = address();
    await Promise.all(Array.from({ length: 300 }, () => from(ip).get('/api/version')));
    for (const path of ['/api/no-such-route', '/api/docs', '/api/openapi.json', '/api/%', '/api/user/me']) {
      const { status, headers } = await from(ip).get(path);
      expect([path, status, headers['ratelimit-remaining']]).toEqual([path, 429, '0']);
    }
    expect((await from(ip).get('/health/live')).status).toBe(200);
  });

  it('refuse before anything of the body is read', async () => {
    const ip = address();
    await Promise.all(Array.from({ length: 60 }, () => from(ip).post('/api/user/signin', {})));
    const socket = await opened();
    socket.write(
      head('POST', '/api/user/signin', {
        'x-forwarded-for': ip,
        'content-type': 'application/json',
        'content-length': '1000000',
      }),
    );
    expect(await answered(socket)).toMatch(/^HTTP\/1\.1 429 /);
    socket.destroy();
  });

  it('show on what is refused because too much is at work', async () => {
    const answers = await Promise.all(
      Array.from({ length: 250 }, () => from(address(), world.as('admin')).get('/api/users')),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers['ratelimit-limit']).toBe('1500');
  });

  it('count for the user by a good signature, also where nobody asks who calls and when the session has ended', async () => {
    const ip = address();
    const user = from(ip, world.as('premium'));
    const first = remaining(await user.get('/api/user/me'));
    const others = [
      await user.get('/api/version'),
      await user.get('/api/no-such-route'),
      await user.get('/api/%'),
    ];
    expect(others.map(remaining)).toEqual([first - 1, first - 2, first - 3]);
    const { body } = await from(ip).post('/api/user/signin', {
      ...{ email: 'basic@people.test', password: PASSWORD, PlatformId: world.platformId() },
    });
    const member = from(ip, world.anonymous().with(token(body.token)));
    await member.post('/api/user/signout');
    const ended = await member.get('/api/user/me');
    expect([ended.status, ended.headers['ratelimit-limit']]).toEqual([401, '1500']);
  });

  it('count for the address whoever has only the look of a token', async () => {
    const [header, claims] = (world.platforms.A.tokens.free ?? '').split('.');
    for (const forged of [
      `${header}.${claims}.`,
      `${header}.${claims}.AAAA`,
      `${header}.e30.AAAA`,
      'a.b.c',
      '',
    ]) {
      const { headers } = await from(address()).get('/api/version', token(forged));
      expect(headers['ratelimit-limit']).toBe('300');
    }
  });

  it('let the service secret mint from an address that has used up its own', async () => {
    const ip = address();
    await Promise.all(Array.from({ length: 300 }, () => from(ip).post('/api/user/signin', {})));
    const mint = { email: 'free@people.test', platformId: world.platformId() };
    const [secret = ''] = test.settings.SERVICE_SECRET;
    const minted = await from(ip).post('/api/auth/token-for-email', mint, { 'x-service-secret': secret });
    expect([minted.status, minted.headers['ratelimit-limit']]).toEqual([200, '600']);
    // Elsewhere it is nothing.
    expect((await from(ip).get('/api/version', { 'x-service-secret': secret })).status).toBe(429);
  });
});

describe('connections', () => {
  const closed = (socket: Socket): Promise<boolean> =>
    new Promise((resolve) => {
      socket.once('close', () => resolve(true));
      socket.write(head('GET', '/health/live', {}));
      socket.once('data', () => resolve(false));
    });

  it('of an address are so many at a time, those of proxies and of exempt addresses aside', async () => {
    const one = '127.0.0.9';
    const open = await Promise.all(Array.from({ length: MOST_CONNECTIONS }, () => opened(one)));
    expect(await Promise.all(open.map(closed))).toEqual(open.map(() => false));
    expect(await closed(await opened(one))).toBe(true);
    for (const other of [PROXY, OWN]) {
      const many = await Promise.all(Array.from({ length: 3 * MOST_CONNECTIONS }, () => opened(other)));
      expect(await Promise.all(many.map(closed))).toEqual(many.map(() => false));
      for (const socket of many) socket.destroy();
    }
    const elsewhere = await opened('127.0.0.10');
    expect(await closed(elsewhere)).toBe(false);
    open[0]?.destroy();
    const again = await eventually(async () => {
      const socket = await opened(one);
      return !(await closed(socket)) && socket;
    });
    for (const socket of [...open, elsewhere, again]) socket.destroy();
  });

  it('may send 16 requests ahead of their answers, and end with the next', async () => {
    const socket = await opened(OWN);
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    socket.write(head('GET', '/api/version', {}).repeat(AHEAD));
    await eventually(() => said.split('HTTP/1.1 200').length - 1 === AHEAD);
    const ended = once(socket, 'close');
    socket.write(head('GET', '/api/version', {}).repeat(AHEAD + 1));
    await ended;
    expect(said.split('HTTP/1.1 200').length - 1).toBeLessThan(2 * AHEAD);
  });

  it('of an address that was just refused time and again are closed before anything is read', async () => {
    const one = '127.0.0.11';
    const socket = await opened(one);
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const refusals = (): number => said.split('HTTP/1.1 429').length - 1;
    const ask = async (times: number): Promise<void> => {
      for (let left = times; left > 0; left -= AHEAD) {
        const some = Math.min(AHEAD, left);
        const before = said.split('HTTP/1.1 ').length;
        socket.write(head('GET', '/api/version', {}).repeat(some));
        await eventually(() => said.split('HTTP/1.1 ').length === before + some);
      }
    };
    await ask(RATE);
    const early = refusals();
    // Within one second, which a second burst may fall into as a whole.
    await eventually(async () => {
      await ask(60);
      const next = await opened(one);
      const isClosed = await closed(next);
      next.destroy();
      return isClosed;
    });
    expect([early, refusals() >= 60]).toEqual([0, true]);
    expect(await closed(await opened('127.0.0.12'))).toBe(false);
    socket.destroy();
  });
});

describe('what a proxy forwards', () => {
  it.each([
    'unknown',
    '203.0.113.250:4711',
    '',
    ' , ',
    '[2001:db8::7]:4711',
    '2001:db8::7',
    '_hidden',
    "';--",
  ])('as X-Forwarded-For: %j is an address, or that of the connection', async (forwarded) => {
    const client = from(forwarded);
    for (const path of ['/api/version', '/health/live', '/api/no-such-route', '/api/%', '/api/docs']) {
      expect((await client.get(path)).status).toBeLessThan(500);
    }
    const signIn = { email: 'free@people.test', password: PASSWORD, PlatformId: world.platformId() };
    expect((await client.post('/api/user/signin', signIn)).status).toBe(200);
  });
});

describe('connections that are reset within a request', () => {
  const lines = (): { level: number; msg?: string }[] =>
    readFileSync(testLogFile(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg?: string });
  const isAbort = ({ msg }: { msg?: string }): boolean => msg?.startsWith('The client went away') === true;

  it('are one line of debugging each', async () => {
    const before = lines().length;
    const bodies: Record<string, string>[] = [
      { 'content-type': 'application/json', 'content-length': '1000' },
      { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    ];
    for (const headers of bodies) {
      for (let turn = 0; turn < 5; turn++) {
        const socket = await opened(PROXY);
        const begun = once(test.app.getHttpServer(), 'request');
        socket.write(
          `${head('POST', '/api/user/signin', { ...headers, 'x-forwarded-for': address() })}5\r\n{"a":`,
        );
        await begun;
        socket.resetAndDestroy();
      }
    }
    const aborts = await eventually(() => {
      const found = lines().slice(before).filter(isAbort);
      return found.length === 10 && found;
    });
    expect(aborts.map(({ level }) => level)).toEqual(aborts.map(() => 20));
    expect(
      lines()
        .slice(before)
        .filter(({ level }) => level > 30),
    ).toEqual([]);
  });
});

describe('ids of requests', () => {
  it('that a client made up are marked in the audit log', async () => {
    const signIn = { email: 'free@people.test', password: PASSWORD, PlatformId: world.platformId() };
    const made = await from(address()).post('/api/user/signin', signIn, { 'x-request-id': 'made-by-client' });
    const own = await from(address()).post('/api/user/signin', signIn, { 'x-request-id': 'short' });
    expect(made.headers['x-request-id']).toBe('made-by-client');
    const { body } = await from(address(), world.as('admin')).get('/api/admin/audit?itemsPerPage=2');
    expect(body.items.map(({ requestId }: { requestId: string }) => requestId)).toEqual([
      own.headers['x-request-id'],
      'client:made-by-client',
    ]);
  });
});

describe('the document and its page', () => {
  it.each([
    '/api/openapi.json',
    '/api/docs',
    '/api/docs/',
    '/api/docs/swagger-ui-init.js',
    '/api/docs/swagger-ui.css',
  ])('%s answers 304 to its tag', async (path) => {
    const visitor = from(address());
    const { status, headers, text } = await visitor.get(path);
    const etag = String(headers.etag);
    expect([status, text.length > 0, etag]).toEqual([200, true, expect.stringMatching(/^W\/"/)]);
    const again = await visitor.get(path, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    expect((await visitor.get(path, { 'if-none-match': 'W/"other"' })).status).toBe(200);
  });

  it('are refused without a tag', async () => {
    const { status, headers } = await from(address()).get(`/api/openapi.json?${'a&'.repeat(200)}`);
    expect([status, headers.etag]).toEqual([400, undefined]);
  });
});
