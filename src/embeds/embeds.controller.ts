import { Body, Controller, Get, Header, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access, ApiHtml, IdPath, Refuses, sendHtml } from '#libs/http';
import { type Caller, CurrentCaller, CurrentViewer, type Viewer } from '../kernel/callers/caller';
import { type EmbedTokenDto, EmbedTokenRequestDto } from './dto/embed-token.dto';
import { EmbedsService } from './embeds.service';

@Controller()
export class EmbedsController {
  constructor(private readonly embeds: EmbedsService) {}

  /**
   * Get a token for an embedded page
   * @remarks A token for the address of a frame on another site. The page exchanges it, once, for a session of at
   * most an hour that is good for this object only and ends with the caller's own.
   */
  @Post('api/auth/embed-token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Access.member()
  @Refuses({ 404: 'There is no such object, or the caller may not see it.' })
  issue(@CurrentCaller() caller: Caller, @Body() dto: EmbedTokenRequestDto): Promise<EmbedTokenDto> {
    return this.embeds.issue(caller, dto);
  }

  /**
   * Show a content item in a frame
   * @remarks A token in the query is exchanged for a session of this item in a cookie, and the answer redirects to
   * the address without it. A token for embedded pages is exchanged once. Without a token the item is shown as to a
   * visitor.
   */
  @Get('embed/content/:id')
  @Access.embed('content')
  @ApiHtml('The page.')
  @ApiResponse({
    status: 303,
    description: 'A token was exchanged; `Location` is the page without it.',
    headers: { Location: { schema: { type: 'string', example: '/embed/content/1' } } },
  })
  @Refuses({ 404: 'There is no such item, or the viewer may not see it.' })
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('id', IdPath) id: number,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendHtml(reply, await this.embeds.show(viewer, id, request, reply));
  }
}
