import { Injectable } from '@nestjs/common';
import { Database, PlatformRepository } from '#libs/database';
import { AccessTag } from './access-tag.entity';

@Injectable()
export class AccessTagsRepository extends PlatformRepository<AccessTag> {
  constructor(db: Database) {
    super(db, AccessTag);
  }
}
