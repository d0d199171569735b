import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import type { SessionKind } from './caller';

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
