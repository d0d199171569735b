import { Column, Entity, PrimaryColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import type { MemberRole, MemberSource, MemberStatus } from './group-terms';

@Entity('group_members')
export class GroupMember {
  @PrimaryColumn('integer')
  GroupId!: number;

  @PrimaryColumn('integer')
  UserId!: number;

  @Column('integer')
  PlatformId!: number;

  @Column('text', { default: 'member' })
  role!: MemberRole;

  @Column('text', { default: 'active' })
  status!: MemberStatus;

  @Column('text', { default: 'manual' })
  source!: MemberSource;

  @InstantColumn({ nullable: true })
  expiresAt!: Date | null;

  /** Why they asked to join. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @InstantColumn()
  createdAt!: Date;
}
