import type { AccessTag } from './access-tag.entity';
import type { AccessTagDto, AccessTagHolderDto } from './dto/access-tag.dto';

/** A holder as the repository's list answers them. */
export type HolderRow = AccessTagHolderDto;

export const presentAccessTag = (tag: AccessTag): AccessTagDto => ({
  id: tag.id,
  title: tag.title,
  PlatformId: tag.PlatformId,
  AuthorId: tag.AuthorId,
  createdAt: tag.createdAt,
  updatedAt: tag.updatedAt,
});

export const presentHolder = (row: HolderRow): AccessTagHolderDto => ({
  id: row.id,
  name: row.name,
  photoUrl: row.photoUrl,
  role: row.role,
  expiresAt: row.expiresAt,
  createdAt: row.createdAt,
});
