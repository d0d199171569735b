import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module';
import { ContentSearchRepository } from './content-search.repository';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';

@Module({
  imports: [ContentModule],
  controllers: [SearchController],
  providers: [ContentSearchRepository, SearchService],
})
export class SearchModule {}
