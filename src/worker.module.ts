import { type DynamicModule, Module } from '@nestjs/common';
import { EventsWorkerModule } from '#libs/events';
import { QueueWorkerModule } from '#libs/queue';
import { PruneRates, RateRowsRepository } from '#libs/rates';
import { AuditModule } from './kernel/audit/audit.module';
import { AuthWorkerModule } from './auth/auth.worker.module';
import { CollectionsListenerModule } from './collections/collections.listener.module';
import { ContentListenerModule } from './content/content.listener.module';
import { CoreModule, type Resources } from './operations/process/core.module';
import { IdempotencyWorkerModule } from './kernel/idempotency/idempotency.worker.module';
import { MailWorkerModule } from './kernel/mail/mail.worker.module';
import { SessionsModule } from './sessions/sessions.module';

/** Background work: the processors of all queues. */
@Module({
  imports: [
    QueueWorkerModule,
    EventsWorkerModule,
    ContentListenerModule,
    CollectionsListenerModule,
    SessionsModule,
    AuditModule,
    MailWorkerModule,
    AuthWorkerModule,
    IdempotencyWorkerModule,
  ],
  providers: [RateRowsRepository, PruneRates],
})
export class WorkerModule {
  /** A process of its own, without HTTP. */
  static forRoot(resources: Resources): DynamicModule {
    return { module: WorkerModule, imports: [CoreModule.forRoot(resources)] };
  }
}
