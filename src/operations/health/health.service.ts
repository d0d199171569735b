import { Inject, Injectable, Logger } from '@nestjs/common';
import { Gauge, register } from 'prom-client';
import { Database, sql } from '#libs/database';
import { UnavailableError } from '#libs/errors';
import { QUEUE_BACKEND, type QueueBackend } from '#libs/queue';
import type { LiveDto, QueueState, ReadyDto, VersionDto } from './dto/health.dto';

const VERSION = '1.0.0';
const QUEUE_UP = 'queue_up';

@Injectable()
export class HealthService {
  private readonly logger = new Logger(HealthService.name);
  private queueState: QueueState = 'ok';

  constructor(
    private readonly db: Database,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
  ) {
    const collect = async (): Promise<void> => gauge.set((await this.queue()) === 'ok' ? 1 : 0);
    // Another application of this process may have made one, whose queue is not this one's.
    register.removeSingleMetric(QUEUE_UP);
    const gauge = new Gauge({ name: QUEUE_UP, help: 'Whether the queue answers: 1 or 0.', collect });
  }

  live(): LiveDto {
    return { status: 'ok' };
  }

  /**
   * Without the queue requests are served all the same, and what they cause is done later.
   * @throws UnavailableError when the database is away
   */
  async ready(): Promise<ReadyDto> {
    try {
      const [queue] = await Promise.all([this.queue(), this.db.rows(sql`select 1`)]);
      return { status: 'ready', queue };
    } catch (error) {
      throw new UnavailableError({ cause: error });
    }
  }

  version(): VersionDto {
    return { version: VERSION, api: VERSION };
  }

  private async queue(): Promise<QueueState> {
    const state = await this.backend.ping().then(
      () => 'ok' as const,
      () => 'away' as const,
    );
    if (state !== this.queueState) {
      if (state === 'away') this.logger.warn('The queue is away: jobs wait');
      else this.logger.log('The queue is back');
      this.queueState = state;
    }
    return state;
  }
}
