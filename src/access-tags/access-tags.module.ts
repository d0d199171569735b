import { Module } from '@nestjs/common';
import { PlatformsModule } from '../platforms/platforms.module';
import { AccessTagsController } from './access-tags.controller';
import { AccessTagsRepository } from './access-tags.repository';
import { AccessTagsService } from './access-tags.service';
import { UserTagsController } from './user-tags.controller';

@Module({
  imports: [PlatformsModule],
  controllers: [AccessTagsController, UserTagsController],
  providers: [AccessTagsRepository, AccessTagsService],
  exports: [AccessTagsService],
})
export class AccessTagsModule {}
