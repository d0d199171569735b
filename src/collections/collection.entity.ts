import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import { SeenByAnyone } from '../kernel/kept-reads/seen-by-anyone';

@SeenByAnyone({
  from: 'publishedDate',
  until: 'expireDate',
  links: ['collection_groups', 'collection_contents'],
})
@Entity('collections')
export class Collection {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  /** Owner. */
  @Column('integer')
  UserId!: number;

  @Column('text')
  name!: string;

  /** Name, and all that a search of collections looks at, as `searchKey()` makes it. */
  @Column('text')
  nameKey!: string;

  @Column('text')
  searchKey!: string;

  /** Sanitised HTML. */
  @Column('text', { nullable: true })
  description!: string | null;

  /** What its texts take in an answer, about; the database derives it. */
  @Column({ type: 'integer', insert: false, update: false, nullable: true })
  bytes!: number;

  @Column('text')
  slug!: string;

  @Column('text', { nullable: true })
  collectionBGImage!: string | null;

  @Column('integer')
  position!: number;

  @InstantColumn({ nullable: true })
  publishedDate!: Date | null;

  @InstantColumn({ nullable: true })
  expireDate!: Date | null;

  @Column('text', { default: 'default' })
  collectionType!: string;

  /** As it was sent: see `orderByPreference()`. */
  @Column('text', { default: 'most recent first' })
  sortPreference!: string;

  /** A collection that is not on the homepage is hidden: left out of lists, answered by id and slug. */
  @Column('boolean', { default: true })
  showOnHomepage!: boolean;

  /** A gate that lost its last group stays closed until the owner saves it again. */
  @Column('boolean', { default: false })
  gateClosed!: boolean;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
