import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import { SeenByAnyone } from '../kernel/kept-reads/seen-by-anyone';
import type { Role, Status } from '../kernel/callers/roles';

@SeenByAnyone()
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  /** As it was written; null once the user is deleted, so that the address is free again. */
  @Column('text', { nullable: true })
  email!: string | null;

  /** Under which the address counts as the same: see `emailKey()`. */
  @Column('text', { nullable: true })
  emailKey!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  nameKey!: string;

  @Column('text')
  role!: Role;

  @Column('text', { default: 'active' })
  status!: Status;

  @Column('text', { nullable: true })
  photoUrl!: string | null;

  @Column('text', { nullable: true })
  bannerImageUrl!: string | null;

  @Column('text', { nullable: true })
  notes!: string | null;

  @Column('text', { nullable: true })
  passwordHash!: string | null;

  @InstantColumn({ nullable: true })
  bannedAt!: Date | null;

  @InstantColumn({ nullable: true })
  bannedUntil!: Date | null;

  @Column('text', { nullable: true })
  banReason!: string | null;

  @InstantColumn({ nullable: true })
  deletedAt!: Date | null;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
