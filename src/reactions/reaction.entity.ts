import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';

/** One emoji placed by one user on a content item or a comment. */
@Entity('reactions')
export class Reaction {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  @Column('integer')
  UserId!: number;

  @Column('integer', { nullable: true })
  ContentId!: number | null;

  @Column('integer', { nullable: true })
  CommentId!: number | null;

  @Column('text')
  emoji!: string;

  @InstantColumn()
  createdAt!: Date;
}
