export const CONTENT_TYPES = ['article', 'video', 'post'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];
