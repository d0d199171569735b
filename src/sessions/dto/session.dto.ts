import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { IsOmittable } from '#libs/http';
import type { SessionKind } from '../../kernel/callers/caller';

const KINDS = ['password', 'otp', 'minted', 'created', 'embed'];

export class SessionDto {
  /** @example "3f0d6a0e-55d6-4b52-a6a3-9c1a6f0f2d11" */
  id!: string;

  @ApiProperty({ enum: KINDS, example: 'password', description: 'How it began.' })
  kind!: SessionKind;

  /** @example "2026-01-05T09:30:00.000Z" */
  createdAt!: Date;

  /** @example "2026-01-06T18:02:00.000Z" */
  lastSeenAt!: Date;

  /**
   * Shortened to /24 or /48.
   * @example "203.0.113.0/24"
   */
  ip!: string | null;

  /** @example "Mozilla/5.0" */
  userAgent!: string | null;

  /**
   * Whether it is the one that asks.
   * @example true
   */
  current!: boolean;

  /** @example "2026-02-04T09:30:00.000Z" */
  expiresAt!: Date;
}

export class EndedSessionDto {
  /** @example "Session ended." */
  message!: string;

  /** @example "3f0d6a0e-55d6-4b52-a6a3-9c1a6f0f2d11" */
  id!: string;
}

export class SignOutAllDto {
  /**
   * Whether the session that asks goes on.
   * @example true
   */
  @IsOmittable()
  @IsBoolean()
  keepCurrent: boolean = false;
}

export class EndedSessionsDto {
  /** @example "Signed out." */
  message!: string;

  /**
   * How many sessions ended.
   * @example 2
   */
  count!: number;
}
