/**
 * Background work. PostgreSQL holds the truth, BullMQ only carries the hint that there is something to do.
 *
 * A use case calls `outbox.add(JOB, payload)` in its transaction. After the commit the row's id goes to
 * BullMQ, on Redis or on the same PostgreSQL; a worker claims the row under a lease and runs the job's one
 * handler. Whatever is lost on the way (a dead worker, a flushed Redis, a full queue) the sweeper hands over
 * again. So a handler may run twice and must bear it.
 */
export { declaredJobs, defineJob, type JobDefinition, type JobOptions, retryEvery } from './job';
export { handle, JobProcessor, type Handlers } from './job-processor';
export { type JobContext, JobRunner } from './job-runner';
export { type NewEntry, type OutboxEntry } from './outbox.repository';
export { Outbox } from './outbox';
export { migrateQueue } from './migrate-queue';
export { openQueueBackend, type QueueBackend } from './backend';
export { Periodic } from './periodic';
export { QUEUE_BACKEND, QueueModule } from './queue.module';
export { QueueWorkerModule } from './queue.worker.module';
export { Sweeper } from './sweeper';
