import { type DynamicModule, Module } from '@nestjs/common';
import { QueueWorkerModule } from '#libs/queue';
import { CoreModule, type Resources } from './core.module';
import { MailWorkerModule } from './mail/mail.worker.module';

/** Background work: the processors of all queues. */
@Module({ imports: [QueueWorkerModule, MailWorkerModule] })
export class WorkerModule {
  /** A process of its own, without HTTP. */
  static forRoot(resources: Resources): DynamicModule {
    return { module: WorkerModule, imports: [CoreModule.forRoot(resources)] };
  }
}
