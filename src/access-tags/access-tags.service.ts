import { Injectable } from '@nestjs/common';
import { AccessTagsRepository } from './access-tags.repository';

@Injectable()
export class AccessTagsService {
  constructor(private readonly accessTags: AccessTagsRepository) {}

  /** Which of the ids are no access tags of the platform. */
  unknownIds(platformId: number, ids: number[]): Promise<number[]> {
    return this.accessTags.unknownIds(platformId, ids);
  }
}
