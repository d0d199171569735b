import type { User } from '../users/user.entity';
import type { MintedUserDto, SignedInUserDto } from './dto/auth.dto';

export const presentSignedInUser = ({ id, email, name, role, status }: User): SignedInUserDto => ({
  id,
  email,
  name,
  role,
  status,
});

export const presentMintedUser = ({ id, email, name, role, PlatformId }: User): MintedUserDto => ({
  id,
  email,
  name,
  role,
  platformId: PlatformId,
});
