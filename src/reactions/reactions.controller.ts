import { Body, Controller, Delete, Get, HttpCode, Injectable, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { Access, IdPath, Refuses } from '#libs/http';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../kernel/callers/caller';
import {
  type AddedReactionDto,
  ReactDto,
  ReactionsDto,
  ReactorsDto,
  ReadReactionsQuery,
  type RemovedReactionDto,
  type ToggledReactionDto,
} from './dto/reactions.dto';
import type { Target } from './reactions.repository';
import { ReactionsService } from './reactions.service';

const MISSING = { 404: 'There is no such content item or comment, or the viewer may not read it.' };

/** The same four routes under both kinds of target. */
@Injectable()
abstract class ReactionsController {
  protected abstract readonly kind: Target['kind'];

  constructor(private readonly reactions: ReactionsService) {}

  /**
   * Read the reactions to a content item or comment
   * @remarks How often each emoji was placed and which of them the caller placed; with `emoji`, who placed it.
   */
  @Get()
  @Access.optional()
  @ApiExtraModels(ReactionsDto, ReactorsDto)
  @ApiOkResponse({
    description: 'The counts; with `emoji` the users.',
    schema: { oneOf: [{ $ref: getSchemaPath(ReactionsDto) }, { $ref: getSchemaPath(ReactorsDto) }] },
  })
  @Refuses(MISSING)
  read(
    @CurrentViewer() viewer: Viewer,
    @Param('id', IdPath) id: number,
    @Query() query: ReadReactionsQuery,
  ): Promise<ReactionsDto | ReactorsDto> {
    return this.reactions.read(viewer, { kind: this.kind, id }, query);
  }

  /**
   * React to a content item or comment
   * @remarks Placing the same emoji again changes nothing. At most ten different ones each.
   */
  @Post()
  @HttpCode(200)
  @Access.member()
  @Refuses(MISSING)
  add(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: ReactDto,
  ): Promise<AddedReactionDto> {
    return this.reactions.add(caller, { kind: this.kind, id }, dto);
  }

  /**
   * Toggle a reaction to a content item or comment
   * @remarks Places the emoji, or takes it away when the caller had placed it.
   */
  @Post('toggle')
  @HttpCode(200)
  @Access.member()
  @Refuses(MISSING)
  toggle(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Body() dto: ReactDto,
  ): Promise<ToggledReactionDto> {
    return this.reactions.toggle(caller, { kind: this.kind, id }, dto);
  }

  /**
   * Take back a reaction to a content item or comment
   * @remarks Taking back what is not there changes nothing.
   */
  @Delete(':emoji')
  @Access.member()
  @Refuses(MISSING)
  remove(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPath) id: number,
    @Param('emoji') emoji: string,
  ): Promise<RemovedReactionDto> {
    return this.reactions.remove(caller, { kind: this.kind, id }, emoji);
  }
}

@Controller('api/content/:id/reactions')
export class ContentReactionsController extends ReactionsController {
  protected readonly kind = 'content';
}

@Controller('api/chat/:id/reactions')
export class CommentReactionsController extends ReactionsController {
  protected readonly kind = 'comment';
}
