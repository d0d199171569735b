import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';
import { WITHOUT_FLUSH } from './without-flush.sql';

export type CodePurpose = 'sign-in' | 'change-email';

interface Owner {
  id: number;
  PlatformId: number;
}
export interface CodeTry {
  id: number;
  mac: Buffer;
  newEmail: string | null;
}

const MOST_TRIES = 5;

@Injectable()
export class CodesRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a code, which replaces those before it, unless one was stored within `pauseSeconds`; of parallel
   * requests one does.
   * @returns whether it was stored
   */
  async add(
    { id, PlatformId }: Owner,
    purpose: CodePurpose,
    mac: Buffer,
    {
      validSeconds,
      pauseSeconds,
      newEmail = null,
    }: { validSeconds: number; pauseSeconds: number; newEmail?: string | null },
  ): Promise<boolean> {
    await this.db.execute(sql`select 1 from users where id = ${id} for update`);
    const added = await this.db.execute(sql`
      insert into one_time_codes ("PlatformId", "UserId", purpose, mac, "newEmail", "createdAt", "expiresAt")
      select ${PlatformId}, ${id}, ${purpose}, ${mac}, ${newEmail}, ${this.clock.now()}, ${this.after(validSeconds)}
       where not exists (
         select 1 from one_time_codes
          where "UserId" = ${id} and purpose = ${purpose} and "createdAt" > ${this.after(-pauseSeconds)})`);
    return added > 0;
  }

  /** Counts a try against the newest code before it is compared, so that parallel guesses cannot be more. */
  async countTry(userId: number, purpose: CodePurpose): Promise<CodeTry | null> {
    const row = await this.db.row<CodeTry>(sql`
      ${WITHOUT_FLUSH}
      update one_time_codes set tries = tries + 1 from without_flush
       where id = (select max(id) from one_time_codes where "UserId" = ${userId} and purpose = ${purpose})
         and "usedAt" is null and tries < ${MOST_TRIES} and "expiresAt" > ${this.clock.now()}
      returning id, mac, "newEmail"`);
    return row ?? null;
  }

  /** @returns whether it was this call that used the code: of two right answers one wins */
  async use(id: number): Promise<boolean> {
    const used = await this.db.execute(sql`
      update one_time_codes set "usedAt" = ${this.clock.now()} where id = ${id} and "usedAt" is null`);
    return used > 0;
  }

  private after(seconds: number): Date {
    return new Date(this.clock.now().getTime() + seconds * 1000);
  }
}
