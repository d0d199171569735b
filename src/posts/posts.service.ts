import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { ForbiddenError, NotFoundError } from '#libs/errors';
import { type AddedOrEdited, type DeletedDto, type Page, pageOf, SizedAnswers } from '#libs/http';
import { AuditService } from '../kernel/audit/audit.service';
import { ContentService } from '../content/content.service';
import { MemberPostsService } from './member-posts.service';
import { type Caller, listedPlatform, type Viewer } from '../kernel/callers/caller';
import type { ListPostsQuery } from './dto/list-posts.query';
import type { PostDto } from './dto/post.dto';
import type { LockPostDto, PinPostDto, SavePostDto } from './dto/save-post.dto';
import { presentPost } from './post.presenter';
import { canDirectPost, canRemovePost, type Standing } from './posts.policy';
import { PostsRepository } from './posts.repository';

@Injectable()
export class PostsService {
  constructor(
    private readonly db: Database,
    private readonly posts: PostsRepository,
    private readonly memberPosts: MemberPostsService,
    private readonly contents: ContentService,
    private readonly audit: AuditService,
    private readonly answers: SizedAnswers,
  ) {}

  async read(viewer: Viewer, id: number): Promise<PostDto> {
    const row = await this.posts.visible(viewer, id);
    if (!row) throw new NotFoundError();
    return presentPost(row);
  }

  async list(viewer: Viewer, query: ListPostsQuery): Promise<Page<PostDto>> {
    const platformId = listedPlatform(viewer, query.PlatformId);
    const { rows, total } = await this.answers.read((most) =>
      this.posts.page(viewer, platformId, query, most),
    );
    return pageOf(rows.map(presentPost), total, query);
  }

  async save(caller: Caller, dto: SavePostDto): Promise<AddedOrEdited<PostDto>> {
    const [before, created] = await this.db.transaction(() => this.memberPosts.save(caller, dto));
    await this.contents.warnOfGate(before, dto);
    return [await this.read(caller, before.id), created];
  }

  async remove(caller: Caller, id: number): Promise<DeletedDto> {
    await this.db.transaction(async () => {
      const post = await this.lockSeen(caller, id);
      if (!canRemovePost(caller, post)) {
        throw new ForbiddenError('Only its author, the moderators of its groups and admins delete a post.');
      }
      await this.contents.discard(caller, { PlatformId: caller.platformId, id });
    });
    return { message: 'Post deleted.', id };
  }

  async pin(caller: Caller, id: number, { pinned }: PinPostDto): Promise<PostDto> {
    await this.direct(caller, id, 'pinned', () => this.posts.pin(id, pinned));
    return this.read(caller, id);
  }

  async lock(caller: Caller, id: number, { locked }: LockPostDto): Promise<PostDto> {
    await this.direct(caller, id, 'locked', () => this.posts.lockConversation(id, locked));
    return this.read(caller, id);
  }

  private async direct(
    caller: Caller,
    id: number,
    field: 'pinned' | 'locked',
    work: () => Promise<boolean>,
  ): Promise<void> {
    await this.db.transaction(async () => {
      if (!canDirectPost(caller, await this.lockSeen(caller, id))) {
        throw new ForbiddenError('Only the moderators of its groups and staff pin and lock posts.');
      }
      if (!(await work())) return;
      await this.audit.record({
        platformId: caller.platformId,
        actorId: caller.userId,
        action: field === 'pinned' ? 'post.pin' : 'post.lock',
        target: { type: 'content', id },
        fields: [field],
      });
    });
  }

  private async lockSeen(caller: Caller, id: number): Promise<Standing> {
    const standing = await this.posts.lockStanding(caller, id);
    if (!standing) throw new NotFoundError();
    return standing;
  }
}
