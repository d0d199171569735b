import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiNoContentResponse } from '@nestjs/swagger';
import { Access, IdPath, Refuses } from '#libs/http';
import { CurrentViewer, type Viewer } from '../../kernel/callers/caller';
import { ContentViewsService } from './content-views.service';
import { ViewContentDto } from './dto/view-content.dto';

@Controller('api/content')
export class ContentViewsController {
  constructor(private readonly views: ContentViewsService) {}

  /**
   * Count a view
   * @remarks Of each viewer one view of an item counts in 30 minutes; the others are taken and change nothing.
   * Visitors are told apart by a keyed hash of address and browser, which is all that is kept of them.
   */
  @Post(':id/view')
  @HttpCode(204)
  @Access.optional({ banned: true })
  @ApiNoContentResponse({ description: 'The view is counted, or was already.' })
  @Refuses({
    403: 'A cookie alone does not authorise a request from this origin.',
    404: 'There is no such item, or the viewer may not read it.',
  })
  add(
    @CurrentViewer() viewer: Viewer,
    @Param('id', IdPath) id: number,
    @Body() dto: ViewContentDto,
  ): Promise<void> {
    return this.views.add(viewer, id, dto);
  }
}
