import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import { SeenByAnyone } from '../kernel/kept-reads/seen-by-anyone';
import type { GroupVisibility, JoinPolicy, PostPolicy } from './group-terms';

@SeenByAnyone()
@Entity('groups')
export class Group {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  /** Owner. */
  @Column('integer')
  UserId!: number;

  @Column('text')
  name!: string;

  /** The name as search and sorting compare it: see `searchKey()`. */
  @Column('text')
  nameKey!: string;

  /** What its texts take in an answer, about; the database derives it. */
  @Column({ type: 'integer', insert: false, update: false, nullable: true })
  bytes!: number;

  @Column('text')
  slug!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  photoUrl!: string | null;

  @Column('text', { nullable: true })
  bannerImageUrl!: string | null;

  @Column('text', { default: 'members' })
  visibility!: GroupVisibility;

  @Column('text', { default: 'closed' })
  joinPolicy!: JoinPolicy;

  @Column('text', { default: 'members' })
  postPolicy!: PostPolicy;

  @Column('integer')
  position!: number;

  /** Active memberships, kept in the transaction that changes them. */
  @Column('integer', { default: 0 })
  memberCount!: number;

  @Column('boolean', { default: false })
  archived!: boolean;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
