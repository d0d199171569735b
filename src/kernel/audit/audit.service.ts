import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Sql } from '#libs/database';
import { currentRequest, type Page, pageOf, shortenedIp } from '#libs/http';
import { instants } from '#libs/time';
import type { Caller } from '../callers/caller';
import { AuditRepository, type AuditRow, type NewAuditRow, type Span } from './audit.repository';
import type { AuditEntryDto } from './dto/audit.dto';
import type { ListAuditQuery } from './dto/list-audit.query';

/** What happened, to what. Never an e-mail, a name or a secret: erasing a person needs no change here. */
export interface AuditEvent {
  platformId: number;
  /** null when it was the operator, or nobody had signed in. */
  actorId: number | null;
  /** `<what>.<verb>`, such as `user.ban`. */
  action: string;
  target: { type: string; id: number | string | null };
  /** Names of the fields that changed. */
  fields?: string[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

@Injectable()
export class AuditService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AuditService.name);
  private timer?: NodeJS.Timeout;

  constructor(private readonly entries: AuditRepository) {}

  /** Makes the partitions of the coming months, at start and daily: a row without one would land in the default. */
  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => void this.prepare(), DAY_MS);
    await this.prepare();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Writes one row for each event in the surrounding transaction. */
  async record(...events: AuditEvent[]): Promise<void> {
    if (events.length > 0) await this.entries.insert(rowsOf(events));
  }

  /** The statement of `record`, for a use case that has one of its own to put it into. */
  entry(event: AuditEvent): Sql {
    return this.entries.insertion(rowsOf([event]));
  }

  async page({ platformId }: Caller, query: ListAuditQuery): Promise<Page<AuditEntryDto>> {
    const { rows, total } = await this.entries.page(platformId, query, await this.span(platformId, query));
    return pageOf(rows.map(present), total, query);
  }

  private async span(platformId: number, { filters: { from, to } = {} }: ListAuditQuery): Promise<Span> {
    if (from === undefined && to === undefined) return {};
    return instants({ from, to }, await this.entries.timezone(platformId), ['from', 'to']);
  }

  private async prepare(): Promise<void> {
    try {
      await this.entries.preparePartitions();
    } catch (error) {
      this.logger.warn({ msg: 'The partitions of the audit log were not made', err: error });
    }
  }

  /** Drops whole months that are older. */
  prune(days: number): Promise<string[]> {
    return this.entries.dropOlderThan(days);
  }
}

function rowsOf(events: AuditEvent[]): NewAuditRow[] {
  const request = currentRequest();
  return events.map(({ platformId, actorId, action, target, fields = [] }) => ({
    PlatformId: platformId,
    ActorId: actorId,
    action,
    targetType: target.type,
    targetId: target.id === null ? null : String(target.id),
    fields,
    ip: request && shortenedIp(request.ip),
    requestId: request && (request.isClientsId ? `client:${request.requestId}` : request.requestId),
  }));
}

const present = (row: AuditRow): AuditEntryDto => ({
  id: row.id,
  at: row.at,
  actorId: row.ActorId,
  action: row.action,
  targetType: row.targetType,
  targetId: row.targetId,
  fields: row.fields,
  ip: row.ip,
  requestId: row.requestId,
});
