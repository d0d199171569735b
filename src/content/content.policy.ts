import { isDeepStrictEqual } from 'node:util';
import { type Caller, isSelfOrAdmin, isStaff, type Viewer } from '../kernel/callers/caller';
import type { Content } from './content.entity';
import type { ContentFilters } from './lists/dto/list-contents.query';

/** Admins and creators add any type, other members posts only. */
export const canAddContent = (caller: Caller, type: string | undefined): boolean =>
  isStaff(caller) || type === 'post';

/** Authors delete their own, admins all. */
export const canDeleteContent = (caller: Caller, { UserId }: Pick<Content, 'UserId'>): boolean =>
  isSelfOrAdmin(caller, UserId);

/** Authors edit their own, admins all; one who is no longer staff only what members may add. */
export const canEditContent = (caller: Caller, content: Pick<Content, 'UserId' | 'type'>): boolean =>
  canDeleteContent(caller, content) && canAddContent(caller, content.type);

/** Only admins name another author. */
export const canWriteAs = isSelfOrAdmin;

const STAFF_FIELDS = [
  'visibility',
  'featured',
  'publishedDate',
  'expireDate',
  'slug',
  'options',
  'video',
  'contentURI',
  'AccessTagIds',
  'requiredRole',
] as const;
type StaffField = (typeof STAFF_FIELDS)[number];

/** The values of the fields that only staff decide; what was not sent is undefined. */
export type StaffFields = Partial<Pick<Content, Exclude<StaffField, 'AccessTagIds'>>> & {
  AccessTagIds?: number[];
};

/** What they are while staff have not decided them. */
export const STAFF_DEFAULTS = {
  featured: false,
  publishedDate: null,
  expireDate: null,
  options: null,
  video: null,
  contentURI: null,
  AccessTagIds: [],
  requiredRole: null,
} as const satisfies Omit<Record<StaffField, unknown>, 'visibility' | 'slug'>;

/** The fields that only staff decide, and that were sent with something else than is there. */
export const fieldsForStaffOnly = (sent: StaffFields, there: object): StaffField[] => {
  const before = there as Record<string, unknown>;
  return STAFF_FIELDS.filter(
    (field) => sent[field] !== undefined && !isDeepStrictEqual(sent[field], before[field]),
  );
};

type Gate = Pick<Content, 'gateClosed' | 'visibility' | 'visibilityBefore'>;

/** What saving an item makes of a gate that was closed: it is open, and for members again what was for them before. */
export const openedGate = (
  { gateClosed, visibilityBefore }: Gate,
  wanted: Content['visibility'] | undefined,
): Partial<Gate> =>
  gateClosed
    ? { gateClosed: false, visibilityBefore: null, visibility: wanted ?? visibilityBefore ?? undefined }
    : { visibility: wanted };

/** Who reads an item, in one word for the header `X-Warning`. @param gated whether its gate has an entry */
export function readersOf({ visibility }: Pick<Content, 'visibility'>, gated: boolean): string {
  if (visibility === 'public' || visibility === 'hidden') return 'everyone';
  if (gated) return 'gated';
  return visibility === 'members' ? 'members' : 'author-and-staff';
}

/** Filters of a list that only staff set, whatever to. The viewer is one of the list's platform. */
export const filtersForStaffOnly = (viewer: Viewer, filters: ContentFilters = {}): string[] =>
  isStaff(viewer) ? [] : (['visibility', 'published'] as const).filter((name) => filters[name] !== undefined);
