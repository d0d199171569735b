import { Injectable } from '@nestjs/common';
import type { AddedOrEdited } from '#libs/http';
import type { Caller } from '../kernel/callers/caller';
import type { Content } from './content.entity';

/** What members save as content, to add, or to edit when `id` is present. What is left out on update stays. */
export interface PostToSave {
  id?: number | null;
  title?: string;
  /** HTML or text, as it was sent. */
  message?: string;
  GroupIds?: number[];
  chatEnabled?: boolean;
  featuredImage?: string | null;
}

export interface PostWriter {
  /**
   * To be called in a transaction.
   * @param field what the request calls the message
   */
  save(caller: Caller, post: PostToSave, field: string): Promise<AddedOrEdited<Content>>;
}

/**
 * Where members' content meets those who write posts. Posts know of content, so content cannot know of them: they
 * announce themselves here.
 */
@Injectable()
export class MemberContent {
  private writer?: PostWriter;

  register(writer: PostWriter): void {
    this.writer = writer;
  }

  async save(caller: Caller, post: PostToSave, field: string): Promise<AddedOrEdited<Content>> {
    if (!this.writer) throw new Error('Nobody writes posts here.');
    return this.writer.save(caller, post, field);
  }
}
