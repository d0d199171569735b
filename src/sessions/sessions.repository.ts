import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, empty, type Sql, sql } from '#libs/database';
import { isBanned } from '../kernel/access/banned.sql';
import type { Caller } from '../kernel/callers/caller';
import { Callers } from '../kernel/callers/callers';
import type { Role, Status } from '../kernel/callers/roles';
import type { Session } from './session.entity';

type Optional = 'ip' | 'userAgent' | 'object' | 'ticket';
export type NewSession = Omit<Session, Optional | 'parentId' | 'endedAt'> & Partial<Pick<Session, Optional>>;

interface CallerRow {
  UserId: number;
  PlatformId: number;
  kind: Caller['kind'];
  role: Role;
  status: Status;
  banned: boolean;
  object: string | null;
  ticket: boolean;
  lastSeenAt: Date;
}

// Often enough to recognise a session by, rarely enough to cost nothing.
const SEEN_EVERY_MS = 5 * 60 * 1000;
/** Clocks differ: so long after its expiry a token is still good. */
export const CLOCK_TOLERANCE_SECONDS = 30;

@Injectable()
export class SessionsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly callers: Callers,
  ) {}

  /** @param entry a statement that is done with it, or not at all */
  async insert(session: NewSession, entry?: Sql): Promise<void> {
    await this.db.preparedRows(sql`
      ${entry ? sql`with entry as (${entry})` : empty}
      insert into sessions (id, "PlatformId", "UserId", kind, ip, "userAgent", "createdAt", "lastSeenAt", "expiresAt")
      values (${session.id}::uuid, ${session.PlatformId}, ${session.UserId}, ${session.kind}, ${session.ip ?? null},
        ${session.userAgent ?? null}, ${session.createdAt}, ${session.lastSeenAt}, ${session.expiresAt})`);
  }

  /**
   * As `insert`, of a session that is made from the caller's own and outlives it by no moment. One that is made
   * from a ticket uses it up, and belongs to the session that the ticket came from.
   * @returns when it expires; null when the ticket was used or the session that it would belong to is over
   */
  async insertChild(session: NewSession, { sessionId, ticket }: Caller): Promise<Date | null> {
    const now = this.clock.now();
    const parent = ticket
      ? sql`update sessions set "endedAt" = ${now} where id = ${sessionId}::uuid and "endedAt" is null
            returning "parentId" as id`
      : sql`select ${sessionId}::uuid as id`;
    const row = await this.db.row<Pick<Session, 'expiresAt'>>(sql`
      with parent as (${parent})
      insert into sessions (id, "PlatformId", "UserId", kind, "parentId", object, ticket, ip, "userAgent",
        "createdAt", "lastSeenAt", "expiresAt")
      select ${session.id}::uuid, ${session.PlatformId}, ${session.UserId}, ${session.kind}, p.id,
        ${session.object ?? null}, ${session.ticket ?? false}, ${session.ip ?? null}, ${session.userAgent ?? null},
        ${session.createdAt}, ${session.lastSeenAt}, least(${session.expiresAt}, p."expiresAt")
        from parent join sessions p using (id) where p."endedAt" is null and p."expiresAt" > ${now}
      returning "expiresAt"`);
    return row?.expiresAt ?? null;
  }

  /** Who holds the session, if it is open: one query on two primary keys. */
  async caller(id: string): Promise<Caller | null> {
    const now = this.clock.now();
    const expiredBefore = new Date(now.getTime() - CLOCK_TOLERANCE_SECONDS * 1000);
    const [row] = await this.db.preparedRows<CallerRow>(sql`
      select s."UserId", s."PlatformId", s.kind, s.object, s.ticket, s."lastSeenAt", u.role, u.status,
             ${isBanned('u', now)} as banned
        from sessions s
        join users u on u.id = s."UserId"
       where s.id = ${id}::uuid and s."endedAt" is null and s."expiresAt" > ${expiredBefore} and u."deletedAt" is null
         -- One that was made while its parent ended has ended too.
         and not exists (select 1 from sessions p where p.id = s."parentId"
           and (p."endedAt" is not null or p."expiresAt" <= ${expiredBefore}))`);
    if (row && now.getTime() - row.lastSeenAt.getTime() > SEEN_EVERY_MS) {
      this.db.afterCommit(() => this.touch(id, now));
    }
    return row ? toCaller(id, row) : null;
  }

  private async touch(id: string, now: Date): Promise<void> {
    await this.db.execute(sql`update sessions set "lastSeenAt" = ${now} where id = ${id}::uuid`);
  }

  /** Ends the session and those that were made from it. */
  async end(id: string, userId: number): Promise<void> {
    this.callers.forget(userId);
    await this.db.execute(sql`
      with recursive ended as (
        select id from sessions where id = ${id}::uuid
        union all select s.id from sessions s join ended e on s."parentId" = e.id)
      update sessions set "endedAt" = ${this.clock.now()}
       where id in (select id from ended) and "endedAt" is null`);
  }

  /**
   * @param exceptId a session that goes on, and with it those that were made from it
   * @returns how many ended of those that `openOf` lists
   */
  async endAllOf(userId: number, exceptId: string | null = null): Promise<number> {
    this.callers.forget(userId);
    const now = this.clock.now();
    const row = await this.db.row<{ count: number }>(sql`
      with recursive kept as (
        select id from sessions where id = ${exceptId}::uuid
        union all select s.id from sessions s join kept k on s."parentId" = k.id),
      ended as (
        update sessions set "endedAt" = ${now}
         where "UserId" = ${userId} and "endedAt" is null and id not in (select id from kept)
        returning "parentId", "expiresAt")
      select count(*)::int as count from ended where "parentId" is null and "expiresAt" > ${now}`);
    return row?.count ?? 0;
  }

  /** @returns whether the user had such an open session */
  async endOf(userId: number, id: string): Promise<boolean> {
    const row = await this.db.row(sql`
      select 1 from sessions where id = ${id}::uuid and "UserId" = ${userId} and "endedAt" is null
         and "expiresAt" > ${this.clock.now()}`);
    if (row) await this.end(id, userId);
    return row !== undefined;
  }

  async openOf(userId: number): Promise<Session[]> {
    return this.db.rows(sql`
      select * from sessions
       where "UserId" = ${userId} and "endedAt" is null and "expiresAt" > ${this.clock.now()} and "parentId" is null
       order by "lastSeenAt" desc, id limit 100`);
  }

  /** What tells where the user was. */
  async forgetPlacesOf(userId: number): Promise<void> {
    await this.db.execute(sql`update sessions set ip = null, "userAgent" = null where "UserId" = ${userId}`);
  }

  async openedAt(id: string): Promise<Date | null> {
    const row = await this.db.row<Pick<Session, 'createdAt'>>(
      sql`select "createdAt" from sessions where id = ${id}::uuid`,
    );
    return row?.createdAt ?? null;
  }
}

const toCaller = (sessionId: string, row: CallerRow): Caller => ({
  userId: row.UserId,
  platformId: row.PlatformId,
  role: row.role,
  pending: row.status === 'pending',
  banned: row.banned,
  sessionId,
  kind: row.kind,
  object: row.object,
  ticket: row.ticket,
});
