import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Access, type AddedOrEdited, ApiAddedOrEdited, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../sessions/caller';
import { KeywordDto } from './dto/keyword.dto';
import { SaveKeywordDto } from './dto/save-keyword.dto';
import { KeywordsService } from './keywords.service';

@Controller('api')
export class KeywordsController {
  constructor(private readonly keywords: KeywordsService) {}

  /**
   * Add or edit a keyword
   * @remarks Titles that differ only in case and accents are one keyword: adding such a title answers the
   * keyword that is there, with false.
   */
  @Post('keyword')
  @HttpCode(200)
  @Access.role('admin', 'creator')
  @ApiAddedOrEdited(KeywordDto)
  @Refuses({ 404: 'The platform has no keyword with this id.' })
  save(@CurrentCaller() caller: Caller, @Body() dto: SaveKeywordDto): Promise<AddedOrEdited<KeywordDto>> {
    return this.keywords.save(caller, dto);
  }
}
