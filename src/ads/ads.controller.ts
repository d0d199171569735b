import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import {
  Access,
  type AddedOrEdited,
  ApiAddedOrEdited,
  type DeletedDto,
  IdPath,
  type Page,
  Refuses,
} from '#libs/http';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../kernel/callers/caller';
import { AdsService } from './ads.service';
import { AdDto, AdPageDto, type ClickedAdDto, type RunningAdDto } from './dto/ad.dto';
import { CountAdDto } from './dto/count-ad.dto';
import { AdminAdsQuery, ListAdsQuery } from './dto/list-ads.query';
import { SaveAdDto } from './dto/save-ad.dto';

const BAD_TOKEN = 'The token is of another ad, forged or older than 24 hours (INVALID_TOKEN).';

@Controller('api')
export class AdsController {
  constructor(private readonly ads: AdsService) {}

  /**
   * Add or edit an ad
   * @remarks Admins and creators add ads; creators edit their own, admins all.
   */
  @Post('ad')
  @HttpCode(200)
  @Access.role('admin', 'creator')
  @ApiAddedOrEdited(AdDto)
  @Refuses({
    403: 'The caller is no admin or creator, or the ad is not theirs.',
    404: 'The platform has no ad with this id.',
  })
  save(@CurrentCaller() caller: Caller, @Body() dto: SaveAdDto): Promise<AddedOrEdited<AdDto>> {
    return this.ads.save(caller, dto);
  }

  /**
   * List the ads that run now
   * @remarks Those that are active, within their dates and for the viewer's role; an ad for certain roles is not
   * for anonymous visitors. The highest priority comes first. With `CollectionId` those that run on a
   * collection: made for it, or for every collection. Each comes with a token of its own, to be sent back when it
   * was seen or clicked.
   */
  @Get('ads')
  @Access.optional()
  // Its tokens count once: nobody may be given another's.
  @Header('cache-control', 'no-store')
  list(@CurrentViewer() viewer: Viewer, @Query() query: ListAdsQuery): Promise<RunningAdDto[]> {
    return this.ads.list(viewer, query);
  }

  /**
   * Count that an ad was seen
   * @remarks Each token counts once.
   */
  @Post('ad/:id/impression')
  @HttpCode(204)
  @Access.optional({ banned: true })
  @Refuses({ 400: BAD_TOKEN, 404: 'The ad is gone.' })
  countImpression(@Param('id', IdPath) id: number, @Body() dto: CountAdDto): Promise<void> {
    return this.ads.countImpression(id, dto);
  }

  /**
   * Count that an ad was clicked
   * @remarks Answers where it leads. Each token counts once, and leads there as often as it is sent.
   */
  @Post('ad/:id/click')
  @HttpCode(200)
  @Access.optional({ banned: true })
  @Refuses({ 400: BAD_TOKEN, 404: 'The ad is gone.' })
  countClick(@Param('id', IdPath) id: number, @Body() dto: CountAdDto): Promise<ClickedAdDto> {
    return this.ads.countClick(id, dto);
  }

  /**
   * List ads for those who manage them
   * @remarks Creators see their own, admins all of the platform, whether they run or not.
   */
  @Get('admin/ads')
  @Access.role('admin', 'creator')
  @ApiOkResponse({ type: AdPageDto })
  listForAdmin(@CurrentCaller() caller: Caller, @Query() query: AdminAdsQuery): Promise<Page<AdDto>> {
    return this.ads.listForAdmin(caller, query);
  }

  /**
   * Delete an ad
   * @remarks For its owner and admins. What was counted of it goes with it.
   */
  @Delete('ad/:id')
  @Access.role('admin', 'creator')
  @Refuses({
    403: 'The caller is no admin or creator, or the ad is not theirs.',
    404: 'The platform has no ad with this id.',
  })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedDto> {
    return this.ads.remove(caller, id);
  }
}
