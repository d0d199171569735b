import { readFileSync } from 'node:fs';
import type { Answer } from '../support/client';
import { accessTags } from './matrix/access-tags';
import { ads } from './matrix/ads';
import { chat } from './matrix/chat';
import { collections } from './matrix/collections';
import { content } from './matrix/content';
import { groupMembers } from './matrix/group-members';
import { groups } from './matrix/groups';
import { CALLERS, type Matrix, openWorld, type Target, test, type Whose, world } from './matrix/kit';
import { platforms } from './matrix/platforms';
import { posts } from './matrix/posts';
import { signIn } from './matrix/sign-in';
import { users } from './matrix/users';

/** Every operation of openapi.json has its rows here. */
const MATRIX: Matrix = {
  ...signIn,
  ...users,
  ...platforms,
  ...accessTags,
  ...groups,
  ...groupMembers,
  ...content,
  ...ads,
  ...collections,
  ...chat,
  ...posts,
};

beforeAll(openWorld);
afterAll(() => test.stop());

/** `ok`, the code of the refusal, or the status of one that has no code. */
const outcome = ({ status, body }: Answer): string =>
  status === 200 || status === 204 ? 'ok' : `${body.error?.code ?? status}`;

/** What a refusal says, apart from the id of the request and of the record that was asked for. */
const said = ({ status, body }: Answer, { id, key = '' }: Target): object => {
  const { requestId: _, details, ...error } = typeof body.error === 'object' ? body.error : body;
  const shown = JSON.stringify(details)?.replaceAll(`${id}`, '#').replaceAll(key, '#');
  return { ...error, answered: status, details: shown };
};

it('has a row for every operation and for nothing else', () => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(Object.keys(MATRIX).toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
});

describe.each(Object.entries(MATRIX))('%s', (_, rows) => {
  describe.each(rows)('$what', ({ record, call, expected }) => {
    it.each(CALLERS)('by %s', async (caller) => {
      const client = caller === 'anonymous' ? world.anonymous() : world.as(caller);
      const whoseAll = record?.whose ?? ['own'];
      const outcomes: string[] = [];
      const refusals: Partial<Record<Whose, object>> = {};
      for (const whose of whoseAll) {
        const target = (await record?.find(caller, whose)) ?? { id: 0 };
        const answer = await call(target.as ?? client, target);
        outcomes.push(outcome(answer));
        if (answer.status >= 400) refusals[whose] = said(answer, target);
      }
      const words = (expected[caller] ?? expected.members).split(' ');
      expect(outcomes).toEqual(whoseAll.map((__, at) => words[words.length === 1 ? 0 : at]));
      // A record of another platform must not be told from one that does not exist.
      expect(refusals.foreign ?? refusals.missing).toEqual(refusals.missing);
    });
  });
});
