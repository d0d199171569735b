import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';
import type { User } from '../users/user.entity';

@Injectable()
export class CodesRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a code unless one was stored within `pauseSeconds`; of parallel requests one does.
   * @returns whether it was stored
   */
  async add(user: User, mac: Buffer, validSeconds: number, pauseSeconds: number): Promise<boolean> {
    const now = this.clock.now();
    const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
    await this.db.execute(sql`select 1 from users where id = ${user.id} for update`);
    const added = await this.db.execute(sql`
      insert into one_time_codes ("PlatformId", "UserId", mac, "createdAt", "expiresAt")
      select ${user.PlatformId}, ${user.id}, ${mac}, ${now}, ${after(validSeconds)}
       where not exists (
         select 1 from one_time_codes where "UserId" = ${user.id} and "createdAt" > ${after(-pauseSeconds)})`);
    return added > 0;
  }
}
