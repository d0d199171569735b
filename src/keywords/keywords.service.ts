import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { NotFoundError, ValidationError } from '#libs/errors';
import { type AddedOrEdited, type DeletedDto, required } from '#libs/http';
import { searchKey } from '#libs/text';
import { AuditService } from '../kernel/audit/audit.service';
import { type Caller, listedPlatform, type Viewer } from '../kernel/callers/caller';
import type { KeywordDto } from './dto/keyword.dto';
import type { ListKeywordsQuery } from './dto/list-keywords.query';
import type { SaveKeywordDto } from './dto/save-keyword.dto';
import { type KeywordRow, KeywordsRepository } from './keywords.repository';

const MOST_LISTED = 500;

@Injectable()
export class KeywordsService {
  constructor(
    private readonly db: Database,
    private readonly keywords: KeywordsRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async save(caller: Caller, dto: SaveKeywordDto): Promise<AddedOrEdited<KeywordDto>> {
    const { id } = dto;
    return this.db.transaction(() => (id == null ? this.create(caller, dto) : this.edit(caller, id, dto)));
  }

  async list(viewer: Viewer, query: ListKeywordsQuery): Promise<KeywordDto[]> {
    const keywords = await this.keywords.all(listedPlatform(viewer, query.PlatformId), MOST_LISTED);
    return keywords.map(presentKeyword);
  }

  async remove({ platformId, userId }: Caller, id: number): Promise<DeletedDto> {
    return this.db.transaction(async () => {
      await this.keywords.lock(platformId, id);
      await this.keywords.remove(id);
      await this.audit.record({
        platformId,
        actorId: userId,
        action: 'keyword.delete',
        target: { type: 'keyword', id },
      });
      return { message: 'Keyword deleted.', id };
    });
  }

  /** Which of the ids are no keywords of the platform. */
  unknownIds(platformId: number, ids: number[]): Promise<number[]> {
    return this.keywords.unknownIds(platformId, ids);
  }

  private async create({ platformId }: Caller, dto: SaveKeywordDto): Promise<AddedOrEdited<KeywordDto>> {
    const { title, description = null } = required(dto, 'title');
    const titleKey = searchKey(title);
    const slug = await this.keywords.freeSlug(platformId, title, 'keyword');
    const id = await this.keywords.add({ PlatformId: platformId, title, titleKey, slug, description });
    const keyword = await this.keywords.row(platformId, id === null ? { titleKey } : { id });
    if (!keyword) throw ValidationError.taken('title');
    return [presentKeyword(keyword), id !== null];
  }

  private async edit(
    { platformId }: Caller,
    id: number,
    dto: SaveKeywordDto,
  ): Promise<AddedOrEdited<KeywordDto>> {
    await this.keywords.lock(platformId, id);
    const { title, description } = dto;
    const same = title === undefined ? null : await this.keywords.findByTitle(platformId, searchKey(title));
    if (same && same.id !== id) throw ValidationError.taken('title');
    await this.keywords.update(platformId, id, {
      title,
      titleKey: title === undefined ? undefined : searchKey(title),
      description,
      updatedAt: this.clock.now(),
    });
    const keyword = await this.keywords.row(platformId, { id });
    if (!keyword) throw new NotFoundError();
    return [presentKeyword(keyword), false];
  }
}

const presentKeyword = (keyword: KeywordRow): KeywordDto => ({
  id: keyword.id,
  title: keyword.title,
  slug: keyword.slug,
  PlatformId: keyword.PlatformId,
  description: keyword.description,
  contentCount: keyword.contentCount,
});
