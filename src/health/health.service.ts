import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Database, sql } from '#libs/database';
import { UnavailableError } from '#libs/errors';
import { QUEUE_BACKEND, type QueueBackend } from '#libs/queue';
import type { LiveDto, ReadyDto, VersionDto } from './dto/health.dto';

const VERSION = '1.0.0';

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private closing = false;

  constructor(
    private readonly db: Database,
    @Inject(QUEUE_BACKEND) private readonly queue: QueueBackend,
  ) {}

  /** Load balancers stop sending before the server stops listening. */
  beforeApplicationShutdown(): void {
    this.closing = true;
  }

  live(): LiveDto {
    return { status: 'ok' };
  }

  /** @throws UnavailableError when something that requests need is away */
  async ready(): Promise<ReadyDto> {
    if (this.closing) throw new UnavailableError();
    try {
      await Promise.all([this.db.rows(sql`select 1`), this.queue.ping()]);
    } catch (error) {
      throw new UnavailableError({ cause: error });
    }
    return { status: 'ready' };
  }

  version(): VersionDto {
    return { version: VERSION, api: VERSION };
  }
}
