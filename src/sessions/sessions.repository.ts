import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';
import type { Caller } from './caller';
import type { Role, Status } from './roles';
import { Session } from './session.entity';

export type NewSession = Pick<Session, 'id' | 'PlatformId' | 'UserId' | 'kind' | 'expiresAt'>;

interface CallerRow {
  UserId: number;
  PlatformId: number;
  kind: Caller['kind'];
  role: Role;
  status: Status;
  banned: boolean;
}

/** Clocks differ: so long after its expiry a token is still good. */
export const CLOCK_TOLERANCE_SECONDS = 30;

@Injectable()
export class SessionsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async insert(session: NewSession): Promise<void> {
    await this.db.manager.insert(Session, session);
  }

  /** Who holds the session, if it is open: one query on two primary keys. */
  async caller(id: string): Promise<Caller | null> {
    const now = this.clock.now();
    const expiredBefore = new Date(now.getTime() - CLOCK_TOLERANCE_SECONDS * 1000);
    const [row] = await this.db.preparedRows<CallerRow>(sql`
      select s."UserId", s."PlatformId", s.kind, u.role, u.status,
             (u."bannedAt" is not null and (u."bannedUntil" is null or u."bannedUntil" > ${now})) as banned
        from sessions s
        join users u on u.id = s."UserId"
       where s.id = ${id}::uuid and s."endedAt" is null and s."expiresAt" > ${expiredBefore} and u."deletedAt" is null`);
    return row ? toCaller(id, row) : null;
  }

  async end(id: string): Promise<void> {
    await this.db.execute(
      sql`update sessions set "endedAt" = ${this.clock.now()} where id = ${id}::uuid and "endedAt" is null`,
    );
  }

  async endAllOf(userId: number): Promise<number> {
    return this.db.execute(sql`
      update sessions set "endedAt" = ${this.clock.now()} where "UserId" = ${userId} and "endedAt" is null`);
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
});
