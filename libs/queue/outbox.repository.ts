import { Injectable } from '@nestjs/common';
import { Database, raw, sql } from '#libs/database';
import type { JobDefinition } from './job';

export interface OutboxEntry {
  /** A bigint, as text. */
  id: string;
  job: string;
  attempts: number;
}
/** What a job is to be done with, as it is stored. */
export interface NewEntry {
  job: string;
  payload: string;
  language: string | null;
}
export interface ClaimedEntry extends OutboxEntry {
  payload: string;
  language: string | null;
}

// A hint that was handed over and not acted upon by then is handed over again.
const HINT_LASTS = raw(`interval '30 seconds'`);
const SWEEP_SIZE = 500;
const OPEN = raw(`"doneAt" is null and "failedAt" is null`);

/** Times are the database's own: workers on other machines may have other clocks. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly db: Database) {}

  async insert(
    job: string,
    payload: string,
    dueAt: Date | null,
    language: string | null = null,
  ): Promise<OutboxEntry> {
    const row = await this.db.row<OutboxEntry>(sql`
      insert into outbox (job, payload, language, "dueAt", "handOverAt")
      values (${job}, ${payload}, ${language}, coalesce(${dueAt}::timestamptz, now()),
              coalesce(${dueAt}::timestamptz, now() + interval '10 seconds'))
      returning id::text, job, attempts`);
    return row as OutboxEntry;
  }

  /** As `insert`, of many that are due at once. */
  async insertAll(entries: readonly NewEntry[]): Promise<OutboxEntry[]> {
    if (entries.length === 0) return [];
    const column = (name: keyof NewEntry): (string | null)[] => entries.map((entry) => entry[name]);
    return this.db.rows(sql`
      insert into outbox (job, payload, language, "handOverAt")
      select job, payload, language, now() + interval '10 seconds'
        from unnest(${column('job')}::text[], ${column('payload')}::text[], ${column('language')}::text[])
          as entries (job, payload, language)
      returning id::text, job, attempts`);
  }

  /** Takes what is due and in nobody's hands; of several sweepers each takes other rows. */
  async takeDue(): Promise<OutboxEntry[]> {
    return this.db.rows(sql`
      update outbox set "handOverAt" = now() + ${HINT_LASTS}
       where id in (select id from outbox where ${OPEN} and "handOverAt" <= now()
                     order by "handOverAt", id limit ${SWEEP_SIZE} for update skip locked)
      returning id::text, job, attempts`);
  }

  /** Takes one for this worker, or null when it is done, not due, or another worker's. */
  async claim(id: string, { leaseSeconds }: JobDefinition): Promise<ClaimedEntry | null> {
    const lease = sql`now() + make_interval(secs => ${leaseSeconds})`;
    const row = await this.db.row<ClaimedEntry>(sql`
      update outbox set attempts = attempts + 1, "leaseUntil" = ${lease}, "handOverAt" = ${lease}
       where id = ${id}::bigint and ${OPEN} and "dueAt" <= now()
         and ("leaseUntil" is null or "leaseUntil" < now())
      returning id::text, job, attempts, payload, language`);
    return row ?? null;
  }

  /** The payload goes with the work: it may hold an address or a code. */
  async done({ id, attempts }: OutboxEntry): Promise<boolean> {
    const done = await this.db.execute(sql`
      update outbox set "doneAt" = now(), "leaseUntil" = null, payload = null, error = null
       where id = ${id}::bigint and attempts = ${attempts}`);
    return done > 0;
  }

  async retry({ id, attempts }: OutboxEntry, seconds: number, error: string): Promise<void> {
    const due = sql`now() + make_interval(secs => ${seconds})`;
    await this.db.execute(sql`
      update outbox set "dueAt" = ${due}, "handOverAt" = ${due}, "leaseUntil" = null, error = ${error}
       where id = ${id}::bigint and attempts = ${attempts} and ${OPEN}`);
  }

  /** Each part becomes a job of its own, and the whole is done. */
  async divide(whole: ClaimedEntry, parts: readonly string[]): Promise<OutboxEntry[]> {
    const { job, language } = whole;
    return this.db.transaction(async () => {
      if (!(await this.done(whole))) return [];
      return this.insertAll(parts.map((payload) => ({ job, payload, language })));
    });
  }

  /** As if this worker had never taken it. */
  async giveBack({ id, attempts }: OutboxEntry): Promise<void> {
    await this.db.execute(sql`
      update outbox set attempts = attempts - 1, "handOverAt" = now(), "leaseUntil" = null
       where id = ${id}::bigint and attempts = ${attempts} and ${OPEN}`);
  }

  async fail({ id, attempts }: OutboxEntry, error: string): Promise<void> {
    await this.db.execute(sql`
      update outbox set "failedAt" = now(), "leaseUntil" = null, payload = null, error = ${error}
       where id = ${id}::bigint and attempts = ${attempts} and ${OPEN}`);
  }

  async prune(olderThanDays: number): Promise<number> {
    return this.db.execute(sql`
      delete from outbox where coalesce("doneAt", "failedAt") < now() - make_interval(days => ${olderThanDays})`);
  }
}
