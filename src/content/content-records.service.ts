import { Injectable } from '@nestjs/common';
import type { PlatformRecord } from '#libs/database';
import type { Caller } from '../kernel/callers/caller';
import type { Content } from './content.entity';
import { ContentRepository } from './content.repository';

/** The records of content, for domains whose records are content: what may be written is theirs to decide. */
@Injectable()
export class ContentRecords {
  constructor(private readonly contents: ContentRepository) {}

  get(platformId: number, id: number): Promise<Content> {
    return this.contents.get(platformId, id);
  }

  lock(platformId: number, id: number): Promise<Content> {
    return this.contents.lock(platformId, id);
  }

  /** Whether the caller may know of the item. */
  async isVisible(caller: Caller, id: number): Promise<boolean> {
    return (await this.contents.visible(caller, caller.platformId, { id })) !== null;
  }

  add(...content: Parameters<ContentRepository['add']>): Promise<Content> {
    return this.contents.add(...content);
  }

  change(content: PlatformRecord, changes: Partial<Content>): Promise<void> {
    return this.contents.change(content, changes);
  }

  freeSlug(platformId: number, text: string, instead: string): Promise<string> {
    return this.contents.freeSlug(platformId, text, instead);
  }

  groupIds(id: number): Promise<number[]> {
    return this.contents.linkedIds('groups', id);
  }

  async replaceGroups(content: PlatformRecord, groupIds: number[]): Promise<void> {
    await this.contents.replaceLinks('groups', content, groupIds);
  }
}
