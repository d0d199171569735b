import { Module } from '@nestjs/common';
import { Origins } from './origins';
import { PlatformsController } from './platforms.controller';
import { PlatformsRepository } from './platforms.repository';
import { PlatformsService } from './platforms.service';

@Module({
  controllers: [PlatformsController],
  providers: [PlatformsRepository, PlatformsService, Origins],
  exports: [PlatformsService, Origins],
})
export class PlatformsModule {}
