/** Where an ad is shown. */
export const PLACEMENTS = ['home', 'collection', 'content', 'feed'] as const;
export type Placement = (typeof PLACEMENTS)[number];

export const AD_STATUSES = ['draft', 'active', 'paused'] as const;
export type AdStatus = (typeof AD_STATUSES)[number];

/** What is counted of an ad, once for each token and kind. */
export type AdEvent = 'impression' | 'click';
