import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Access, type AddedOrEdited, ApiAddedOrEdited, type Page, RateLimit, Refuses } from '#libs/http';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../kernel/callers/caller';
import { ChatService } from './chat.service';
import { CommentDto, CommentPageDto } from './dto/comment.dto';
import { ListCommentsQuery, ListRepliesQuery } from './dto/list-comments.query';
import { SaveCommentDto } from './dto/save-comment.dto';

@Controller('api')
export class ChatController {
  constructor(private readonly chat: ChatService) {}

  /**
   * List the comments of a content item
   * @remarks Top-level comments in the order they were written. Deleted ones keep their place with `deleted`
   * true; held ones are left out. `myReactions` is present only when the caller is signed in.
   */
  @Get('chat')
  @Access.optional()
  @ApiOkResponse({ type: CommentPageDto })
  @Refuses({ 404: 'There is no such content, or the viewer may not read it.' })
  list(@CurrentViewer() viewer: Viewer, @Query() query: ListCommentsQuery): Promise<Page<CommentDto>> {
    return this.chat.list(viewer, query);
  }

  /**
   * List the replies to a comment
   * @remarks The same page and rules as the list of comments. Replies may have replies.
   */
  @Get('replies')
  @Access.optional()
  @ApiOkResponse({ type: CommentPageDto })
  @Refuses({ 404: 'There is no such comment, or the viewer may not see it.' })
  replies(@CurrentViewer() viewer: Viewer, @Query() query: ListRepliesQuery): Promise<Page<CommentDto>> {
    return this.chat.replies(viewer, query);
  }

  /**
   * Write or edit a comment
   * @remarks Members comment on what they may read while comments are open there. The same text in the same
   * place within a minute answers the comment that is there, with false. Only the author edits. What is taken for
   * profanity or spam is held: `moderationCategory` tells its author, and lists leave it out.
   */
  @Post('chat')
  @HttpCode(200)
  @Access.member()
  @RateLimit('comment')
  @ApiAddedOrEdited(CommentDto)
  @Refuses({
    403: 'Comments are closed here (CHAT_DISABLED), or the comment is not the caller’s to edit.',
    404: 'There is no such content or comment, or the caller may not see it.',
  })
  save(@CurrentCaller() caller: Caller, @Body() dto: SaveCommentDto): Promise<AddedOrEdited<CommentDto>> {
    return this.chat.save(caller, dto);
  }
}
