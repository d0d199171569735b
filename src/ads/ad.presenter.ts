import type { Ad } from './ad.entity';
import type { AdDto, PublicAdDto } from './dto/ad.dto';

/** An ad as the lists for visitors read it. */
export type PublicAdRow = Pick<
  Ad,
  'id' | 'title' | 'body' | 'imageUrl' | 'linkUrl' | 'callToAction' | 'placement' | 'priority'
>;

/** An ad as those who manage it read it. */
export type AdRow = Omit<Ad, 'titleKey' | 'onlyCollections'> & { CollectionIds: number[] };

export const presentPublicAd = (ad: PublicAdRow): PublicAdDto => ({
  id: ad.id,
  title: ad.title,
  body: ad.body,
  imageUrl: ad.imageUrl,
  linkUrl: ad.linkUrl,
  callToAction: ad.callToAction,
  placement: ad.placement,
  priority: ad.priority,
});

export const presentAd = (ad: AdRow): AdDto => ({
  ...presentPublicAd(ad),
  PlatformId: ad.PlatformId,
  UserId: ad.UserId,
  CollectionIds: ad.CollectionIds,
  roles: ad.roles,
  excludeRoles: ad.excludeRoles,
  startDate: ad.startDate,
  endDate: ad.endDate,
  status: ad.status,
  impressions: ad.impressions,
  clicks: ad.clicks,
  createdAt: ad.createdAt,
  updatedAt: ad.updatedAt,
});
