import { Module } from '@nestjs/common';
import { PlatformsModule } from '../platforms/platforms.module';
import { AdsController } from './ads.controller';
import { AdsRepository } from './ads.repository';
import { AdsService } from './ads.service';
import { ImpressionTokens } from './impression-tokens';

@Module({
  imports: [PlatformsModule],
  controllers: [AdsController],
  providers: [AdsRepository, AdsService, ImpressionTokens],
  exports: [AdsService],
})
export class AdsModule {}
