import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Access, type AddedOrEdited, ApiAddedOrEdited, type DeletedDto, IdPath, Refuses } from '#libs/http';
import { PublicRead } from '../kernel/kept-reads/public-read';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../kernel/callers/caller';
import { KeywordDto } from './dto/keyword.dto';
import { ListKeywordsQuery } from './dto/list-keywords.query';
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

  /**
   * List keywords
   * @remarks Those of a platform by title, at most 500.
   */
  @Get('keywords')
  @Access.optional()
  @PublicRead()
  list(@CurrentViewer() viewer: Viewer, @Query() query: ListKeywordsQuery): Promise<KeywordDto[]> {
    return this.keywords.list(viewer, query);
  }

  /**
   * Delete a keyword
   * @remarks It is taken off the contents that carried it.
   */
  @Delete('keyword/:id')
  @Access.role('admin')
  @Refuses({ 404: 'The platform has no keyword with this id.' })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedDto> {
    return this.keywords.remove(caller, id);
  }
}
