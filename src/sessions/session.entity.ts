import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import type { SessionKind } from '../kernel/callers/caller';

/** One token that was issued: its id is the token's `jti`. */
@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('integer')
  PlatformId!: number;

  @Column('integer')
  UserId!: number;

  @Column('text')
  kind!: SessionKind;

  /** The session that this one was made from, and ends with. */
  @Column('uuid', { nullable: true })
  parentId!: string | null;

  /** The only thing that an embed session is good for, such as `content:41`. */
  @Column('text', { nullable: true })
  object!: string | null;

  /** One of kind `embed` that is good for nothing but to be exchanged, once, for another. */
  @Column('boolean', { default: false })
  ticket!: boolean;

  /** Shortened to /24 or /48. */
  @Column('text', { nullable: true })
  ip!: string | null;

  @Column('text', { nullable: true })
  userAgent!: string | null;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  lastSeenAt!: Date;

  @InstantColumn()
  expiresAt!: Date;

  @InstantColumn({ nullable: true })
  endedAt!: Date | null;
}
