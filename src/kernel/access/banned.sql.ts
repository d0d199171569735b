import { raw, type Sql, sql } from '#libs/database';

/** Whether the user in the row `alias` is banned at this moment: a ban may have an end. */
export const isBanned = (alias: string, now: Date): Sql => {
  const user = raw(alias);
  return sql`(${user}."bannedAt" is not null and (${user}."bannedUntil" is null or ${user}."bannedUntil" > ${now}))`;
};
