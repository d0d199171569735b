import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, sql } from '#libs/database';

const KEPT_MS = 24 * 60 * 60 * 1000;
const PRUNED_AT_ONCE = 500;

export interface KeptRow {
  print: Buffer;
  /** Sealed. */
  answer: string;
}

@Injectable()
export class KeptAnswersRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async find(id: Buffer): Promise<KeptRow | null> {
    const row = await this.db.row<KeptRow>(sql`
      select print, answer from kept_answers where id = ${id} and "keptUntil" > ${this.clock.now()}`);
    return row ?? null;
  }

  /** Nobody else has the id until the transaction ends. @returns false when somebody has it already */
  async claim(id: Buffer): Promise<boolean> {
    const row = await this.db.row<{ claimed: boolean }>(
      sql`select pg_try_advisory_xact_lock(${id.readBigInt64BE().toString()}::bigint) as claimed`,
    );
    return row?.claimed === true;
  }

  /** In place of one whose time is over. The id is claimed. */
  async keep(id: Buffer, { print, answer }: KeptRow): Promise<void> {
    const until = new Date(this.clock.now().getTime() + KEPT_MS);
    await this.db.execute(sql`
      insert into kept_answers (id, print, answer, "keptUntil") values (${id}, ${print}, ${answer}, ${until})
      on conflict (id) do update
        set print = excluded.print, answer = excluded.answer, "keptUntil" = excluded."keptUntil"`);
  }

  /** Forgets those whose time is over, a few at a time; of several who do so each takes others. */
  async prune(): Promise<number> {
    for (let pruned = 0; ;) {
      const some = await this.db.execute(sql`
        delete from kept_answers where id in (
          select id from kept_answers where "keptUntil" <= ${this.clock.now()}
           order by "keptUntil" limit ${PRUNED_AT_ONCE} for update skip locked)`);
      pruned += some;
      if (some < PRUNED_AT_ONCE) return pruned;
    }
  }
}
