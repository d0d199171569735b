import { Controller, Get, Param, Query } from '@nestjs/common';
import { Access, IdPath, Refuses } from '#libs/http';
import { CurrentViewer, type Viewer } from '../../kernel/callers/caller';
import { ContentExplainService } from './content-explain.service';
import { type AccessExplanationDto, ContentAccessQuery } from './dto/content-access.dto';

@Controller('api/content')
export class ContentExplainController {
  constructor(private readonly explained: ContentExplainService) {}

  /**
   * Explain who may read a content item
   * @remarks Why the viewer may or may not read, comment on and react to it, from the rule that decides it. Members
   * may name themselves in `userId`. Staff of its platform name any of its users, and get what these would get, or an
   * explanation where these would get 404. `unlock` names only groups that whoever asks may know, and access tags that
   * they hold, held or made; staff see all of them.
   */
  @Get(':id/access')
  @Access.optional()
  @Refuses({
    403: 'Only staff of its platform ask for somebody else.',
    404: 'There is no such item, or whoever asks may not see it; or the platform has no such user.',
  })
  explain(
    @CurrentViewer() viewer: Viewer,
    @Param('id', IdPath) id: number,
    @Query() query: ContentAccessQuery,
  ): Promise<AccessExplanationDto> {
    return this.explained.explain(viewer, id, query.userId);
  }
}
