import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import { SeenByAnyone } from '../kernel/kept-reads/seen-by-anyone';
import type { PlatformSettings } from './platform-settings';

@SeenByAnyone()
@Entity('platforms')
export class Platform {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('text')
  name!: string;

  @Column('text')
  slug!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  upgradeBtn!: string | null;

  @Column('text', { nullable: true })
  heroImage!: string | null;

  @Column('text', { nullable: true })
  favIconImage!: string | null;

  @Column('text', { nullable: true })
  heroBGColor!: string | null;

  @Column('text', { nullable: true })
  heroTextColor!: string | null;

  @Column('text', { nullable: true })
  primaryColor!: string | null;

  @Column('text', { nullable: true })
  secondaryColor!: string | null;

  @Column('text', { nullable: true })
  darkColor!: string | null;

  @Column('text', { nullable: true })
  lightColor!: string | null;

  @Column('boolean', { default: false })
  heroImgOnly!: boolean;

  @Column('text', { nullable: true })
  fathomAnalytics!: string | null;

  @Column('text', { nullable: true })
  homepageUrl!: string | null;

  /** `homepageUrl` as it is looked up, see `homepageKey()`; without it the address is not this platform's alone. */
  @Column('text', { nullable: true })
  homepageKey!: string | null;

  @Column('text', { nullable: true })
  upgradeUrl!: string | null;

  @Column('text', { nullable: true })
  logo!: string | null;

  @Column('text', { nullable: true })
  premiumToken!: string | null;

  @Column('text', { nullable: true })
  basicToken!: string | null;

  @Column('boolean', { nullable: true })
  hideSignin!: boolean | null;

  @Column('text', { default: 'UTC' })
  timezone!: string;

  /** Only what differs from the defaults. */
  @Column('jsonb', { default: {} })
  settings!: Partial<PlatformSettings>;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
