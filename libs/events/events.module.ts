import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DuringListeners } from './during';
import { EventFeed } from './event-feed';
import { EventRelay } from './event-relay';
import { Events, PublishedHere } from './events';
import { EventsRepository } from './events.repository';
import { ForgetEvents } from './forget-events';
import { Notifications, REACHED, type Reached } from './notifications';

/** What every process needs to publish and to follow. */
@Global()
@Module({})
export class EventsModule {
  static forRoot(reached: Reached): DynamicModule {
    return {
      module: EventsModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: REACHED, useValue: reached },
        EventsRepository,
        DuringListeners,
        PublishedHere,
        Notifications,
        EventFeed,
        Events,
      ],
      exports: [EventsRepository, DuringListeners, PublishedHere, Notifications, EventFeed, Events],
    };
  }
}

/** For each process that runs on: it relays, and does not start when a listener is missing. */
@Module({ providers: [EventRelay], exports: [EventRelay] })
export class EventRelayModule {}

/** For workers: what is old is forgotten. */
@Module({ imports: [EventRelayModule], providers: [ForgetEvents] })
export class EventsWorkerModule {}
