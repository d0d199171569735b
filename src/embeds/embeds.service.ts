import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '#libs/config';
import { Database } from '#libs/database';
import { NotFoundError, UnauthorizedError } from '#libs/errors';
import type { HtmlAnswer } from '#libs/http';
import { AuditService } from '../kernel/audit/audit.service';
import { ContentService } from '../content/content.service';
import { PlatformsService } from '../platforms/platforms.service';
import type { Caller, Viewer } from '../kernel/callers/caller';
import { EMBED_COOKIE, embedCookie } from '../kernel/callers/credential';
import { TokensService } from '../sessions/tokens.service';
import type { EmbedTokenDto, EmbedTokenRequestDto } from './dto/embed-token.dto';
import { contentPage } from './content.page';

const SESSION_SECONDS = 60 * 60;

/** Content in frames on other sites, for a viewer who cannot sign in there. */
@Injectable()
export class EmbedsService {
  constructor(
    private readonly db: Database,
    private readonly contents: ContentService,
    private readonly platforms: PlatformsService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
    private readonly settings: Settings,
  ) {}

  /** A token that is exchanged once for a session of one object, and ends with the session that asked for it. */
  async issue(caller: Caller, { scope, id, ttlSeconds }: EmbedTokenRequestDto): Promise<EmbedTokenDto> {
    if (scope === 'collection') throw new NotFoundError();
    await this.contents.read(caller, id);
    const ticket = await this.db.transaction(async () => {
      const issued = await this.tokens.issueTicket(caller, `${scope}:${id}`, ttlSeconds);
      if (!issued) throw new UnauthorizedError();
      await this.audit.record({
        platformId: caller.platformId,
        actorId: caller.userId,
        action: 'token.embed',
        target: { type: scope, id },
      });
      return issued;
    });
    const url = `${this.settings.PUBLIC_URL}/embed/${scope}/${id}?token=${ticket.token}`;
    return { embedToken: ticket.token, expiresIn: ticket.seconds, url };
  }

  /**
   * The page of an item. A token in the address is exchanged for a session of this object in a cookie, and the
   * address is left without it, so that it stays out of histories and logs.
   */
  async show(viewer: Viewer, id: number, request: FastifyRequest, reply: FastifyReply): Promise<HtmlAnswer> {
    if ((request.query as Record<string, unknown>).token !== undefined) {
      if (viewer && request.credential?.source === 'query') await this.exchange(viewer, id, reply);
      return { redirect: `/embed/content/${id}` };
    }
    const content = await this.contents.show(viewer, id);
    const { embedOrigins } = await this.platforms.settings(content.PlatformId);
    return contentPage(content, embedOrigins);
  }

  private async exchange(viewer: Caller, id: number, reply: FastifyReply): Promise<void> {
    const session = await this.tokens.exchange(viewer, `content:${id}`, SESSION_SECONDS);
    // A ticket that was used already shows what a visitor sees.
    if (!session) return;
    reply.setCookie(embedCookie('content', id), session.token, {
      ...EMBED_COOKIE,
      signed: true,
      maxAge: session.seconds,
    });
  }
}
