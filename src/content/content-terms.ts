export const CONTENT_TYPES = ['article', 'video', 'post'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** `hidden` means unlisted, not secret: whoever knows the id or slug may read it. */
export const VISIBILITIES = ['public', 'private', 'members', 'hidden'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
