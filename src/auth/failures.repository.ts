import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';
import { WITHOUT_FLUSH } from './without-flush.sql';

const MOST_IN_A_ROW = 100;
const CODES_STOP_SECONDS = 24 * 60 * 60;

/** Failed sign-ins in a row. They are counted whatever the request rates say. */
@Injectable()
export class FailuresRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** One statement whether the account exists or not, so that its time does not tell. */
  async countPassword(platformId: number, emailKey: string): Promise<void> {
    await this.db.execute(sql`
      ${WITHOUT_FLUSH}
      insert into sign_in_failures ("UserId", passwords)
      select id, 1 from users, without_flush where "PlatformId" = ${platformId} and "emailKey" = ${emailKey}
      on conflict ("UserId") do update set passwords = sign_in_failures.passwords + 1`);
  }

  /**
   * After a right password the count begins anew.
   * @returns false when there were too many: passwords do not count until a reset or a sign-in by code
   */
  async forgetPasswords(userId: number): Promise<boolean> {
    const stopped = await this.db.row(sql`
      with forgotten as (
        update sign_in_failures set passwords = 0
         where "UserId" = ${userId} and passwords between 1 and ${MOST_IN_A_ROW - 1})
      select 1 from sign_in_failures where "UserId" = ${userId} and passwords >= ${MOST_IN_A_ROW}`);
    return stopped === undefined;
  }

  /**
   * Likewise one statement, whether there is such a user or not. Of many at once the first that makes it too many
   * says until when codes stop; after that the count begins anew.
   */
  async countCode(userId: number): Promise<void> {
    const now = this.clock.now();
    const until = new Date(now.getTime() + CODES_STOP_SECONDS * 1000);
    await this.db.execute(sql`
      ${WITHOUT_FLUSH}
      insert into sign_in_failures as f ("UserId", codes)
      select id, 1 from users, without_flush where id = ${userId}
      on conflict ("UserId") do update set
        codes = case when f."codesStoppedUntil" <= ${now} then 1 else f.codes + 1 end,
        "codesStoppedUntil" = case when f."codesStoppedUntil" <= ${now} then null
          when f.codes + 1 >= ${MOST_IN_A_ROW} then coalesce(f."codesStoppedUntil", ${until}) end`);
  }

  async codesStopped(userId: number): Promise<boolean> {
    const row = await this.db.row(sql`
      select 1 from sign_in_failures where "UserId" = ${userId} and "codesStoppedUntil" > ${this.clock.now()}`);
    return row !== undefined;
  }

  /** A right code ends the row of wrong ones. */
  async forgetCodes(userId: number): Promise<void> {
    await this.db.execute(
      sql`update sign_in_failures set codes = 0 where "UserId" = ${userId} and codes > 0`,
    );
  }

  /** After a sign-in by code or a reset: the account is its owner's again. */
  async forgetAll(userId: number): Promise<void> {
    await this.db.execute(sql`delete from sign_in_failures where "UserId" = ${userId}`);
  }
}
