import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Database } from '#libs/database';
import { within } from '#libs/deadline';
import { type NewEntry, Outbox } from '#libs/queue';
import { DuringListeners } from './during';
import { PublishedHere } from './events';
import { EventsRepository, type Numbered } from './events.repository';
import { Notifications } from './notifications';

/** What a process publishes, it relays itself; this finds what those left that ended in between. */
const LOOK_MS = 2000;
const MOST_AT_ONCE = 1000;
/** So many events one run of a listener is given. */
const MOST_IN_JOB = 100;
/** After some were relayed at once, those that follow are gathered for so long: under load they come in fewer lists. */
const GATHER_MS = 25;
const PARTITIONS_LAST_MS = 60 * 60 * 1000;
const PREPARE_AGAIN_MS = 10_000;
/** One that hangs must not be the last. */
const DEADLINE_MS = 8000;

/**
 * Numbers what was published and is committed, and hands it to the jobs that listen. Every process does, one at a
 * time: whoever has the lock. When it dies the database gives the lock to the next.
 */
@Injectable()
export class EventRelay implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(EventRelay.name);
  private timer?: NodeJS.Timeout;
  private unsubscribe?: () => void;
  private ended = false;
  private running: Promise<void> = Promise.resolve();
  private waiting = false;
  private preparedUntil = 0;

  constructor(
    private readonly db: Database,
    private readonly events: EventsRepository,
    private readonly outbox: Outbox,
    private readonly notifications: Notifications,
    private readonly published: PublishedHere,
    private readonly during: DuringListeners,
  ) {}

  onModuleInit(): void {
    this.during.check();
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.enqueue(() => this.look()), LOOK_MS);
    // Not in the name of the request that published.
    const outside = AsyncLocalStorage.snapshot();
    this.unsubscribe = this.published.subscribe(() => outside(() => this.enqueue(() => this.heed())));
  }

  async onApplicationShutdown(): Promise<void> {
    this.ended = true;
    clearInterval(this.timer);
    this.unsubscribe?.();
    await this.running;
  }

  /** Numbers all that is there. */
  async relay(): Promise<void> {
    while (!this.ended && (await within(DEADLINE_MS, () => this.step())) === MOST_AT_ONCE);
  }

  private async heed(): Promise<void> {
    await this.relay();
    await wait(GATHER_MS);
  }

  private async look(): Promise<void> {
    if (await this.events.anyPublished()) await this.relay();
  }

  /** One after the other. Those that wait while another waits have nothing to add. */
  private enqueue(work: () => Promise<void>): void {
    if (this.waiting) return;
    this.waiting = true;
    this.running = this.running
      .then(() => {
        this.waiting = false;
        return this.ended ? undefined : work();
      })
      .catch((error: unknown) =>
        this.logger.warn({ msg: 'Events were not relayed and will be again', err: error }),
      );
  }

  private async step(): Promise<number> {
    await this.prepare();
    return this.db.transaction(async () => {
      await this.events.lock();
      const taken = await this.events.number(MOST_AT_ONCE);
      await this.outbox.addAll(entriesOf(taken));
      if (taken.length > 0) await this.notifications.announce();
      return taken.length;
    });
  }

  /** What cannot be made now was mostly made before: the days ahead are. */
  private async prepare(): Promise<void> {
    if (Date.now() < this.preparedUntil) return;
    this.preparedUntil = Date.now() + PARTITIONS_LAST_MS;
    await this.events.preparePartitions().catch((error: unknown) => {
      this.preparedUntil = Date.now() + PREPARE_AGAIN_MS;
      this.logger.warn({ msg: 'The partitions of events were not made and will be again', err: error });
    });
  }
}

/** For each job that listens its events, in lists. */
function entriesOf(events: readonly Numbered[]): NewEntry[] {
  const calls = events.flatMap(({ jobs, number, payload, language }) =>
    jobs.map((job) => ({ job, language, text: `{"number":${number},"payload":${payload}}` })),
  );
  const alike = Map.groupBy(calls, ({ job, language }) => JSON.stringify([job, language]));
  return [...alike.values()].flatMap((calls) =>
    Array.from({ length: Math.ceil(calls.length / MOST_IN_JOB) }, (_, index) => {
      const list = calls.slice(index * MOST_IN_JOB, (index + 1) * MOST_IN_JOB);
      const { job, language } = calls[0] as (typeof calls)[number];
      return { job, language, payload: `[${list.map(({ text }) => text).join()}]` };
    }),
  );
}
