import { Module } from '@nestjs/common';
import { PlatformsModule } from '../platforms/platforms.module';
import { ModerationService } from './moderation.service';

@Module({ imports: [PlatformsModule], providers: [ModerationService], exports: [ModerationService] })
export class ModerationModule {}
