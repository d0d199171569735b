import { Injectable } from '@nestjs/common';
import { During } from '#libs/events';
import type { AffectedGates } from '../access-tags/affected-gates';
import { GROUP_DELETED } from '../groups/groups.events';
import { CollectionGatesRepository } from './collection-gates.repository';

/** Collections whose last gate entry is deleted stay closed, so that nothing opens by accident. */
@Injectable()
export class CollectionsListener {
  constructor(private readonly gates: CollectionGatesRepository) {}

  @During(GROUP_DELETED)
  async groupDeleted({ groupId }: { groupId: number }): Promise<AffectedGates> {
    return { collections: await this.gates.close(groupId) };
  }
}
