import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import {
  Access,
  type AddedOrEdited,
  ApiAddedOrEdited,
  ApiWildcard,
  IdPath,
  Refuses,
  UseErrorShapes,
} from '#libs/http';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../kernel/callers/caller';
import { PlatformDto, type PublicPlatformDto } from './dto/platform.dto';
import { SaveOwnPlatformDto } from './dto/save-platform.dto';
import { SaveSettingsDto } from './dto/save-settings.dto';
import type { SettingsDto } from './dto/settings.dto';
import { PlatformsService } from './platforms.service';

@Controller('api')
export class PlatformsController {
  constructor(private readonly platforms: PlatformsService) {}

  /**
   * Find a platform by its homepage
   * @remarks The address without its scheme; ports, paths and percent-encoding are understood, case of the host
   * and a trailing slash do not count. Use the platform's id or slug instead.
   */
  @Get('platform/homepage/*')
  @ApiWildcard('url', 'harbour.example.org')
  @ApiOperation({ deprecated: true })
  @Access.public({ caller: true })
  @UseErrorShapes({ 400: 'text' })
  @Refuses({ 400: 'No platform has this homepage.' })
  readByHomepage(@CurrentViewer() viewer: Viewer, @Param('*') url: string): Promise<PlatformDto> {
    return this.platforms.readByHomepage(viewer, url);
  }

  /**
   * Read a platform
   * @remarks Public fields of a platform and which features it has. Its tokens are always null here.
   */
  @Get('platform/:platformId')
  @Access.public()
  @Refuses({ 404: 'There is no such platform.' })
  read(@Param('platformId', IdPath) platformId: number): Promise<PublicPlatformDto> {
    return this.platforms.read(platformId);
  }

  /**
   * Read a platform by its slug
   * @remarks As by its id.
   */
  @Get('platform-by-slug/:slug')
  @Access.public()
  @Refuses({ 404: 'There is no such platform.' })
  readBySlug(@Param('slug') slug: string): Promise<PublicPlatformDto> {
    return this.platforms.readBySlug(slug);
  }

  /**
   * Change one's platform
   * @remarks For its admins. What is left out stays.
   */
  @Post('platform')
  @HttpCode(200)
  @Access.role('admin')
  @ApiAddedOrEdited(PlatformDto)
  @Refuses({ 403: 'The caller is no admin, or `id` is not their platform.' })
  save(
    @CurrentCaller() caller: Caller,
    @Body() dto: SaveOwnPlatformDto,
  ): Promise<AddedOrEdited<PlatformDto>> {
    return this.platforms.save(caller, dto);
  }

  /**
   * Read the settings of one's platform
   * @remarks For its admins: how the platform works, defaults included.
   */
  @Get('platform/:platformId/settings')
  @Access.role('admin')
  @Refuses({ 403: 'The caller is no admin of this platform.' })
  readSettings(
    @CurrentCaller() caller: Caller,
    @Param('platformId', IdPath) platformId: number,
  ): Promise<SettingsDto> {
    return this.platforms.readSettings(caller, platformId);
  }

  /**
   * Change the settings of one's platform
   * @remarks For its admins. What is left out stays.
   */
  @Post('platform/:platformId/settings')
  @HttpCode(200)
  @Access.role('admin')
  @Refuses({ 403: 'The caller is no admin of this platform.' })
  saveSettings(
    @CurrentCaller() caller: Caller,
    @Param('platformId', IdPath) platformId: number,
    @Body() dto: SaveSettingsDto,
  ): Promise<SettingsDto> {
    return this.platforms.saveSettings(caller, platformId, dto);
  }
}
