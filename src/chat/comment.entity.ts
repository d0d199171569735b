import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';
import type { ReactionCount } from '../kernel/reaction-counts/reaction-count';

@Entity('comments')
export class Comment {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  @Column('integer')
  ContentId!: number;

  /** Author. */
  @Column('integer')
  UserId!: number;

  @Column('integer', { nullable: true })
  parentCommentId!: number | null;

  /** Counts the comments of one content, or the replies of one comment, from 1 without a gap. */
  @Column('integer')
  ordinal!: number;

  /** Sanitised HTML. */
  @Column('text')
  message!: string;

  @Column('text')
  messagePlain!: string;

  /** The moment of the video that it is about. */
  @Column('integer', { nullable: true })
  atSeconds!: number | null;

  @Column('text', { nullable: true })
  moderationCategory!: string | null;

  /** The automatic check that flagged it; null when people did. */
  @Column('text', { nullable: true })
  moderationRule!: string | null;

  @Column('boolean', { default: false })
  awaitsApproval!: boolean;

  /** Flagged or waiting for approval, so that lists leave it out; the database derives it. */
  @Column({ type: 'boolean', insert: false, update: false, nullable: true })
  hidden!: boolean;

  @Column('boolean', { default: false })
  isEdited!: boolean;

  @InstantColumn({ nullable: true })
  editedAt!: Date | null;

  /** Direct replies neither deleted nor hidden, kept in the transaction that changes them. */
  @Column('integer', { default: 0 })
  replyCount!: number;

  /** Direct replies that the list shows, deleted ones among them. */
  @Column('integer', { default: 0 })
  listedCount!: number;

  /** The ordinal of the newest reply. */
  @Column('integer', { default: 0 })
  lastOrdinal!: number;

  @Column('jsonb', { default: [] })
  reactionCounts!: ReactionCount[];

  @InstantColumn({ nullable: true })
  deletedAt!: Date | null;

  /** Who deleted it; null for those deleted with something else. */
  @Column('integer', { nullable: true })
  deletedById!: number | null;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
