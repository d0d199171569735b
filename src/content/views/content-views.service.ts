import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { mac } from '#libs/crypto';
import { addressKey, currentIp, currentRequest } from '#libs/http';
import type { Viewer } from '../../kernel/callers/caller';
import { ContentViewsRepository } from './content-views.repository';
import { ContentService } from '../content.service';
import type { ViewContentDto } from './dto/view-content.dto';

@Injectable()
export class ContentViewsService {
  constructor(
    private readonly contents: ContentService,
    private readonly views: ContentViewsRepository,
    private readonly settings: Settings,
  ) {}

  async add(viewer: Viewer, id: number, seen: ViewContentDto): Promise<void> {
    const content = await this.contents.requireReadable(viewer, id);
    await this.views.count(content, viewer ? `user:${viewer.userId}` : this.visitor(id), seen);
  }

  /** Tells visitors of one item apart; with no key nobody can tell who they are, or what else they looked at. */
  private visitor(contentId: number): string {
    const [key = ''] = this.settings.ENCRYPTION_KEY;
    const hash = mac(key, 'view', contentId, addressKey(currentIp()), currentRequest()?.userAgent ?? '');
    return `visitor:${hash.toString('base64url')}`;
  }
}
