import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import { SeenByAnyone } from '../kernel/kept-reads/seen-by-anyone';

@SeenByAnyone()
@Entity('keywords')
export class Keyword {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  @Column('text')
  title!: string;

  /** Under which titles count as equal: see `searchKey()`. */
  @Column('text')
  titleKey!: string;

  @Column('text')
  slug!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
