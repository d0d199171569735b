import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Access, Deprecated, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { AccessTagsService } from './access-tags.service';
import type { AccessTagDto, AddedAccessTagDto } from './dto/access-tag.dto';
import { AddAccessTagDto } from './dto/save-access-tag.dto';

/** The old names of two routes of access tags. */
@Controller('api')
export class UserTagsController {
  constructor(private readonly accessTags: AccessTagsService) {}

  /**
   * List the access tags (old name)
   * @remarks Use `GET /api/access-tags`.
   * @deprecated
   */
  @Get('user-tags')
  @Access.role('admin', 'creator')
  @Deprecated('/api/access-tags')
  list(@CurrentCaller() caller: Caller): Promise<AccessTagDto[]> {
    return this.accessTags.list(caller);
  }

  /**
   * Add an access tag (old name)
   * @remarks Use `POST /api/access-tag`.
   * @deprecated
   */
  @Post('user-tag')
  @HttpCode(200)
  @Access.member()
  @Deprecated('/api/access-tag')
  @Refuses({ 403: 'Only admins name another author.' })
  add(@CurrentCaller() caller: Caller, @Body() dto: AddAccessTagDto): Promise<AddedAccessTagDto> {
    return this.accessTags.add(caller, dto);
  }
}
