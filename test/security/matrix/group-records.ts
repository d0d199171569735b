import {
  type Caller,
  execute,
  authorOf,
  kept,
  MISSING,
  newUser,
  next,
  OF_THE_PLATFORM,
  OWN_ONLY,
  platformOf,
  type Records,
  type Whose,
  WHOSE,
  world,
} from './kit';

type GroupRole = 'owner' | 'moderator' | 'member';

/** A group in which the caller, or someone else, has this role; somebody owns it. */
async function newGroup(caller: Caller, whose: Whose, role: GroupRole, values: object): Promise<number> {
  const platform = platformOf(whose);
  const { id } = await world.group({ name: `Group ${next()}`, ...values }, platform);
  const owner = role === 'owner' ? authorOf(caller, whose) : (await newUser('creator', platform)).id;
  await execute(`update group_members set "UserId" = $2 where "GroupId" = $1`, id, owner);
  if (role !== 'owner') await addMember(id, authorOf(caller, whose), whose, role);
  return id;
}

const addMember = (id: number, userId: number, whose: Whose, role: GroupRole): Promise<unknown> =>
  execute(
    `insert into group_members ("PlatformId", "GroupId", "UserId", role) values ($1, $2, $3, $4)`,
    world.platformId(platformOf(whose)),
    id,
    userId,
    role,
  );

/** Groups of the caller's or of others, each with a plain member besides and with the slug as its key. */
export const groupOf = (role: GroupRole, values: object = {}): Records => ({
  whose: WHOSE,
  find: async (caller, whose) => {
    if (whose === 'missing') return { id: MISSING, key: 'no-such-group', userId: MISSING };
    const id = await newGroup(caller, whose, role, values);
    const { id: userId } = await newUser('free', platformOf(whose));
    await addMember(id, userId, whose, 'member');
    const [{ slug = '' } = {}] = await execute<{ slug?: string }[]>(
      `select slug from groups where id = $1`,
      id,
    );
    return { id, key: slug, userId };
  },
});

/** The same, and the plain member only asks to become one. */
export const withRequest = (record: Records): Records => ({
  ...record,
  find: async (caller, whose) => {
    const target = await record.find(caller, whose);
    await execute(
      `update group_members set status = 'pending' where "GroupId" = $1 and "UserId" = $2`,
      target.id,
      target.userId,
    );
    return target;
  },
});

export const OWNED = groupOf('owner');
export const KEPT_OWNED = kept(OWNED);
export const KEPT_MODERATED = kept(groupOf('moderator'));
export const KEPT_JOINED = kept(groupOf('member'));
export const KEPT_PUBLIC = kept(groupOf('member', { visibility: 'public' }));
export const KEPT_PRIVATE = kept(groupOf('member', { visibility: 'private' }));
export const KEPT_HIDDEN = kept(groupOf('member', { visibility: 'hidden' }));

export const STAFF_OR_OWN = { members: OWN_ONLY, creator: OF_THE_PLATFORM, admin: OF_THE_PLATFORM };
export const ADMINS_OR_OWN = { members: OWN_ONLY, admin: OF_THE_PLATFORM };
export const ADMINS = { members: 'FORBIDDEN FORBIDDEN NOT_FOUND NOT_FOUND', admin: OF_THE_PLATFORM };
/** Of a group that others do not know of. */
export const KNOWN_TO_MEMBERS = {
  members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND',
  creator: OF_THE_PLATFORM,
  admin: OF_THE_PLATFORM,
};
