import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn } from '#libs/database';

@Entity('access_tags')
export class AccessTag {
  @PrimaryGeneratedColumn('identity')
  id!: number;

  @Column('integer')
  PlatformId!: number;

  @Column('integer', { nullable: true })
  AuthorId!: number | null;

  @Column('text')
  title!: string;

  @InstantColumn()
  createdAt!: Date;

  @InstantColumn()
  updatedAt!: Date;
}
