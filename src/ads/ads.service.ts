import { Injectable } from '@nestjs/common';
import { Database, type Sized } from '#libs/database';
import { ForbiddenError, NotFoundError, refuseUnknownIds, ValidationError } from '#libs/errors';
import { type AddedOrEdited, type DeletedDto, type Page, pageOf, required } from '#libs/http';
import { sanitizeComment } from '#libs/markup';
import { instants, refuseReversed } from '#libs/time';
import { AuditService } from '../kernel/audit/audit.service';
import { PlatformsService } from '../platforms/platforms.service';
import { type Caller, listedPlatform, type Viewer, viewerOn } from '../kernel/callers/caller';
import type { Ad } from './ad.entity';
import { presentAd, presentPublicAd } from './ad.presenter';
import type { AdEvent } from './ad-terms';
import { canManageAd, listedOwner } from './ads.policy';
import { AdsRepository } from './ads.repository';
import type { AdDto, ClickedAdDto, PublicAdDto, RunningAdDto } from './dto/ad.dto';
import type { CountAdDto } from './dto/count-ad.dto';
import type { AdminAdsQuery, ListAdsQuery } from './dto/list-ads.query';
import type { SaveAdDto } from './dto/save-ad.dto';
import { ImpressionTokens } from './impression-tokens';

const TIMES = ['startDate', 'endDate'] as const;

@Injectable()
export class AdsService {
  constructor(
    private readonly db: Database,
    private readonly ads: AdsRepository,
    private readonly tokens: ImpressionTokens,
    private readonly platforms: PlatformsService,
    private readonly audit: AuditService,
  ) {}

  async list(viewer: Viewer, query: ListAdsQuery): Promise<RunningAdDto[]> {
    const platformId = listedPlatform(viewer, query.PlatformId);
    const rows = await this.ads.running(viewerOn(platformId, viewer), platformId, query);
    return rows.map((row) => ({ ...presentPublicAd(row), impressionToken: this.tokens.issue(row.id) }));
  }

  /**
   * The ads that run on each of these collections, which the viewer may see. Without impression tokens: they
   * are embedded in answers that many visitors are given alike. Of each the same number where not all fit.
   */
  async forCollections(
    viewer: Viewer,
    platformId: number,
    collectionIds: number[],
    most: number,
  ): Promise<Omit<Sized<unknown>, 'rows'> & { of: Map<number, PublicAdDto[]> }> {
    const on = viewerOn(platformId, viewer);
    const { rows, ...sizes } = await this.ads.onCollections(on, platformId, collectionIds, most);
    const grouped = Map.groupBy(rows, (row) => row.CollectionId);
    return { ...sizes, of: new Map([...grouped].map(([id, ads]) => [id, ads.map(presentPublicAd)])) };
  }

  async listForAdmin(caller: Caller, query: AdminAdsQuery): Promise<Page<AdDto>> {
    const { rows, total } = await this.ads.page(caller.platformId, listedOwner(caller), query);
    return pageOf(rows.map(presentAd), total, query);
  }

  async save(caller: Caller, dto: SaveAdDto): Promise<AddedOrEdited<AdDto>> {
    return this.db.transaction(async () => {
      const id = dto.id == null ? await this.add(caller, dto) : await this.edit(caller, dto.id, dto);
      const { CollectionIds } = dto;
      if (CollectionIds) await this.ads.replaceCollections(caller.platformId, id, CollectionIds);
      return [presentAd(await this.ads.row(id)), dto.id == null];
    });
  }

  async remove(caller: Caller, id: number): Promise<DeletedDto> {
    return this.db.transaction(async () => {
      await this.lock(caller, id);
      await this.ads.remove(id);
      const { platformId, userId: actorId } = caller;
      await this.audit.record({ platformId, actorId, action: 'ad.delete', target: { type: 'ad', id } });
      return { message: 'Ad deleted.', id };
    });
  }

  async countImpression(id: number, dto: CountAdDto): Promise<void> {
    await this.count(id, dto, 'impression');
  }

  async countClick(id: number, dto: CountAdDto): Promise<ClickedAdDto> {
    const { linkUrl } = await this.count(id, dto, 'click');
    return { url: linkUrl };
  }

  /** No look at the platform or at who calls: the token shows that the ad was given to them. */
  private async count(
    id: number,
    { impressionToken }: CountAdDto,
    kind: AdEvent,
  ): Promise<Pick<Ad, 'linkUrl'>> {
    const ad = await this.ads.count(id, this.tokens.nonceOf(id, impressionToken), kind);
    if (!ad) throw new NotFoundError();
    return ad;
  }

  private async add(caller: Caller, dto: SaveAdDto): Promise<number> {
    const { title, linkUrl, placement } = required(dto, 'title', 'linkUrl', 'placement');
    const fields = await this.fields(caller, dto);
    refuseReversed(fields, {}, TIMES);
    const { platformId: PlatformId, userId: UserId } = caller;
    return this.ads.add({ ...fields, title, linkUrl, placement, PlatformId, UserId });
  }

  private async edit(caller: Caller, id: number, dto: SaveAdDto): Promise<number> {
    const ad = await this.lock(caller, id);
    const fields = await this.fields(caller, dto);
    refuseReversed(fields, ad, TIMES);
    await this.ads.change(ad, fields);
    return id;
  }

  private async lock(caller: Caller, id: number): Promise<Ad> {
    const ad = await this.ads.lock(caller.platformId, id);
    if (!canManageAd(caller, ad)) throw new ForbiddenError('This ad is not yours to change.');
    return ad;
  }

  /** What a request may set; what it leaves out is undefined and stays. */
  private async fields({ platformId }: Caller, dto: SaveAdDto): Promise<Partial<Ad>> {
    const { CollectionIds, roles, excludeRoles } = dto;
    refuseUnknownIds({ CollectionIds: await this.ads.unknownCollections(platformId, CollectionIds ?? []) });
    return {
      ...instants(dto, await this.platforms.timezone(platformId), TIMES),
      title: dto.title,
      body: dto.body == null ? dto.body : bodyOf(dto.body),
      imageUrl: dto.imageUrl,
      linkUrl: dto.linkUrl,
      callToAction: dto.callToAction,
      placement: dto.placement,
      onlyCollections: CollectionIds && CollectionIds.length > 0,
      roles: roles && [...new Set(roles)],
      excludeRoles: excludeRoles && [...new Set(excludeRoles)],
      status: dto.status,
      priority: dto.priority,
    };
  }
}

/** Sanitised as comments are; null when nothing is left of it. */
function bodyOf(html: string): string | null {
  const marked = sanitizeComment(html);
  if (!marked) throw ValidationError.of('body', 'is too long once it is sanitised');
  return marked.html || null;
}
