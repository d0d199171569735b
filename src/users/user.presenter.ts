import type { NamedDto } from '#libs/http';
import type { Role } from '../sessions/roles';
import type { AuthorDto, UserDto } from './dto/user.dto';
import type { User } from './user.entity';

export const presentUser = (user: User): UserDto => ({
  id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  status: user.status,
  PlatformId: user.PlatformId,
  photoUrl: user.photoUrl,
  bannerImageUrl: user.bannerImageUrl,
  notes: user.notes,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

export const presentCreatedUser = (user: User, token: string): UserDto => ({ ...presentUser(user), token });

export const presentUpdatedUser = (user: User, groups: NamedDto[]): UserDto => ({
  ...presentUser(user),
  Groups: groups,
});

export interface AuthorRow {
  authorId: number;
  authorName: string;
  authorPhotoUrl: string | null;
  authorRole: Role;
}

/** The author of something, from the row of a list; a deleted one is called `Deleted user` in the database. */
export const presentAuthor = (row: AuthorRow): AuthorDto => ({
  id: row.authorId,
  name: row.authorName,
  photoUrl: row.authorPhotoUrl,
  role: row.authorRole,
});
