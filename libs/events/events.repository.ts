import { Injectable } from '@nestjs/common';
import { Database, raw, sql } from '#libs/database';
import type { NumberedEvent } from './event';

export interface Published {
  name: string;
  payload: string;
  jobs: string[];
  language: string | null;
}
export type Numbered = Published & { number: number };

/** What processes that listen for numbered events listen on. */
export const CHANNEL = 'numbered_events';

/** A partition cannot be made while the others are being read, which a backup may do for hours. */
const DAYS_AHEAD = 2;

@Injectable()
export class EventsRepository {
  constructor(private readonly db: Database) {}

  async insert(
    payloads: readonly string[],
    { name, jobs, language }: Omit<Published, 'payload'>,
  ): Promise<void> {
    await this.db.execute(sql`
      insert into events (name, payload, jobs, language)
      select ${name}, payload, ${jobs}::text[], ${language} from unnest(${payloads}::text[]) as payload`);
  }

  /** The marked statement is what a process asks by itself, whatever it is asked. */
  async anyPublished(): Promise<boolean> {
    return (await this.db.rows(sql`/* by itself */ select 1 from events limit 1`)).length > 0;
  }

  /** Nobody else numbers until the transaction ends: whoever wants to waits for it. */
  async lock(): Promise<void> {
    await this.db.execute(sql`select 1 from event_counter for update`);
  }

  /**
   * Gives the next numbers to what was published first, as far as it is committed. What is committed later gets a
   * later number, whatever its id. To be called with the lock, in a statement after it, which sees what others did.
   */
  async number(most: number): Promise<Numbered[]> {
    return this.db.rows(sql`
      with taken as (
        delete from events where id in (select id from events order by id limit ${most}) returning *),
      counter as (
        update event_counter set last = last + (select count(*) from taken) where exists (select from taken)
        returning last),
      numbered as (
        select counter.last - count(*) over () + row_number() over (order by id) as number, taken.*
          from taken, counter),
      stored as (
        insert into numbered_events (number, name, payload) select number, name, payload from numbered)
      select number::float8 as number, name, payload, jobs, language from numbered order by numbered.number`);
  }

  /** Heard by other processes once the transaction is committed. */
  async notify(): Promise<void> {
    await this.db.execute(sql`select pg_notify(${CHANNEL}, '')`);
  }

  /** The events after that number, in their order. */
  async after(number: number, most: number): Promise<NumberedEvent[]> {
    return this.db.rows(sql`
      select number::float8 as number, name, payload::json as payload from numbered_events
       where number > ${number} order by numbered_events.number limit ${most}`);
  }

  /** The number of the last event, or 0 before the first. */
  async last(): Promise<number> {
    const row = await this.db.row<{ last: number }>(sql`select last::float8 as last from event_counter`);
    return row?.last ?? 0;
  }

  /** The partitions of today and the next days. */
  async preparePartitions(): Promise<void> {
    const prepared = sql`
      select numbered_events_partition((now() at time zone 'UTC')::date + ahead)
        from generate_series(0, ${DAYS_AHEAD}::int) ahead`;
    await this.db.transaction(() => this.db.execute(prepared));
  }

  /** @returns the names of the days' partitions that were dropped, because all in them is older than a day */
  async dropOld(): Promise<string[]> {
    const old = await this.db.rows<{ name: string }>(sql`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'numbered_events'::regclass
         and to_date(right(c.relname, 10), 'YYYY_MM_DD') + 2 <= (now() at time zone 'UTC')::date
       order by 1`);
    for (const { name } of old) {
      await this.db.transaction(() => this.db.execute(sql`drop table if exists ${raw(`"${name}"`)}`));
    }
    return old.map(({ name }) => name);
  }
}
