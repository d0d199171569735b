import sql, { type Sql } from 'sql-template-tag';

/** A row of what fits, with what the rows up to it take, and what all would. */
export interface Fitted {
  used: number;
  wanted: number;
}

/** Rows that were read, and what all that were asked for would take. */
export interface Sized<Row> {
  rows: Row[];
  used: number;
  wanted: number;
}

/**
 * Those of `rows` that fit into `most` bytes together, by their columns `place` and `size`: so many places as all
 * rows that stand there fit, and at least a part of the first. Cheapest over ids, before their texts are joined.
 */
export const fitting = (rows: Sql, most: Sql | number): Sql => sql`
  select * from (
    select r.*, (sum(r.size) over (order by r.place))::float8 as used, (sum(r.size) over ())::float8 as wanted,
           coalesce(sum(r.size) over (order by r.place rows between unbounded preceding and 1 preceding), 0) as before
      from (${rows} offset 0) r) r
   where r.used <= ${most} or (r.place = 1 and r.before < ${most})`;

/** The first of `rows`, which come in their order with their `size`, that fit into `most` bytes together. */
export const firstFitting = (rows: Sql, most: Sql | number): Sql =>
  sql`${fitting(placed(rows), most)} order by r.place`;

/** Gives each of the rows, which come in their order, its `place`. */
export const placed = (rows: Sql): Sql => sql`select o.*, row_number() over () as place from (${rows}) o`;

/** @param rows in the order of their places */
export const sizedOf = <Row>(rows: (Row & Fitted)[]): Sized<Row> => ({
  rows,
  used: rows.at(-1)?.used ?? 0,
  wanted: rows[0]?.wanted ?? 0,
});
