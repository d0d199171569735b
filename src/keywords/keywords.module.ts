import { Module } from '@nestjs/common';
import { KeywordsController } from './keywords.controller';
import { KeywordsRepository } from './keywords.repository';
import { KeywordsService } from './keywords.service';

@Module({
  controllers: [KeywordsController],
  providers: [KeywordsRepository, KeywordsService],
  exports: [KeywordsService],
})
export class KeywordsModule {}
