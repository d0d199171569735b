import { type Caller, isAdmin, isStaff } from '../sessions/caller';
import type { SaveContentDto } from './dto/save-content.dto';

/** Admins and creators add any type, other members posts only. */
export const canAddContent = (caller: Caller, type: string | undefined): boolean =>
  isStaff(caller) || type === 'post';

/** Authors edit and delete their own, admins all. */
export const canEditContent = (caller: Caller, { UserId }: { UserId: number }): boolean =>
  isAdmin(caller) || caller.userId === UserId;

/** Only admins name another author. */
export const canWriteAs = (caller: Caller, authorId: number): boolean =>
  isAdmin(caller) || caller.userId === authorId;

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
] as const satisfies (keyof SaveContentDto)[];

const isDefault = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Fields that only staff decide, and that a member sent with something else than the default. */
export const fieldsForStaffOnly = (dto: SaveContentDto, defaultVisibility: string): string[] =>
  STAFF_FIELDS.filter((field) =>
    field === 'visibility'
      ? dto.visibility !== undefined && dto.visibility !== defaultVisibility
      : !isDefault(dto[field]),
  );
