import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What happened. `events` holds what was published and has no number yet; `numbered_events` holds it in one order,
 * a partition for each day, so that a day is forgotten without deleting rows. The relay makes the partitions.
 */
export class Events1795360000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
create table events (
  id bigint generated always as identity primary key,
  name text not null,
  payload text not null,
  -- the jobs that this event is for, as the process that published it knew them
  jobs text[] not null,
  language text
);

create table numbered_events (
  number bigint not null,
  name text not null,
  payload text not null,
  at timestamptz(3) not null default now(),
  primary key (number, at)
) partition by range (at);

create table event_counter (last bigint not null);
insert into event_counter values (0);

create function numbered_events_partition(day date) returns void language plpgsql as $$
declare
  name text := 'numbered_events_' || to_char(day, 'YYYY_MM_DD');
begin
  if to_regclass(name) is not null then return; end if;
  execute format('create table %I partition of numbered_events for values from (%L) to (%L)',
    name, day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
exception when duplicate_table or unique_violation then return; -- another process was first
end $$;
`;

const DOWN = `
drop table events, numbered_events, event_counter;
drop function numbered_events_partition;
`;
