import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import {
  Database,
  type LinkTable,
  type PlatformRecord,
  PlatformRepository,
  raw,
  type Sql,
  sql,
} from '#libs/database';
import { escapeHtml } from '#libs/markup';
import { searchKey } from '#libs/text';
import { type Viewer, viewerOn } from '../kernel/callers/caller';
import { contentAccess, type Look } from '../kernel/access/content.access';
import { Content } from './content.entity';
import type { ContentRow } from './content.presenter';
import { contentColumns } from './content.sql';
import { teaser } from './teaser';

/** What others need to know of an item that the viewer may read. */
export type ReadableContent = Pick<Content, 'id' | 'PlatformId'> & {
  /** Comments are enabled, and moderators have not ended the conversation. */
  commentsOpen: boolean;
};

const LINKS = {
  groups: { table: 'content_groups', own: 'ContentId', linked: 'GroupId' },
  accessTags: { table: 'content_access_tags', own: 'ContentId', linked: 'AccessTagId' },
  keywords: { table: 'content_keywords', own: 'ContentId', linked: 'KeywordId' },
} as const satisfies Record<string, LinkTable>;
type Links = keyof typeof LINKS;

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
    by: { id: number } | { slug: string },
  ): Promise<ContentRow | null> {
    const found = 'id' in by ? sql`c.id = ${by.id}` : sql`c.slug = ${by.slug}`;
    const look = this.look(viewerOn(platformId, viewer));
    const access = contentAccess('c', look);
    const row = await this.db.row<ContentRow>(sql`
      select ${contentColumns(look, access)}
        from contents c join users u on u.id = c."UserId"
       where ${found} and c."PlatformId" = ${platformId} and ${access.visible}`);
    return row ?? null;
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
    content: Partial<Content> & Pick<Content, 'PlatformId' | 'title' | 'description' | 'plainText'>,
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

  async replaceLinks(links: Links, content: PlatformRecord, wanted: number[]): Promise<void> {
    await this.replaceLinked(LINKS[links], content, wanted);
    if (links === 'accessTags') return;
    await this.db.execute(sql`
      update contents c set "linkCount" = (select count(*) from content_groups where "ContentId" = c.id)
          + (select count(*) from content_keywords where "ContentId" = c.id)
       where c.id = ${content.id}`);
  }

  /** Whether the item asks its readers for a tier, a group or an access tag. */
  async isGated(id: number): Promise<boolean> {
    const row = await this.db.row(sql`
      select 1 from contents c where c.id = ${id} and (c."requiredRole" is not null
        or exists (select 1 from content_groups where "ContentId" = c.id)
        or exists (select 1 from content_access_tags where "ContentId" = c.id))`);
    return row !== undefined;
  }

  async linkedIds(links: Links, contentId: number): Promise<number[]> {
    const { table, linked } = LINKS[links];
    const rows = await this.db.rows<{ linked: number }>(sql`
      select ${raw(`"${linked}"`)} as linked from ${raw(table)} where "ContentId" = ${contentId} order by 1`);
    return rows.map(({ linked }) => linked);
  }

  /** Asked for by id, an unlisted item counts. */
  private look(viewer: Viewer): Look {
    return { viewer, now: this.clock.now(), unlisted: true };
  }
}

/** What is made of the texts when they are written, lest every read makes it anew. */
const keysOf = ({ title, plainText }: Partial<Content>): Partial<Content> => ({
  ...(title !== undefined && { titleKey: searchKey(title) }),
  ...(plainText !== undefined && {
    // What was written as text, `&lt;img&gt;`, becomes no tag by being cut.
    teaser: escapeHtml(teaser(plainText)),
    textKey: searchKey(plainText),
    teaserKey: searchKey(teaser(plainText)),
  }),
});
