import type { Answer, Client } from '../../support/client';
import { TestApp } from '../../support/test-app';
import { type Person, type PlatformName, World } from '../../factories/world';
import type { SessionKind } from '../../../src/kernel/callers/caller';
import type { Role } from '../../../src/kernel/callers/roles';
import { TokensService } from '../../../src/sessions/tokens.service';
import { UsersService } from '../../../src/users/users.service';

/** Who calls. Members of platform A; platform B has the same people. */
export const CALLERS = [
  'anonymous',
  'pending',
  'banned',
  'free',
  'basic',
  'premium',
  'creator',
  'admin',
] as const;
export type Caller = (typeof CALLERS)[number];

/** Whose record is asked for; the platforms of the callers are their own, and have no other kind on theirs. */
export const WHOSE = ['own', 'others', 'foreign', 'missing'] as const;
export type Whose = (typeof WHOSE)[number];

export const MISSING = 2_000_000_000;

export interface Target {
  id: number;
  /** What the record is called by when not by its id: an address, a slug, a code. */
  key?: string;
  /** A user that the call names besides the record. */
  userId?: number;
  /** The caller to use instead of the usual one: for what ends the caller's session. */
  as?: Client;
}
export type Find = (caller: Caller, whose: Whose) => Promise<Target>;
type Call = (client: Client, target: Target) => Promise<Answer>;
export interface Records {
  whose: readonly Whose[];
  find: Find;
}

export interface Row {
  what: string;
  /** Absent: the route names no record. */
  record?: Records;
  call: Call;
  /** For each caller the code of the answer, or `ok`, for each `whose` in turn; one word stands for all. */
  expected: Partial<Record<Caller, string>> & { members: string };
}

/** The rows of each operation. */
export type Matrix = Record<string, Row[]>;

/** Without a credential, or before the address is verified, no route for members answers. */
export const SIGNED_IN = { anonymous: 'UNAUTHORIZED', pending: 'EMAIL_NOT_VERIFIED' };
/** And banned members write nothing. */
export const WRITERS = { ...SIGNED_IN, banned: 'BANNED' };
/** Routes for staff; the role is judged before the ban. */
export const STAFF = { ...SIGNED_IN, members: 'ROLE_FORBIDDEN' };
export const ANYONE = { members: 'ok' };
/** On optional routes these are visitors. */
export const VISITORS = { anonymous: 'NOT_FOUND', pending: 'NOT_FOUND' };
/** Each member, on records that exist on their platform. */
export const OF_THE_PLATFORM = 'ok ok NOT_FOUND NOT_FOUND';
export const OWN_ONLY = 'ok FORBIDDEN NOT_FOUND NOT_FOUND';

export let test: TestApp;
export let world: World;
let made = 0;

export async function openWorld(): Promise<void> {
  test = await TestApp.start();
  world = await World.create(test);
  // A second admin, so that the first may go.
  await newUser('admin', 'A');
}

/** A number that no other call was given. */
export const next = (): number => ++made;

export const newUser = (role: Role, platform: PlatformName, values: object = {}) =>
  test.get(UsersService).add({
    PlatformId: world.platformId(platform),
    email: `new${next()}@people.test`,
    name: 'New',
    role,
    ...values,
  });

export const execute = <Rows = unknown>(text: string, ...values: unknown[]): Promise<Rows> =>
  test.db.dataSource.query(text, values);

/** Who else there is: on the caller's platform, or on the other one. */
export const authorOf = (caller: Caller, whose: Whose): number => {
  const person: Person = whose === 'own' && caller !== 'anonymous' ? caller : 'otherCreator';
  return world.user(person, whose === 'foreign' ? 'B' : 'A').id;
};
export const platformOf = (whose: Whose): PlatformName => (whose === 'foreign' ? 'B' : 'A');

export const PLATFORM: Records = {
  whose: ['own', 'foreign', 'missing'],
  find: async (_, whose) => ({ id: whose === 'missing' ? MISSING : world.platformId(platformOf(whose)) }),
};

/** A user of the caller's kind who has one session, of this kind; nobody for the anonymous. */
export async function newSelf(caller: Caller, kind: SessionKind = 'password') {
  if (caller === 'anonymous') return null;
  const status = caller === 'pending' ? { status: 'pending' } : {};
  const user = await newUser(roleOf(caller), 'A', status);
  if (caller === 'banned') await execute(`update users set "bannedAt" = now() where id = $1`, user.id);
  return { user, as: await signedIn(user, kind) };
}

export const signedIn = async (
  user: { id: number; PlatformId: number },
  kind: SessionKind = 'password',
): Promise<Client> =>
  test.client({ authorization: `Bearer ${await test.get(TokensService).issue(user, kind)}` });

const roleOf = (caller: Caller): Role =>
  caller === 'anonymous' || caller === 'pending' || caller === 'banned' ? 'free' : caller;

/** A user of their own in each cell, with a session of their own: some routes end both. */
export const USER: Records = {
  whose: WHOSE,
  find: async (caller, whose) => {
    const self = await newSelf(caller);
    const as = self?.as ?? world.anonymous();
    if (whose === 'missing') return { id: MISSING, key: 'nobody@people.test', as };
    const user = whose === 'own' && self ? self.user : await newUser('free', platformOf(whose));
    return { id: user.id, key: user.email ?? '', as };
  },
};

/** The caller alone, with a session of their own that is of this kind. */
export const selfWith = (kind: SessionKind): Records => ({
  whose: ['own'],
  find: async (caller) => {
    const self = await newSelf(caller, kind);
    return { id: self?.user.id ?? MISSING, as: self?.as ?? world.anonymous() };
  },
});

/** For every member of its platform, but for nobody else. */
const contentFor =
  (visibility: 'members' | 'private'): Find =>
  async (caller, whose) => {
    if (whose === 'missing') return { id: MISSING };
    const { id } = await world.content({ visibility, type: 'post' }, platformOf(whose), 'admin');
    await execute(`update contents set "UserId" = $2 where id = $1`, id, authorOf(caller, whose));
    return { id };
  };
export const CONTENT: Records = { whose: WHOSE, find: contentFor('members') };
export const PRIVATE_CONTENT: Records = { whose: WHOSE, find: contentFor('private') };

/** The same records in every cell, for routes that leave them as they are to others. */
export function kept(record: Records): Records {
  const known = new Map<string, Promise<Target>>();
  const find: Find = (caller, whose) => {
    const key = whose === 'own' ? caller : whose;
    const target = known.get(key) ?? record.find(caller, whose);
    known.set(key, target);
    return target;
  };
  return { ...record, find };
}
export const KEPT_CONTENT = kept(CONTENT);
export const KEPT_PRIVATE_CONTENT = kept(PRIVATE_CONTENT);

export const get =
  (path: (id: number) => string): Call =>
  (client, { id }) =>
    client.get(path(id));
export const remove =
  (path: (id: number) => string, body?: (target: Target) => object): Call =>
  (client, target) =>
    client.delete(path(target.id), body?.(target));
export const post =
  (path: (id: number) => string, body: (target: Target) => object = () => ({})): Call =>
  (client, target) =>
    client.post(path(target.id), body(target));
