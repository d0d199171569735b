import { Injectable } from '@nestjs/common';
import { Database, raw, type Sql, sql } from '#libs/database';
import type { Caller, Viewer } from '../kernel/callers/caller';
import type { ReactorDto } from './dto/reactions.dto';
import type { ReactionCount } from '../kernel/reaction-counts/reaction-count';

/** What a reaction is placed on. */
export interface Target {
  kind: 'content' | 'comment';
  id: number;
}

export interface ReactionState {
  reactionCounts: ReactionCount[];
  mine: string[];
}

const SHOWN_USERS = 100;
const TABLE = { content: raw('contents'), comment: raw('comments') };
const COLUMN = { content: raw('"ContentId"'), comment: raw('"CommentId"') };

@Injectable()
export class ReactionsRepository {
  constructor(private readonly db: Database) {}

  async state(viewer: Viewer, target: Target): Promise<ReactionState> {
    const mine = viewer
      ? sql`array(select emoji from reactions where ${on(target)} and "UserId" = ${viewer.userId} order by id)`
      : sql`'{}'::text[]`;
    const row = await this.db.row<ReactionState>(sql`
      select "reactionCounts", ${mine} as mine from ${TABLE[target.kind]} where id = ${target.id}`);
    return row ?? { reactionCounts: [], mine: [] };
  }

  async users(target: Target, emoji: string): Promise<ReactorDto[]> {
    return this.db.rows(sql`
      select u.id, u.name, u."photoUrl" from reactions r join users u on u.id = r."UserId"
       where ${on(target)} and r.emoji = ${emoji} order by r.id limit ${SHOWN_USERS}`);
  }

  /** Reactions to one target change one after the other, so that its counts are exact. */
  async lock({ kind, id }: Target): Promise<void> {
    await this.db.execute(sql`select 1 from ${TABLE[kind]} where id = ${id} for update`);
  }

  /** @returns whether it was not there before */
  async add({ userId, platformId }: Caller, target: Target, emoji: string): Promise<boolean> {
    const added = await this.db.execute(sql`
      insert into reactions ("PlatformId", "UserId", ${COLUMN[target.kind]}, emoji)
      values (${platformId}, ${userId}, ${target.id}, ${emoji}) on conflict do nothing`);
    if (added > 0) await this.recount(target);
    return added > 0;
  }

  /** @returns whether it was there before */
  async remove({ userId }: Caller, target: Target, emoji: string): Promise<boolean> {
    const removed = await this.db.execute(sql`
      delete from reactions where ${on(target)} and "UserId" = ${userId} and emoji = ${emoji}`);
    if (removed > 0) await this.recount(target);
    return removed > 0;
  }

  private async recount(target: Target): Promise<void> {
    await this.db.execute(sql`
      update ${TABLE[target.kind]} set "reactionCounts" = coalesce((
        select jsonb_agg(jsonb_build_object('emoji', emoji, 'count', count) order by count desc, first)
          from (select emoji, count(*) as count, min(id) as first from reactions where ${on(target)} group by emoji) g),
        '[]')
       where id = ${target.id}`);
  }
}

const on = ({ kind, id }: Target): Sql => sql`${COLUMN[kind]} = ${id}`;
