import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Settings } from '#libs/config';
import { Sealer } from '#libs/crypto';
import { Database, DatabaseModule, type OpenDatabase } from '#libs/database';
import { EventsModule } from '#libs/events';
import { InHand, RateLimits, SizedAnswers } from '#libs/http';
import { Markup } from '#libs/markup';
import { type QueueBackend, QueueModule } from '#libs/queue';
import { RateStores } from '#libs/rates';
import { JOBS } from './declarations';

/** What an entry opens before the application and closes after it. */
export interface Resources {
  settings: Settings;
  database: OpenDatabase;
  queue: QueueBackend;
  /** The real time unless a test brings its own. */
  clock?: Clock;
}

/** What every domain may inject: settings, clock, database, events, outbox. */
@Global()
@Module({})
export class CoreModule {
  static forRoot({ settings, database, queue, clock = new Clock() }: Resources): DynamicModule {
    return {
      module: CoreModule,
      imports: [
        DatabaseModule.forRoot(database.dataSource),
        EventsModule.forRoot(database),
        QueueModule.forRoot({ backend: queue, jobs: JOBS, sealer: new Sealer(settings.ENCRYPTION_KEY) }),
      ],
      providers: [
        { provide: Settings, useValue: settings },
        { provide: Clock, useValue: clock },
        {
          provide: RateStores,
          useFactory: ({ pool }: Database) =>
            new RateStores({ redisUrl: settings.REDIS_URL, prefix: queue.prefix, pool }),
          inject: [Database],
        },
        RateLimits,
        Markup,
        InHand,
        SizedAnswers,
      ],
      exports: [Settings, Clock, RateLimits, Markup, InHand, SizedAnswers],
    };
  }
}
