import { Controller, Get, Param } from '@nestjs/common';
import { Access, IdPath, Refuses } from '#libs/http';
import type { PublicPlatformDto } from './dto/platform.dto';
import { PlatformsService } from './platforms.service';

@Controller('api/platform')
export class PlatformsController {
  constructor(private readonly platforms: PlatformsService) {}

  /**
   * Read a platform
   * @remarks Public fields of a platform and which features it has. Its tokens are always null here.
   */
  @Get(':platformId')
  @Access.public()
  @Refuses({ 404: 'There is no such platform.' })
  read(@Param('platformId', IdPath) platformId: number): Promise<PublicPlatformDto> {
    return this.platforms.read(platformId);
  }
}
