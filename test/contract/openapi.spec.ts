import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type AccessRule, openApiDocument } from '#libs/http';
import { TestApp } from '../support/test-app';

interface Media {
  schema: { $ref?: string };
  example?: unknown;
}
interface Operation {
  'x-access': AccessRule;
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { in: string; name: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<
    string,
    { description: string; content?: Record<string, Media>; headers?: Record<string, object> }
  >;
}

const COMMITTED = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const OPERATIONS = Object.entries(COMMITTED.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    method,
    operation,
  })),
);

/** Bodies that the published interface gives in another shape; a 500 is `{error}` everywhere. */
const OTHER_SHAPES: Record<string, string> = {
  'GET /api/collection-by-slug/{slug}/{PlatformId} 404': 'ErrorMessage',
  'POST /api/auth/token-for-email 401': 'CodedError',
  'POST /api/auth/token-for-email 404': 'CodedError',
  'GET /api/platform/homepage/{url} 400': 'ErrorText',
};

/** Pages for people; every other route answers JSON. */
const PAGES = ['GET /reset-password', 'GET /embed/content/{id}'];

/** How the document names what a server's wildcard takes. */
const WILDCARDS: Record<string, string> = { '/api/platform/homepage/*': '/api/platform/homepage/{url}' };

/** Routes of the server that are no part of the interface. */
const APART = /^\/(metrics|api\/docs|api\/openapi\.json)/;

describe('openapi.json', () => {
  let test: TestApp;
  const routes: string[] = [];

  beforeAll(async () => {
    test = await TestApp.start({}, (app) => {
      const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
      fastify.addHook('onRoute', ({ method, url }) => {
        const path = WILDCARDS[url] ?? url.replace(/:(\w+)/g, '{$1}');
        for (const verb of [method].flat()) routes.push(`${verb} ${path}`);
      });
    });
  });
  afterAll(() => test.stop());

  it('is the document of the application as it is', () => {
    expect(COMMITTED).toEqual(JSON.parse(JSON.stringify(openApiDocument(test.app))));
  });

  it('has the routes that the server has', () => {
    const served = routes.filter((route) => {
      const [method = '', url = ''] = route.split(' ');
      return method !== 'HEAD' && method !== 'OPTIONS' && !APART.test(url);
    });
    expect(served).toContain('GET /api/content/{id}');
    expect(served.toSorted()).toEqual(OPERATIONS.map(({ route }) => route).toSorted());
  });

  it('names each operation once', () => {
    const ids = OPERATIONS.map(({ operation }) => operation.operationId);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

describe.each(OPERATIONS)('$route', ({ route, method, operation }) => {
  const { responses, requestBody, parameters = [] } = operation;
  const success = Object.entries(responses).filter(([status]) => Number(status) < 400);

  it('says what it is', () => {
    expect(operation.tags).toEqual([expect.stringMatching(/\S/)]);
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/s);
    expect(operation.description).toMatch(/\.$/);
    expect(operation.operationId).toMatch(/^[a-z]\w+_\w+$/);
    for (const { description } of Object.values(responses)) expect(description).toMatch(/\S/);
  });

  it('shows an example of each body and parameter', () => {
    expect(success.length).toBeGreaterThan(0);
    const media = [...Object.values(responses), ...(requestBody ? [requestBody] : [])].flatMap(
      ({ content }) => Object.values(content ?? {}),
    );
    for (const { example, schema } of media) {
      expect(schema).toBeDefined();
      expect(example).toBeDefined();
    }
    for (const { example } of parameters) expect(example).toBeDefined();
  });

  it('answers pages as HTML, redirects with an address and no body, 204 with nothing, and all else as JSON', () => {
    const body = PAGES.includes(route) ? ['text/html'] : ['application/json'];
    const shown = Object.entries(responses).map(([status, { content, headers }]) => {
      const location = 'Location' in (headers ?? {});
      return { status, types: Object.keys(content ?? {}), location };
    });
    expect(shown).toEqual(
      shown.map(({ status }) => {
        if (status.startsWith('3')) return { status, types: [], location: status !== '304' };
        if (status === '204') return { status, types: [], location: false };
        return { status, types: status === '200' ? body : ['application/json'], location: false };
      }),
    );
    expect(Object.keys(requestBody?.content ?? { 'application/json': {} })).toEqual(['application/json']);
  });

  it('lists the statuses that follow from its access and input', () => {
    const { who, roles, unmetered } = operation['x-access'];
    const writes = method !== 'get';
    const expected = [
      400,
      ...(who === 'public' ? [] : [401]),
      ...(roles || (who === 'member' && writes) ? [403] : []),
      ...(parameters.some((parameter) => parameter.in === 'path') ? [404] : []),
      ...(writes ? [409, 413, 415] : []),
      ...(unmetered ? [] : [429]),
      500,
      503,
    ];
    expect(Object.keys(responses).map(Number)).toEqual(expect.arrayContaining(expected));
  });

  it('gives each refusal the body that it has', () => {
    for (const [status, { content }] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const schema = status === '500' ? 'ErrorText' : (OTHER_SHAPES[`${route} ${status}`] ?? 'Error');
      expect(content?.['application/json']?.schema).toEqual({ $ref: `#/components/schemas/${schema}` });
    }
  });
});
