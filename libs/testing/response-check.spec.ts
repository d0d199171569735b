import { type Document, ResponseCheck } from './index';

const item = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', nullable: true },
    tags: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
    owner: { $ref: '#/components/schemas/Owner' },
    options: { type: 'object', additionalProperties: true },
  },
};
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const DOCUMENT = {
  paths: {
    '/item/{id}': {
      get: {
        operationId: 'items_read',
        responses: { 200: json({ $ref: '#/components/schemas/Item' }), 404: json({}) },
      },
      delete: {
        operationId: 'items_remove',
        responses: { 200: json({ $ref: '#/components/schemas/Owner' }) },
      },
    },
    '/item/all': {
      get: {
        operationId: 'items_list',
        responses: { 200: json({ type: 'array', items: { $ref: '#/components/schemas/Item' } }) },
      },
    },
    '/item': {
      post: {
        operationId: 'items_save',
        responses: {
          200: json({
            type: 'array',
            minItems: 2,
            maxItems: 2,
            items: { oneOf: [{ $ref: '#/components/schemas/Item' }, { type: 'boolean' }] },
          }),
        },
      },
    },
  },
  components: {
    schemas: {
      Item: item,
      Owner: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    },
  },
} as unknown as Document;

describe('ResponseCheck', () => {
  const check = new ResponseCheck(DOCUMENT);
  const read = (body: unknown, status = 200): void => check.check('GET', '/item/1?x=/item/all', status, body);

  it('takes an answer that is as documented', () => {
    read({ id: 1, name: 'x' });
    read({ id: 1, name: null, tags: [{ id: 1 }], owner: { id: 2 }, options: { any: { thing: 1 } } });
    check.check('GET', '/item/all', 200, [{ id: 1, name: 'x' }]);
    check.check('POST', '/item', 200, [{ id: 1, name: 'x' }, true]);
  });

  it.each([
    ['a field that is not documented', { id: 1, name: 'x', passwordHash: 'y' }],
    ['one in a list', { id: 1, name: 'x', tags: [{ id: 1, secret: 1 }] }],
    ['one in another schema', { id: 1, name: 'x', owner: { id: 1, email: 'a@b' } }],
    ['a field that is missing', { id: 1 }],
    ['a field of another type', { id: '1', name: 'x' }],
    ['a null that is not allowed', { id: null, name: 'x' }],
    ['no object', 'text'],
    ['nothing', undefined],
  ])('refuses %s', (_, body) => {
    expect(() => read(body)).toThrow('items_read 200 is not as openapi.json says');
  });

  it('refuses what is wrong within a list or a pair', () => {
    expect(() => check.check('GET', '/item/all', 200, [{ id: 1, name: 'x', extra: 1 }])).toThrow(
      'items_list 200',
    );
    expect(() => check.check('POST', '/item', 200, [{ id: 1, name: 'x', extra: 1 }, true])).toThrow(
      'items_save 200',
    );
    expect(() => check.check('POST', '/item', 200, [{ id: 1, name: 'x' }])).toThrow('items_save 200');
  });

  it('refuses a status that is not documented', () => {
    expect(() => read({}, 500)).toThrow('items_read answered 500, which openapi.json does not list');
    read({ any: 'thing' }, 404);
  });

  it('tells operations apart by method, and literal paths from parameters', () => {
    check.check('DELETE', '/item/1', 200, { id: 1 });
    expect(() => check.check('DELETE', '/item/1', 404, {})).toThrow('items_remove answered 404');
    expect(() => check.check('GET', '/item/all', 200, { id: 1, name: 'x' })).toThrow('items_list 200');
  });
});
