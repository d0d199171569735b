import { Injectable } from '@nestjs/common';
import { During } from '#libs/events';
import { ACCESS_TAG_DELETED } from '../access-tags/access-tags.events';
import type { AffectedGates } from '../access-tags/affected-gates';
import { GROUP_DELETED } from '../groups/groups.events';
import { ContentGatesRepository } from './content-gates.repository';

/** Content whose last gate entry is deleted stays closed, so that nothing opens by accident. */
@Injectable()
export class ContentListener {
  constructor(private readonly gates: ContentGatesRepository) {}

  @During(GROUP_DELETED)
  async groupDeleted({ groupId }: { groupId: number }): Promise<AffectedGates> {
    return { contents: await this.gates.close({ groupId, accessTagId: null }) };
  }

  @During(ACCESS_TAG_DELETED)
  async accessTagDeleted({ accessTagId }: { accessTagId: number }): Promise<AffectedGates> {
    return { contents: await this.gates.close({ groupId: null, accessTagId }) };
  }
}
