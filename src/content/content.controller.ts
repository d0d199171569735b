import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { Access, type AddedOrEdited, ApiAddedOrEdited, type DeletedDto, IdPath, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import { ContentService } from './content.service';
import { ContentDto } from './dto/content.dto';
import { SaveContentDto } from './dto/save-content.dto';

@Controller('api/content')
export class ContentController {
  constructor(private readonly contents: ContentService) {}

  /**
   * Add or edit a content item
   * @remarks Admins and creators add any type, other members posts only. Creators edit their own, admins all.
   * A member's post is taken as by `POST /api/post`, its description as the message.
   * Groups, access tags and the required role gate `members` and `private` items; on others they only file the
   * item, and the answer carries the header `X-Warning: gate-without-effect`. A gate that was closed because its last
   * group or tag was deleted opens when the item is saved again, whatever is sent; an item that was for members before
   * is for members again, unless the request says otherwise. The header `X-Warning: gate-opened` then says who can
   * read it now: `everyone`, `members`, `gated` (those who pass its new gate) or `author-and-staff`.
   */
  @Post()
  @HttpCode(200)
  @Access.member()
  @ApiAddedOrEdited(ContentDto)
  @Refuses({
    403: 'The caller may not add this type, set one of these fields, or change this item.',
    404: 'There is no such item, or the caller may not see it.',
  })
  save(@CurrentCaller() caller: Caller, @Body() dto: SaveContentDto): Promise<AddedOrEdited<ContentDto>> {
    return this.contents.save(caller, dto);
  }

  /**
   * Delete a content item
   * @remarks For its author and admins. It is gone from lists, search and collections at once.
   */
  @Delete(':id')
  @Access.member()
  @Refuses({
    403: 'Only the author and admins delete content.',
    404: 'There is no such item, or the caller may not see it.',
  })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedDto> {
    return this.contents.remove(caller, id);
  }
}
