import { Injectable } from '@nestjs/common';
import { ForbiddenError, NotFoundError, RoleForbiddenError } from '#libs/errors';
import { isStaff, type Viewer, viewerOn } from '../../kernel/callers/caller';
import { presentContentAccess, type Subject } from './content-explain.presenter';
import { ContentExplainRepository } from './content-explain.repository';
import { ContentRepository } from '../content.repository';
import type { AccessExplanationDto } from './dto/content-access.dto';

/** Says why somebody may or may not read an item, from the rule that decides it. */
@Injectable()
export class ContentExplainService {
  constructor(
    private readonly contents: ContentRepository,
    private readonly explained: ContentExplainRepository,
  ) {}

  /** @param whose the user that is asked about; only staff name another than themself */
  async explain(viewer: Viewer, id: number, whose: number | undefined): Promise<AccessExplanationDto> {
    const userId = whose === viewer?.userId ? undefined : whose;
    if (userId !== undefined && !isStaff(viewer)) throw new RoleForbiddenError();
    const platformId = await this.contents.platformOf(id);
    if (platformId === null) throw new NotFoundError();
    const asks = viewerOn(platformId, viewer);
    const named = userId !== undefined && asks ? await this.named(platformId, userId) : null;
    const { seen, subject } = named ?? { seen: asks, subject: oneself(viewer, asks) };
    const facts = await this.explained.facts(asks, seen, platformId, id);
    if (!facts) throw new NotFoundError();
    // Staff of another platform learn no more of the item than a visitor.
    if (userId !== undefined && !named)
      throw new ForbiddenError('Only staff of its platform ask for others.');
    return presentContentAccess(facts, subject);
  }

  private async named(platformId: number, userId: number): Promise<{ seen: Viewer; subject: Subject }> {
    const person = await this.explained.person(platformId, userId);
    if (!person) throw new NotFoundError();
    const { role, pending, banned } = person;
    const caller = { userId, platformId, role, pending, banned, sessionId: '', kind: 'password' } as const;
    return {
      seen: pending ? null : caller,
      subject: { who: pending ? 'pending' : 'member', role, banned },
    };
  }
}

const oneself = (viewer: Viewer, asks: Viewer): Subject => ({
  who: asks ? 'member' : viewer ? 'foreign' : 'visitor',
  role: asks?.role ?? null,
  banned: asks?.banned ?? false,
});
