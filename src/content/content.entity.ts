import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import { SeenByAnyone } from '../kernel/kept-reads/seen-by-anyone';
import type { ReactionCount } from '../kernel/reaction-counts/reaction-count';
import type { Tier } from '../kernel/callers/roles';
import type { Visibility } from '../kernel/access/visibilities';
import type { ContentType } from './content-types';

@SeenByAnyone({
  from: 'publishedDate',
  until: 'expireDate',
  links: ['content_groups', 'content_access_tags', 'content_keywords'],
})
@Entity('contents')
export class Content {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  /** Author. */
  @Column('integer')
  UserId!: number;

  @Column('text')
  title!: string;

  @Column('text')
  slug!: string;

  /** Sanitised HTML. */
  @Column('text', { default: '' })
  description!: string;

  /** The description without its markup. */
  @Column('text', { default: '' })
  plainText!: string;

  /** What those who may not open the item see for its description, as HTML. */
  @Column('text', { default: '' })
  teaser!: string;

  @Column('text')
  type!: ContentType;

  @Column('text')
  visibility!: Visibility;

  /** Gate: this tier or a higher one. Groups and access tags gate in tables of their own. */
  @Column('text', { nullable: true })
  requiredRole!: Tier | null;

  /** A gate that lost its last entry stays closed until the owner saves it again. */
  @Column('boolean', { default: false })
  gateClosed!: boolean;

  /** What the closing of the gate made private, and saving it makes for members again. */
  @Column('text', { nullable: true })
  visibilityBefore!: 'members' | null;

  @Column('text', { nullable: true })
  featuredImage!: string | null;

  @Column('text', { nullable: true })
  video!: string | null;

  @Column('text', { nullable: true })
  contentURI!: string | null;

  @Column('boolean', { default: true })
  chatEnabled!: boolean;

  @Column('boolean', { default: false })
  featured!: boolean;

  @Column('jsonb', { nullable: true })
  options!: Record<string, unknown> | null;

  @InstantColumn({ nullable: true })
  publishedDate!: Date | null;

  @InstantColumn({ nullable: true })
  expireDate!: Date | null;

  @Column('text', { nullable: true })
  moderationCategory!: string | null;

  @Column('boolean', { default: false })
  awaitsApproval!: boolean;

  /** Groups and keywords, when they were last set. */
  @Column('integer', { default: 0 })
  linkCount!: number;

  /** What the item takes in an answer, about; the database derives it. */
  @Column({ type: 'integer', insert: false, update: false, nullable: true })
  bytes!: number;

  /** Title and text as search compares them: see `searchKey()`. */
  @Column('text')
  titleKey!: string;

  @Column('text')
  textKey!: string;

  /** As `textKey`, of the part that a teaser shows. */
  @Column('text')
  teaserKey!: string;

  /** Comments neither deleted nor held, kept in the transaction that changes them. */
  @Column('integer', { default: 0 })
  commentCount!: number;

  /** Top-level comments that the list shows, deleted ones among them. */
  @Column('integer', { default: 0 })
  topLevelCount!: number;

  /** The ordinal of the newest top-level comment. */
  @Column('integer', { default: 0 })
  lastOrdinal!: number;

  @Column('integer', { default: 0 })
  viewCount!: number;

  @Column('jsonb', { default: [] })
  reactionCounts!: ReactionCount[];

  /** Before the others of its group: posts only. */
  @Column('boolean', { default: false })
  pinned!: boolean;

  /** Moderators ended the conversation: posts only. */
  @Column('boolean', { default: false })
  commentsLocked!: boolean;

  @Column('boolean', { default: false })
  isEdited!: boolean;

  @InstantColumn({ nullable: true })
  editedAt!: Date | null;

  /** Its newest comment, or its own creation. */
  @InstantColumn()
  lastActivityAt!: Date;

  @InstantColumn({ nullable: true })
  deletedAt!: Date | null;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
