import { Module } from '@nestjs/common';
import { AccessTagsRepository } from './access-tags.repository';
import { AccessTagsService } from './access-tags.service';

@Module({ providers: [AccessTagsRepository, AccessTagsService], exports: [AccessTagsService] })
export class AccessTagsModule {}
