/**
 * What happened is told once, to whoever listens.
 *
 * A domain declares its events in `<domain>.events.ts` and calls `events.publish(EVENT, {ids})` in its transaction.
 * `@During(EVENT)` on a method has it called in that transaction, which it may refuse; `defineListener(EVENT, …)`
 * makes a job that runs once it is durable. The relay gives all that is committed numbers without gaps, in one
 * order over all processes; `EventFeed` reads them in it. They are kept for a day.
 */
export { During, DuringListeners } from './during';
export { defineEvent, type EventDefinition, type NumberedEvent } from './event';
export { EventFeed, ForgottenEventsError } from './event-feed';
export { EventRelay } from './event-relay';
export { Events } from './events';
export { EventRelayModule, EventsModule, EventsWorkerModule } from './events.module';
export { ForgetEvents } from './forget-events';
export { defineListener, type Heard, type Listener } from './listener';
