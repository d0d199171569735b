import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Access, Refuses } from '#libs/http';
import { type Caller, CurrentCaller } from '../kernel/callers/caller';
import {
  type EndedSessionDto,
  type EndedSessionsDto,
  type SessionDto,
  SignOutAllDto,
} from './dto/session.dto';
import { SessionsService } from './sessions.service';

@Controller('api/user')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * List one's sessions
   * @remarks Where the caller is signed in, most recently seen first.
   */
  @Get('sessions')
  @Access.member()
  list(@CurrentCaller() caller: Caller): Promise<SessionDto[]> {
    return this.sessions.list(caller);
  }

  /**
   * End one of one's sessions
   * @remarks Its token is refused from then on, in every process.
   */
  @Delete('sessions/:id')
  @Access.member({ banned: true })
  @Refuses({ 404: 'The caller has no such open session.' })
  end(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<EndedSessionDto> {
    return this.sessions.end(caller, id);
  }

  /**
   * Sign out everywhere
   * @remarks Ends all of the caller's sessions, with `keepCurrent` all others.
   */
  @Post('signout-all')
  @HttpCode(200)
  @Access.member({ banned: true })
  endAll(@CurrentCaller() caller: Caller, @Body() dto: SignOutAllDto): Promise<EndedSessionsDto> {
    return this.sessions.endAll(caller, dto);
  }
}
