import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, equals, join, orderBy, type PageRows, type Sql, sql } from '#libs/database';
import { offsetOf } from '#libs/http';
import type { ListAuditQuery } from './dto/list-audit.query';

export interface AuditRow {
  id: string;
  at: Date;
  PlatformId: number;
  ActorId: number | null;
  action: string;
  targetType: string;
  targetId: string | null;
  fields: string[];
  ip: string | null;
  requestId: string | null;
}

export type NewAuditRow = Omit<AuditRow, 'id' | 'at'>;

/** From the one to the other, both included. */
export interface Span {
  from?: Date | null;
  to?: Date | null;
}

const MONTHS_AHEAD = 3;

const ORDERS = { id: 'audit_log.id', at: 'at' };

@Injectable()
export class AuditRepository {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async insert(rows: NewAuditRow[]): Promise<void> {
    await this.db.execute(this.insertion(rows));
  }

  /** The statement of `insert`, for those who make it a part of their own. */
  insertion(rows: NewAuditRow[]): Sql {
    const at = this.clock.now();
    const values = rows.map(
      (
        row,
      ) => sql`(${at}, ${row.PlatformId}, ${row.ActorId}, ${row.action}, ${row.targetType}, ${row.targetId},
        ${row.fields}, ${row.ip}, ${row.requestId})`,
    );
    return sql`
      insert into audit_log (at, "PlatformId", "ActorId", action, "targetType", "targetId", fields, ip, "requestId")
      values ${join(values)}`;
  }

  async page(platformId: number, query: ListAuditQuery, { from, to }: Span): Promise<PageRows<AuditRow>> {
    const { action, actorId, targetType, targetId } = query.filters ?? {};
    const listed = sql`
      from audit_log where "PlatformId" = ${platformId}
       and ${equals('action', action)} and ${equals('"ActorId"', actorId)}
       and ${equals('"targetType"', targetType)} and ${equals('"targetId"', targetId)}
       and ${from ? sql`at >= ${from}` : sql`true`} and ${to ? sql`at <= ${to}` : sql`true`}`;
    return this.db.page(
      sql`
      select id::text, at, "PlatformId", "ActorId", action, "targetType", "targetId", fields, ip, "requestId"
        ${listed} order by ${orderBy(query.sort, ORDERS)} limit ${query.itemsPerPage} offset ${offsetOf(query)}`,
      listed,
    );
  }

  /** The zone in which times without an offset are read. */
  async timezone(platformId: number): Promise<string> {
    const row = await this.db.row<{ timezone: string }>(
      sql`select timezone from platforms where id = ${platformId}`,
    );
    return row?.timezone ?? 'UTC';
  }

  /** The partitions of this month and the next ones, made before they are needed. */
  async preparePartitions(): Promise<void> {
    await this.db.execute(sql`
      select audit_log_partition((date_trunc('month', now()) + make_interval(months => m))::date)
        from generate_series(0, ${MONTHS_AHEAD}) m`);
  }

  /** @returns the names of the months' partitions that were dropped because all in them is older */
  async dropOlderThan(days: number): Promise<string[]> {
    const old = await this.db.rows<{ name: string }>(sql`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'audit_log'::regclass and c.relname ~ '^audit_log_[0-9]{4}_[0-9]{2}$'
         and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < now() - make_interval(days => ${days})
       order by 1`);
    for (const { name } of old) await this.db.dataSource.query(`drop table "${name}"`);
    return old.map(({ name }) => name);
  }
}
