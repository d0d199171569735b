import { ValidationError } from '#libs/errors';
import { validated } from '#libs/http';
import { ReorderCollectionsDto } from '../../src/collections/dto/reorder-collections.dto';
import { SaveContentDto } from '../../src/content/dto/save-content.dto';
import { ReorderGroupsDto } from '../../src/groups/dto/reorder-groups.dto';
import { SaveUserDto } from '../../src/users/dto/save-user.dto';
import { Client } from '../support/client';
import { TestApp } from '../support/test-app';

const MIB = 1024 * 1024;
/** Of CPU, in milliseconds; a good request takes one or two. */
const MOST = 250;

let test: TestApp;
let visitor: Client;

beforeAll(async () => {
  test = await TestApp.start();
  visitor = test.client();
  // What is done once only, such as reading the rules of a DTO, counts for nobody.
  await visitor.post('/api/user/signin', {});
});
afterAll(() => test.stop());

const keys = (count: number, prefix = 'key'): string =>
  Array.from({ length: count }, (_, key) => `"${prefix}${key}":1`).join();
const times = (text: string): string => text.repeat(MIB / text.length - 2);
const listed = (one: string, count = MIB / (one.length + 1) - 20): string =>
  Array(Math.floor(count)).fill(one).join();

/** The CPU time of the work in milliseconds, the least of three: what else the process does is not the work's. */
async function cpuOf<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  let least = Infinity;
  let result = await work();
  for (let turn = 0; turn < 3; turn++) {
    const before = process.cpuUsage();
    result = await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return [result, least];
}

describe('bodies that are costly to look through', () => {
  it.each([
    [ReorderGroupsDto, 'groupIds'],
    [ReorderCollectionsDto, 'collectionIds'],
    [SaveContentDto, 'GroupIds'],
    [SaveUserDto, 'AccessTagIds'],
  ])('%p with a list of as many values as a body may have is refused', async (metatype, field) => {
    const lists = [
      Array.from({ length: 19_990 }, (_, n) => n + 1),
      Array.from({ length: 19_990 }, (_, n) => `text ${n}`),
      Array.from({ length: 19_990 }, (_, n) => n + 0.5),
    ];
    for (const list of lists) {
      const [refusal, ms] = await cpuOf(() =>
        validated<object>(metatype, { [field]: list }).catch((error: unknown) => error),
      );
      expect(refusal).toBeInstanceOf(ValidationError);
      expect(ms).toBeLessThan(MOST / 2);
    }
  });

  it.each([
    ['105,000 keys', `{${keys(75_000)}}`, 'over 1000 keys in an object'],
    ['keys that are numbers', `{${keys(90_000, '')}}`, 'over 1000 keys in an object'],
    ['the same key', `{${listed('"a":1')}}`, 'over 1000 keys in an object'],
    ['1,001 keys', `{${keys(1001)}}`, 'over 1000 keys in an object'],
    ['many keys inside', `{"email":{${keys(1001)}}}`, 'over 1000 keys in an object'],
    ['objects of one key', `{"a":[${listed('{"a":1}')}]}`, 'over 20000 values'],
    ['empty lists', `{"a":[${listed('[]')}]}`, 'over 20000 values'],
    ['numbers', `{"email":[${listed('1')}]}`, 'over 20000 values'],
    ['objects of many keys', `{"a":[${listed(`{${keys(900)}}`, 30)}]}`, 'over 20000 values'],
    ['lists in lists', times('['), 'nested over 32 levels'],
  ])('%s are refused with 400 before they are parsed', async (_, body, issue) => {
    for (const path of ['/api/user/signin', '/api/user/signup']) {
      const [answer, ms] = await cpuOf(() => visitor.post(path, body));
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'body', issue }] } },
      });
      expect(ms).toBeLessThan(MOST);
    }
  });

  it.each([
    ['1,000 keys', `{${keys(1000)}}`],
    ['1,000 keys in a field', `{"email":{${keys(1000)}}}`],
    ['20,000 values', `{"email":[${listed('1', 19_990)}]}`],
    ['objects of 1,000 keys', `{"email":[${listed(`{${keys(1000)}}`, 19)}]}`],
    ['objects of one key', `{"email":[${listed('{"a":1}', 9990)}]}`],
    ['one long key', `{"${'k'.repeat(MIB - 1000)}":[${listed('[]', 100)}]}`],
    ['one long text', `{"email":"${times('é').slice(0, MIB / 2 - 20)}"}`],
    ['escapes', `{"email":"${times('\\u00e9')}"}`],
    ['blanks', `{${times(' ')}}`],
  ])('%s are looked through quickly', async (_, body) => {
    for (const path of ['/api/user/signin', '/api/user/signup', '/api/user/forgot-password']) {
      const [{ status, body: answer }, ms] = await cpuOf(() => visitor.post(path, body));
      expect(status).toBe(400);
      expect(answer.error.details).not.toContainEqual(expect.objectContaining({ field: 'body' }));
      expect(ms).toBeLessThan(MOST);
    }
  });
});

describe('queries that are costly to look through', () => {
  const paths = [
    '/health/live',
    '/api/version',
    '/api/contents',
    '/api/platform/homepage/a',
    '/api/openapi.json',
    '/api/docs',
    '/api/no-such-route',
    '/',
  ];
  const repeated = (parameter: string, count: number): string => Array(count).fill(parameter).join('&');

  it.each(paths)('%s takes 100 parameters and no more', async (path) => {
    for (const parameter of ['a', 'a=1', '']) {
      const taken = await visitor.get(`${path}?${repeated(parameter, 100)}`);
      expect(taken.text).not.toContain('over 100 parameters');
      for (const count of [101, 8000]) {
        const [{ status, text }, ms] = await cpuOf(() =>
          visitor.get(`${path}?${repeated(parameter, count)}`),
        );
        expect([status, text]).toEqual([400, expect.stringContaining('over 100 parameters')]);
        expect(ms).toBeLessThan(MOST);
      }
    }
  });

  it('are refused in the shape of their route', async () => {
    const { body } = await visitor.get(`/api/platform/homepage/a?${repeated('a', 101)}`);
    expect(body).toEqual({ error: 'query: over 100 parameters' });
  });

  it('take a parameter once only, however often it is there', async () => {
    const fieldsOf = async (query: string): Promise<string[]> => {
      const { body } = await visitor.get(`/api/contents?${query}`);
      return body.error.details.map(({ field }: { field: string }) => field);
    };
    expect(await fieldsOf('PlatformId=1&PlatformId=1')).toEqual(['PlatformId']);
    expect(await fieldsOf(repeated('PlatformId=1', 100))).toEqual(['PlatformId']);
    expect(await fieldsOf('PlatformId=1&filters=type:post&filters=type:post')).toEqual(['filters']);
    expect(await fieldsOf('PlatformId=1&__proto__=1&searchTerm=a&__proto__=1&searchTerm=')).toEqual([
      'searchTerm',
    ]);
  });
});
