import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, ids, type PlatformRecord, PlatformRepository, raw, type Sql, sql } from '#libs/database';
import { plainText, searchKey } from '#libs/text';
import { type Viewer, viewerOn } from '../sessions/caller';
import { contentAccess, type Look } from './content.access';
import { Content } from './content.entity';
import type { ContentRow } from './content.presenter';
import { contentColumns } from './content.sql';
import { teaser } from './teaser';

/** What others need to know of an item that the viewer may read. */
export type ReadableContent = Pick<Content, 'id' | 'PlatformId'> & {
  /** Comments are enabled, and moderators have not ended the conversation. */
  commentsOpen: boolean;
};

type LinkTable = 'content_groups' | 'content_access_tags' | 'content_keywords';
const LINKED_COLUMN = {
  content_groups: raw('"GroupId"'),
  content_access_tags: raw('"AccessTagId"'),
  content_keywords: raw('"KeywordId"'),
} as const;

@Injectable()
export class ContentRepository extends PlatformRepository<Content> {
  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    super(db, Content);
  }

  /** The item as the viewer sees it, a teaser perhaps; null when for them it does not exist. */
  async visible(
    viewer: Viewer,
    platformId: number,
    by: number | { slug: string },
  ): Promise<ContentRow | null> {
    const found = typeof by === 'number' ? sql`c.id = ${by}` : sql`c.slug = ${by.slug}`;
    const look = this.look(viewerOn(platformId, viewer));
    const access = contentAccess('c', look);
    const row = await this.db.row<ContentRow>(sql`
      select ${contentColumns(look, access)}
        from contents c join users u on u.id = c."UserId"
       where ${found} and c."PlatformId" = ${platformId} and ${access.visible}`);
    return row ?? null;
  }

  /** Deleted items are none. */
  override async unknownIds(platformId: number, wanted: readonly number[]): Promise<number[]> {
    if (wanted.length === 0) return [];
    const known = await this.db.rows<{ id: number }>(sql`
      select id from contents
       where "PlatformId" = ${platformId} and id = any(${ids(wanted)}) and "deletedAt" is null`);
    const found = new Set(known.map(({ id }) => id));
    return [...new Set(wanted)].filter((id) => !found.has(id));
  }

  async platformOf(id: number): Promise<number | null> {
    const row = await this.db.row<{ PlatformId: number }>(
      sql`select "PlatformId" from contents where id = ${id}`,
    );
    return row?.PlatformId ?? null;
  }

  /** The item if the viewer may read all of it: neither a teaser nor, to strangers, of a closed platform. */
  async readable(viewer: Viewer, id: number): Promise<ReadableContent | null> {
    const row = await this.db.row<ReadableContent>(sql`
      select c.id, c."PlatformId", c."chatEnabled" and not c."commentsLocked" as "commentsOpen"
        from contents c where ${this.isReadable(viewer, sql`c.id = ${id}`)}`);
    return row ?? null;
  }

  /**
   * The condition that the item `c` found by `by` may be read. The viewer may be of any platform: on that of
   * the item they count as themself, elsewhere as a stranger.
   */
  isReadable(viewer: Viewer, by: Sql): Sql {
    const stranger = contentAccess('c', this.look(null)).readable;
    if (!viewer) return sql`${by} and ${stranger}`;
    const own = contentAccess('c', this.look(viewer)).readable;
    return sql`${by} and case when c."PlatformId" = ${viewer.platformId} then ${own} else ${stranger} end`;
  }

  async add(
    content: Partial<Content> & Pick<Content, 'PlatformId' | 'title' | 'description'>,
  ): Promise<Content> {
    const { id } = await this.insert({ ...content, ...keysOf(content) } as never);
    return this.get(content.PlatformId, id);
  }

  async change({ PlatformId, id }: PlatformRecord, changes: Partial<Content>): Promise<void> {
    await this.update(PlatformId, id, {
      ...changes,
      ...keysOf(changes),
      updatedAt: this.clock.now(),
    } as never);
  }

  async markDeleted(content: PlatformRecord): Promise<void> {
    await this.change(content, { deletedAt: this.clock.now() });
  }

  /** @returns the ids that were linked before or are now */
  async replaceLinks(table: LinkTable, { PlatformId, id }: Content, linked: number[]): Promise<number[]> {
    const column = LINKED_COLUMN[table];
    const gone = await this.db.rows<{ linked: number }>(sql`
      delete from ${raw(table)} where "ContentId" = ${id} and ${column} <> all(${ids(linked)})
      returning ${column} as linked`);
    await this.db.execute(sql`
      insert into ${raw(table)} ("PlatformId", "ContentId", ${column})
      select ${PlatformId}, ${id}, unnest(${ids(linked)}) on conflict do nothing`);
    return [...linked, ...gone.map((row) => row.linked)];
  }

  async linkedIds(table: LinkTable, contentId: number): Promise<number[]> {
    const rows = await this.db.rows<{ linked: number }>(sql`
      select ${LINKED_COLUMN[table]} as linked from ${raw(table)} where "ContentId" = ${contentId} order by 1`);
    return rows.map(({ linked }) => linked);
  }

  /** Asked for by id, an unlisted item counts. */
  private look(viewer: Viewer): Look {
    return { viewer, now: this.clock.now(), unlisted: true };
  }
}

const keysOf = ({ title, description }: Partial<Content>): Partial<Content> => ({
  ...(title !== undefined && { titleKey: searchKey(title) }),
  ...(description !== undefined && {
    textKey: searchKey(plainText(description)),
    teaserKey: searchKey(teaser(description)),
  }),
});
