import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
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
import { ListPostsQuery } from './dto/list-posts.query';
import { PostDto, PostPageDto } from './dto/post.dto';
import { LockPostDto, PinPostDto, SavePostDto } from './dto/save-post.dto';
import { PostsService } from './posts.service';

@Controller('api')
export class PostsController {
  constructor(private readonly posts: PostsService) {}

  /**
   * Write or edit a post
   * @remarks Members post on their platform and in groups that are open to their posts, staff in any group. A
   * post is judged as comments are; one that is held is seen by its author, staff and the moderators of its
   * groups. The same text by the same author within a minute answers the post that is there, with false. Authors
   * edit their own, admins all; an admin's edit releases a post that was held. A post whose gate
   * was closed opens as by `POST /api/content`.
   */
  @Post('post')
  @HttpCode(200)
  @Access.member()
  @ApiAddedOrEdited(PostDto)
  @Refuses({
    403: 'One of the groups is closed to the caller’s posts, or the post is not the caller’s to edit.',
    404: 'There is no such post, or the caller may not see it.',
  })
  save(@CurrentCaller() caller: Caller, @Body() dto: SavePostDto): Promise<AddedOrEdited<PostDto>> {
    return this.posts.save(caller, dto);
  }

  /**
   * List posts
   * @remarks What the viewer may read, and teasers. In a group those that are pinned come first.
   */
  @Get('posts')
  @Access.optional()
  @ApiOkResponse({ type: PostPageDto })
  list(@CurrentViewer() viewer: Viewer, @Query() query: ListPostsQuery): Promise<Page<PostDto>> {
    return this.posts.list(viewer, query);
  }

  /**
   * Read a post
   * @remarks A post of a group that the viewer is not in is a teaser: `message` is the beginning of its text, and
   * `access` says that they may not read it. `locked` is about the conversation.
   */
  @Get('post/:id')
  @Access.optional()
  @Refuses({ 404: 'There is no such post, or the viewer may not see it.' })
  read(@CurrentViewer() viewer: Viewer, @Param('id', IdPath) id: number): Promise<PostDto> {
    return this.posts.read(viewer, id);
  }

  /**
   * Delete a post
   * @remarks For its author, the moderators and owners of its groups, and admins.
   */
  @Delete('post/:id')
  @Access.member()
  @Refuses({
    403: 'Only its author, the moderators of its groups and admins delete a post.',
    404: 'There is no such post, or the caller may not see it.',
  })
  remove(@CurrentCaller() caller: Caller, @Param('id', IdPath) id: number): Promise<DeletedDto> {
    return this.posts.remove(caller, id);
  }

  /**
   * Pin a post
   * @remarks Pinned posts come first in their groups. For the moderators and owners of its groups, and staff.
   */
  @Post('post/:id/pin')
  @HttpCode(200)
  @Access.member()
  @Refuses({
    403: 'Only the moderators of its groups and staff pin posts.',
    404: 'There is no such post, or the caller may not see it.',
  })
  pin(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: PinPostDto,
  ): Promise<PostDto> {
    return this.posts.pin(caller, id, dto);
  }

  /**
   * End or reopen the conversation of a post
   * @remarks A locked post keeps its comments and takes no new ones, from anyone. For the moderators and owners
   * of its groups, and staff.
   */
  @Post('post/:id/lock')
  @HttpCode(200)
  @Access.member()
  @Refuses({
    403: 'Only the moderators of its groups and staff lock posts.',
    404: 'There is no such post, or the caller may not see it.',
  })
  lock(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: LockPostDto,
  ): Promise<PostDto> {
    return this.posts.lock(caller, id, dto);
  }
}
