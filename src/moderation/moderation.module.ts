import { Module } from '@nestjs/common';
import { PlatformsModule } from '../platforms/platforms.module';
import { ModerationRepository } from './moderation.repository';
import { ModerationService } from './moderation.service';
import { SpamLimits } from './spam';

@Module({
  imports: [PlatformsModule],
  providers: [ModerationRepository, ModerationService, SpamLimits],
  exports: [ModerationService],
})
export class ModerationModule {}
