import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: any;
}
interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;
/** What no answer may show: statements, stacks, paths of files. */
const INNARDS =
  /\b(select|insert|update) .*\b(from|into|set)\b|relation "|\bat \S+ \(|\.[jt]s:\d+|node_modules|\/tmp\/|\/dist\//i;

let test: TestApp;
let world: World;
let port: number;
let admin: Record<string, string>;
let free: Record<string, string>;

beforeAll(async () => {
  test = await TestApp.start({ CORS_ORIGINS: 'https://pages.test' });
  world = await World.create(test);
  await test.app.listen(0, '127.0.0.1');
  port = (test.app.getHttpServer().address() as AddressInfo).port;
  admin = { authorization: `Bearer ${world.platforms.A.tokens.admin}` };
  free = { authorization: `Bearer ${world.platforms.A.tokens.free}` };
});
afterAll(() => test.stop());

/** Over the network and as it stands: neither path nor body is put right on the way. */
function send({ method = 'GET', path, headers = {}, body }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json = String(response.headers['content-type']).startsWith('application/json') && text !== '';
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: json ? JSON.parse(text) : null,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Bytes that are no proper HTTP request. */
function sendBytes(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}

/** The shared body and nothing besides, under the request id of the header. */
function expectRefusal({ status, headers, body, text }: Answer, expected: number, code: string): void {
  const details: unknown = expect.any(Array);
  expect({ status, body }).toEqual({
    status: expected,
    body: {
      error: {
        status: expected,
        code,
        message: expect.stringMatching(/\.$/),
        requestId: headers['x-request-id'],
        ...(expected === 400 && { details }),
      },
    },
  });
  expect(headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(text).not.toMatch(INNARDS);
}

const keyword = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Promise<Answer> =>
  send({ method: 'POST', path: '/api/keyword', headers: { ...admin, ...headers }, body });

const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);

describe('bodies', () => {
  it('are taken up to 1 MiB and refused with 413 beyond, announced or not', async () => {
    const padded = (bytes: number): string => `{"title":"${' '.repeat(bytes - '{"title":""}'.length)}"}`;
    expectRefusal(await keyword(padded(MIB)), 400, 'VALIDATION_ERROR');
    expectRefusal(await keyword(padded(MIB + 1)), 413, 'PAYLOAD_TOO_LARGE');
    const chunked = await keyword(padded(MIB + 1), { ...JSON_TYPE, 'transfer-encoding': 'chunked' });
    expectRefusal(chunked, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('that are compressed are refused with 415, however much they would unpack to', async () => {
    const bomb = gzipSync(`{"title":"${' '.repeat(8 * MIB)}"}`);
    for (const [encoding, body] of [
      ['gzip', bomb],
      ['gzip', gzipSync('{"title":"x"}')],
      ['gzip', 'not gzip'],
      ['rot13', '{"title":"x"}'],
    ] as const) {
      const answer = await keyword(body, { ...JSON_TYPE, 'content-encoding': encoding });
      expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
    expect((await keyword('{"title":"x"}', { ...JSON_TYPE, 'content-encoding': 'identity' })).status).toBe(
      200,
    );
  });

  it('that go on without end are cut off, and others are served', async () => {
    const endless = keyword(Buffer.alloc(40 * MIB, ' '));
    await expect(
      endless.then(
        ({ status }) => status,
        () => 'cut off',
      ),
    ).resolves.toEqual('cut off');
    expect((await send({ path: '/api/version' })).status).toBe(200);
  });

  it.each([
    ['text/plain', '{"title":"x"}'],
    ['application/x-www-form-urlencoded', 'title=x'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nx\r\n--x--',
    ],
    ['application/jsonp', '{"title":"x"}'],
    ['text/json', '{"title":"x"}'],
    ['', '{"title":"x"}'],
  ])('of the type "%s" are refused with 415', async (type, body) => {
    expectRefusal(await keyword(body, type ? { 'content-type': type } : {}), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8'])(
    'of the type "%s" are taken',
    async (type) => {
      const { status, body } = await keyword(`{"title":"${type}"}`, { 'content-type': type });
      expect([status, body[0].title]).toEqual([200, type]);
    },
  );

  it.each([
    ['cut short', '{"title":"x"'],
    ['with a trailing comma', '{"title":"x",}'],
    ['not in UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['with __proto__', '{"title":"x","__proto__":{"role":"admin"}}'],
    ['with __proto__ in an escape', '{"title":"x","\\u005f_proto__":{"role":"admin"}}'],
    ['with __proto__ inside', '{"title":"x","a":[{"__proto__":{}}]}'],
    ['with constructor.prototype', '{"title":"x","constructor":{"prototype":{"role":"admin"}}}'],
    ['with NUL in a text', '{"title":"a\\u0000b"}'],
    ['with half a character', '{"title":"a\\ud800b"}'],
    ['with NUL in a key of a field', '{"title":"x","description":"a\\u0000"}'],
    ['nested too deep', nested(33)],
    ['nested very deep', '['.repeat(100_000)],
    ['nested very deep and whole', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['that is a text', '"title"'],
  ])('%s are refused with 400', async (_, body) => {
    expectRefusal(await keyword(body), 400, 'VALIDATION_ERROR');
    expect(({} as Record<string, unknown>).role).toBeUndefined();
  });

  it('may be nested 32 levels', async () => {
    const { body } = await keyword(nested(32));
    expect(body.error.details).toEqual([{ field: 'title', issue: 'title is required' }]);
  });
});

describe('paths', () => {
  it.each([
    ['GET', '/api/no-such-route'],
    ['GET', '/'],
    ['GET', '/api'],
    ['POST', '/api/user/me'],
    ['PUT', '/api/content/1'],
    ['PATCH', '/api/user'],
    ['DELETE', '/api/chat'],
    ['TRACE', '/api/user/me'],
    ['GET', '//api/user/me'],
    ['GET', '/api//user/me'],
    ['GET', '/api/user/me/'],
    ['GET', '/API/user/me'],
    ['GET', '/api/user%2fme'],
    ['GET', '/api%2Fuser/me'],
    ['GET', '/api/./user/me'],
    ['GET', '/api/content/../user/me'],
  ])('%s %s leads nowhere, signed in or not', async (method, path) => {
    for (const headers of [{}, admin]) {
      expectRefusal(await send({ method, path, headers }), 404, 'NOT_FOUND');
    }
  });

  it('GET /api/user/me;x=1 is not /api/user/me with a parameter, but a user whose id is no number', async () => {
    const path = '/api/user/me;x=1';
    expectRefusal(await send({ path }), 401, 'UNAUTHORIZED');
    expectRefusal(await send({ path, headers: admin }), 400, 'VALIDATION_ERROR');
  });

  it.each([
    '/api/docs/../../package.json',
    '/api/docs/%2e%2e/%2e%2e/package.json',
    '/api/docs/..%2f..%2fpackage.json',
    '/api/docs/..%5c..%5cpackage.json',
    '/api/docs/%2fetc/passwd',
  ])('%s does not leave the folder of the docs', async (path) => {
    const answer = await send({ path });
    if (answer.status === 403) expectRefusal(answer, 403, 'FORBIDDEN');
    else expectRefusal(answer, 404, 'NOT_FOUND');
  });

  it('with a letter written as an escape are the same route with the same guard', async () => {
    const path = '/api/user/m%65';
    expectRefusal(await send({ path }), 401, 'UNAUTHORIZED');
    expect((await send({ path, headers: free })).body.id).toBe(world.user('free').id);
  });

  it.each(['/api/%', '/api/content/%zz', '/api/content/%c0%ae', '/%ff/x', '/api/platform/%'])(
    '%s has broken percent-encoding: 400',
    async (path) => expectRefusal(await send({ path, headers: admin }), 400, 'VALIDATION_ERROR'),
  );

  it('with a part over 512 characters are refused', async () => {
    const path = `/api/content/1/reactions/${'x'.repeat(513)}`;
    const answer = await send({ method: 'DELETE', path, headers: admin });
    expectRefusal(answer, 400, 'VALIDATION_ERROR');
    expectRefusal(await send({ path: `/api/platform/${'1'.repeat(513)}` }), 400, 'VALIDATION_ERROR');
  });

  it.each(['abc', '1e3', '-1', '0x1', '1.0', '%31%20', '١', "1'--", '1;drop table users', ' 1'])(
    'take only digits for an id, not "%s"',
    async (id) => {
      expectRefusal(await send({ path: `/api/platform/${encodeURIComponent(id)}` }), 400, 'VALIDATION_ERROR');
    },
  );

  it.each(['0', '2147483648', '99999999999999999999'])('answer 404 for the id %s', async (id) => {
    expectRefusal(await send({ path: `/api/platform/${id}` }), 404, 'NOT_FOUND');
    expectRefusal(await send({ path: `/api/collection/${id}` }), 404, 'NOT_FOUND');
  });
});

describe('requests that cannot be read', () => {
  it.each([
    ['no HTTP', 'HELLO\r\n\r\n'],
    [
      'two lengths',
      'POST /api/keyword HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'length and chunks',
      'POST /api/keyword HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['headers without end', `GET /api/version HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(40_000)}\r\n\r\n`],
  ])('%s: one refusal with the shared body, and the connection ends', async (_, bytes) => {
    const answer = await sendBytes(bytes);
    const [head = '', text = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const requestId = /x-request-id: (\S+)/i.exec(head)?.[1];
    expect(JSON.parse(text)).toEqual({
      error: {
        status: 400,
        code: 'VALIDATION_ERROR',
        message: 'The request cannot be read.',
        details: [],
        requestId,
      },
    });
    expect(requestId).toMatch(/^[\w.-]{8,64}$/);
  });
});

describe('the order of refusals', () => {
  const tooLarge = ' '.repeat(MIB + 1);

  it('is 401 before 413, 415 and 400', async () => {
    const path = '/api/keyword';
    for (const [body, type] of [
      [tooLarge, 'application/json'],
      ['title=x', 'application/x-www-form-urlencoded'],
      ['{', 'application/json'],
    ] as const) {
      expectRefusal(
        await send({ method: 'POST', path, body, headers: { 'content-type': type } }),
        401,
        'UNAUTHORIZED',
      );
    }
  });

  it('is 413 and 415 before 403 by role, and that before 400', async () => {
    const as = (body: string, type = 'application/json'): Promise<Answer> =>
      keyword(body, { ...free, 'content-type': type });
    expectRefusal(await as(tooLarge), 413, 'PAYLOAD_TOO_LARGE');
    expectRefusal(await as('title=x', 'application/x-www-form-urlencoded'), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectRefusal(await as('{'), 403, 'ROLE_FORBIDDEN');
    expectRefusal(await as('{}'), 403, 'ROLE_FORBIDDEN');
  });

  it('is the service secret before the body', async () => {
    const mint = { method: 'POST', path: '/api/auth/token-for-email', body: '{' };
    const refused = await send({ ...mint, headers: JSON_TYPE });
    expect([refused.status, refused.body]).toEqual([
      401,
      { error: { status: 401, code: 'UNAUTHORIZED', message: expect.any(String) } },
    ]);
    const secret = test.settings.SERVICE_SECRET[0] ?? '';
    expectRefusal(
      await send({ ...mint, headers: { ...JSON_TYPE, 'x-service-secret': secret } }),
      400,
      'VALIDATION_ERROR',
    );
  });
});

describe('HEAD', () => {
  it('has the guards of GET and its headers, and no body', async () => {
    expect((await send({ method: 'HEAD', path: '/api/user/me' })).status).toBe(401);
    const bad = { authorization: 'Bearer bad' };
    expect((await send({ method: 'HEAD', path: '/api/chat?contentId=1', headers: bad })).status).toBe(401);
    const headed = await send({ method: 'HEAD', path: '/api/user/me', headers: free });
    const got = await send({ path: '/api/user/me', headers: free });
    expect([headed.status, headed.text]).toEqual([200, '']);
    expect(headed.headers['content-length']).toBe(got.headers['content-length']);
    expect(headed.headers['content-type']).toBe(got.headers['content-type']);
  });
});

describe('answers', () => {
  it('carry the headers that keep a browser safe', async () => {
    for (const { headers } of [await send({ path: '/api/version' }), await send({ path: '/api/nowhere' })]) {
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['x-powered-by'] ?? headers.server).toBeUndefined();
    }
  });

  it('carry the request id that a plain one was sent with, and another one otherwise', async () => {
    const sent = await send({ path: '/api/version', headers: { 'x-request-id': 'from-a-client-1' } });
    expect(sent.headers['x-request-id']).toBe('from-a-client-1');
    for (const id of ['short', 'with space in it', 'x'.repeat(65), 'quote"quote"']) {
      const { headers } = await send({ path: '/api/version', headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    }
  });

  it('to a page are open to the origins of PUBLIC_URL, CORS_ORIGINS and platforms, and to no other', async () => {
    const ask = (origin: string, method = 'GET'): Promise<Answer> =>
      send({ method, path: '/api/version', headers: { origin, 'access-control-request-method': 'POST' } });
    await test.db.dataSource.query(
      `update platforms set "homepageUrl" = 'https://home.test/start', "homepageKey" = 'home.test/start' where id = $1`,
      [world.platformId()],
    );
    for (const origin of ['https://api.test', 'https://pages.test', 'https://home.test']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers, status } = await ask(origin, method);
        expect(status).toBeLessThan(300);
        expect(headers['access-control-allow-origin']).toBe(origin);
        expect(headers['access-control-allow-credentials']).toBe('true');
        expect(headers.vary).toMatch(/Origin/);
      }
    }
    for (const origin of ['https://evil.test', 'null', 'http://pages.test', 'https://pages.test.evil.test']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await ask(origin, method);
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(headers.vary).toMatch(/Origin/);
      }
    }
  });
});

describe('a fault of the service', () => {
  it('is a 500 that says nothing, whatever broke', async () => {
    await test.db.dataSource.query('alter table keywords rename to keywords_gone');
    try {
      const { status, headers, text, body } = await keyword('{"title":"x"}');
      expect([status, body]).toEqual([500, { error: 'Internal server error' }]);
      expect(headers['x-request-id']).toMatch(/\S/);
      expect(headers['cache-control']).toBe('no-store');
      expect(text).not.toMatch(INNARDS);
    } finally {
      await test.db.dataSource.query('alter table keywords_gone rename to keywords');
    }
    expect((await keyword('{"title":"back"}')).status).toBe(200);
  });
});
