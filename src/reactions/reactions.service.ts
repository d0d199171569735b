import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { NotFoundError, ValidationError } from '#libs/errors';
import { ChatService } from '../chat/chat.service';
import { ContentService } from '../content/content.service';
import { PlatformsService } from '../platforms/platforms.service';
import type { Caller, Viewer } from '../kernel/callers/caller';
import type {
  AddedReactionDto,
  ReactDto,
  ReactionsDto,
  ReactorsDto,
  ReadReactionsQuery,
  RemovedReactionDto,
  ToggledReactionDto,
} from './dto/reactions.dto';
import { normalizeEmoji } from './emoji';
import { type ReactionState, ReactionsRepository, type Target } from './reactions.repository';

const MOST_PER_USER = 10;

@Injectable()
export class ReactionsService {
  constructor(
    private readonly db: Database,
    private readonly reactions: ReactionsRepository,
    private readonly contents: ContentService,
    private readonly chat: ChatService,
    private readonly platforms: PlatformsService,
  ) {}

  async read(
    viewer: Viewer,
    target: Target,
    { emoji }: ReadReactionsQuery,
  ): Promise<ReactionsDto | ReactorsDto> {
    await this.requireVisible(viewer, target);
    if (emoji === undefined) return present(await this.reactions.state(viewer, target));
    const normal = normalized(emoji);
    return { emoji: normal, users: await this.reactions.users(target, normal) };
  }

  async add(caller: Caller, target: Target, { emoji }: ReactDto): Promise<AddedReactionDto> {
    return this.change(caller, target, async () => ({ added: await this.place(caller, target, emoji) }));
  }

  async remove(caller: Caller, target: Target, emoji: string): Promise<RemovedReactionDto> {
    const normal = normalized(emoji);
    return this.change(caller, target, async () => ({
      removed: await this.reactions.remove(caller, target, normal),
    }));
  }

  async toggle(caller: Caller, target: Target, { emoji }: ReactDto): Promise<ToggledReactionDto> {
    const normal = normalized(emoji);
    return this.change(caller, target, async () => {
      const removed = await this.reactions.remove(caller, target, normal);
      return { added: !removed && (await this.place(caller, target, normal)) };
    });
  }

  private async change<Outcome extends object>(
    caller: Caller,
    target: Target,
    work: () => Promise<Outcome>,
  ): Promise<ReactionsDto & Outcome> {
    return this.db.transaction(async () => {
      await this.requireOwnPlatform(caller, target);
      await this.reactions.lock(target);
      const outcome = await work();
      return { ...present(await this.reactions.state(caller, target)), ...outcome };
    });
  }

  private async place(caller: Caller, target: Target, emoji: string): Promise<boolean> {
    const normal = normalized(emoji);
    const { allowedEmoji } = await this.platforms.settings(caller.platformId);
    if (allowedEmoji.length > 0 && !allowedEmoji.some((one) => normalizeEmoji(one) === normal)) {
      throw ValidationError.of('emoji', 'is not allowed on this platform');
    }
    const { mine } = await this.reactions.state(caller, target);
    if (mine.length >= MOST_PER_USER && !mine.includes(normal)) {
      throw ValidationError.of('emoji', `at most ${MOST_PER_USER} different ones on one item`);
    }
    return this.reactions.add(caller, target, normal);
  }

  /** Public items of other platforms may be read, but only members of the platform react. */
  private async requireOwnPlatform(caller: Caller, target: Target): Promise<void> {
    const platformId = await this.requireVisible(caller, target);
    if (platformId !== caller.platformId) throw new NotFoundError();
  }

  private async requireVisible(viewer: Viewer, { kind, id }: Target): Promise<number> {
    const { PlatformId } =
      kind === 'content'
        ? await this.contents.requireReadable(viewer, id)
        : await this.chat.requireVisible(viewer, id);
    return PlatformId;
  }
}

const present = ({ reactionCounts, mine }: ReactionState): ReactionsDto => ({
  reactions: reactionCounts.map(({ emoji, count }) => ({ emoji, count })),
  myReactions: mine,
});

function normalized(emoji: string): string {
  const normal = normalizeEmoji(emoji);
  if (normal === null) throw ValidationError.of('emoji', 'must be a shortname or one emoji');
  return normal;
}
