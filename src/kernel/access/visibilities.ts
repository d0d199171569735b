/** `hidden` means unlisted, not secret: whoever knows the id or slug may read it. */
export const VISIBILITIES = ['public', 'private', 'members', 'hidden'] as const;
export type Visibility = (typeof VISIBILITIES)[number];
