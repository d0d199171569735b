import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import { SeenByAnyone } from '../kernel/kept-reads/seen-by-anyone';
import type { Role } from '../kernel/callers/roles';
import type { AdStatus, Placement } from './ad-terms';

@SeenByAnyone({ from: 'startDate', until: 'endDate', links: ['ad_collections'] })
@Entity('ads')
export class Ad {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  /** Owner. */
  @Column('integer')
  UserId!: number;

  @Column('text')
  title!: string;

  /** The title as search and sorting compare it: see `searchKey()`. */
  @Column('text')
  titleKey!: string;

  /** Sanitised HTML. */
  @Column('text', { nullable: true })
  body!: string | null;

  @Column('text', { nullable: true })
  imageUrl!: string | null;

  @Column('text')
  linkUrl!: string;

  @Column('text', { nullable: true })
  callToAction!: string | null;

  @Column('text')
  placement!: Placement;

  /** It was made for some collections: when the last of them is deleted, it does not run on all others. */
  @Column('boolean', { default: false })
  onlyCollections!: boolean;

  /** Who sees it; empty is everyone. */
  @Column('text', { array: true, default: [] })
  roles!: Role[];

  @Column('text', { array: true, default: [] })
  excludeRoles!: Role[];

  @InstantColumn({ nullable: true })
  startDate!: Date | null;

  @InstantColumn({ nullable: true })
  endDate!: Date | null;

  @Column('text', { default: 'draft' })
  status!: AdStatus;

  @Column('integer', { default: 0 })
  priority!: number;

  @Column('integer', { default: 0 })
  impressions!: number;

  @Column('integer', { default: 0 })
  clicks!: number;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
