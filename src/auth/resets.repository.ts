import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';
import type { User } from '../users/user.entity';

export interface OpenReset {
  id: number;
  UserId: number;
  PlatformId: number;
}

@Injectable()
export class ResetsRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** How many links the account was sent since then; the caller's transaction locks the account. */
  async countSince(userId: number, since: Date): Promise<number> {
    await this.db.execute(sql`select 1 from users where id = ${userId} for update`);
    const row = await this.db.row<{ count: number }>(sql`
      select count(*)::int as count from password_resets where "UserId" = ${userId} and "createdAt" > ${since}`);
    return row?.count ?? 0;
  }

  async add({ id, PlatformId }: User, digest: Buffer, expiresAt: Date): Promise<void> {
    await this.db.execute(sql`
      insert into password_resets ("PlatformId", "UserId", digest, "createdAt", "expiresAt")
      values (${PlatformId}, ${id}, ${digest}, ${this.clock.now()}, ${expiresAt})`);
  }

  /** The link if it can still be used: the newest of its account, unused, not expired. */
  async findOpen(digest: Buffer): Promise<OpenReset | null> {
    const row = await this.db.row<OpenReset>(sql`
      select r.id, r."UserId", r."PlatformId" from password_resets r
       where r.digest = ${digest} and r."usedAt" is null and r."expiresAt" > ${this.clock.now()}
         and r.id = (select max(id) from password_resets where "UserId" = r."UserId")`);
    return row ?? null;
  }

  /** @returns whether it was this call that used the link */
  async use(id: number): Promise<boolean> {
    const used = await this.db.execute(sql`
      update password_resets set "usedAt" = ${this.clock.now()} where id = ${id} and "usedAt" is null`);
    return used > 0;
  }
}
