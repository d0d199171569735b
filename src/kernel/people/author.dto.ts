import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../callers/roles';

/** Someone as others see them beside what they wrote. */
export class AuthorDto {
  /** @example 12 */
  id!: number;

  /** @example "Ada Lovelace" */
  name!: string;

  /** @example "https://example.org/ada.jpg" */
  photoUrl!: string | null;

  @ApiProperty({ enum: ROLES, example: 'creator' })
  role!: Role;
}
