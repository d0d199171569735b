import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { IsId, IsOmittable } from '#libs/http';

const SCOPES = ['content', 'collection'] as const;
export type EmbedScope = (typeof SCOPES)[number];

export class EmbedTokenRequestDto {
  @IsIn(SCOPES)
  @ApiProperty({ enum: SCOPES, example: 'content' })
  scope!: EmbedScope;

  /** @example 41 */
  @IsId()
  id!: number;

  /**
   * How long the token may be exchanged, in seconds.
   * @example 300
   */
  @IsOmittable()
  @IsInt()
  @Min(60)
  @Max(3600)
  ttlSeconds: number = 300;
}

export class EmbedTokenDto {
  /** @example "eyJhbGciOi…" */
  embedToken!: string;

  /**
   * Seconds.
   * @example 300
   */
  expiresIn!: number;

  /**
   * The page to frame, token included.
   * @example "https://api.example.org/embed/content/41?token=eyJhbGciOi…"
   */
  url!: string;
}
