import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '#libs/config';
import { MailTransport, openMailTransport } from '#libs/mail';
import { MailProcessor } from './mail.processor';

@Module({
  providers: [MailProcessor, { provide: MailTransport, useFactory: openMailTransport, inject: [Settings] }],
})
export class MailWorkerModule implements OnApplicationShutdown {
  constructor(private readonly transport: MailTransport) {}

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
