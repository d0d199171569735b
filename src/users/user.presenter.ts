import type { NamedDto } from '#libs/http';
import type { UserDto } from './dto/user.dto';
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
