import { presentContentAccess, type Subject } from './content-explain.presenter';
import type { AccessFacts } from './content-explain.repository';

const FACTS: AccessFacts = {
  visibility: 'members',
  requiredRole: null,
  gateClosed: false,
  publishedDate: null,
  expireDate: null,
  chatEnabled: true,
  commentsLocked: false,
  readable: true,
  own: false,
  open: false,
  published: true,
  unexpired: true,
  held: false,
  moderates: false,
  hasTier: false,
  inGroup: false,
  holdsTag: false,
  asksForGroup: false,
  asksForTag: false,
  groups: [],
  tags: [],
};
const MEMBER: Subject = { who: 'member', role: 'free', banned: false };

const explained = (facts: Partial<AccessFacts>, subject: Partial<Subject> = {}) =>
  presentContentAccess({ ...FACTS, ...facts }, { ...MEMBER, ...subject });

it('says what the rule decided, whatever the facts beside it', () => {
  expect(explained({ readable: false }).canRead).toBe(false);
  expect(explained({ readable: true, held: true }).canRead).toBe(true);
});

it.each([
  [{}, {}, [true, true]],
  [{}, { banned: true }, [false, false]],
  [{}, { who: 'foreign' as const }, [false, false]],
  [{ readable: false }, {}, [false, false]],
  [{ chatEnabled: false }, {}, [false, true]],
  [{ commentsLocked: true }, {}, [false, true]],
])('%j for %j comments and reacts: %j', (facts, subject, can) => {
  const { canComment, canReact } = explained(facts, subject);
  expect([canComment, canReact]).toEqual(can);
});

it('of several entries that pass, and several that do not, names the first', () => {
  const gate = { requiredRole: 'basic', asksForGroup: true, asksForTag: true } as const;
  expect(explained({ ...gate, inGroup: true, holdsTag: true }).decidedBy).toBe('group');
  const closed = explained({ ...gate, readable: false, groups: [{ id: 3, name: 'Crew' }] });
  expect(closed.decidedBy).toBe('role');
  expect(closed.unlock).toEqual([
    { type: 'role', label: 'basic or higher' },
    { type: 'group', id: 3, label: 'Crew' },
  ]);
});

it('tells when it begins and when it ended', () => {
  const [publishedDate, expireDate] = [new Date('2030-01-01T00:00:00Z'), new Date('2020-01-01T00:00:00Z')];
  const future = explained({ readable: false, published: false, publishedDate });
  expect(future.rules).toContainEqual({
    rule: 'published',
    pass: false,
    detail: 'Not before 2030-01-01T00:00:00.000Z.',
  });
  expect(future.unlock).toEqual([{ type: 'date', at: publishedDate, label: 'Published' }]);
  expect(explained({ readable: false, unexpired: false, expireDate }).rules).toContainEqual({
    rule: 'expired',
    pass: false,
    detail: 'Expired at 2020-01-01T00:00:00.000Z.',
  });
});

it('asks those who have not verified their address to do so', () => {
  const { decidedBy, unlock } = explained({ readable: false }, { who: 'pending' });
  expect([decidedBy, unlock]).toEqual(['status', [{ type: 'signin', label: 'Verify the e-mail address' }]]);
});
