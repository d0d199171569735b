import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { EmbedsController } from './embeds.controller';
import { EmbedsService } from './embeds.service';

@Module({
  imports: [ContentModule, PlatformsModule],
  controllers: [EmbedsController],
  providers: [EmbedsService],
})
export class EmbedsModule {}
