import { Processor } from '@nestjs/bullmq';
import { Settings } from '#libs/config';
import { mac } from '#libs/crypto';
import { MailTransport } from '#libs/mail';
import { type Handlers, handle, JobProcessor, type JobContext, JobRunner } from '#libs/queue';
import { currentLanguage } from '#libs/language';
import { writeLetter } from './letters';
import { localeOf } from './letters/locales';
import { SEND_MAIL, type SendMailPayload } from './mail.queue';

@Processor(SEND_MAIL.queue, { concurrency: 4 })
export class MailProcessor extends JobProcessor {
  readonly handlers: Handlers = new Map([handle(SEND_MAIL, (mail, job) => this.send(mail, job))]);

  constructor(
    runner: JobRunner,
    private readonly transport: MailTransport,
    private readonly settings: Settings,
  ) {
    super(runner);
  }

  private async send({ to, letter }: SendMailPayload, { id, signal }: JobContext): Promise<void> {
    const host = new URL(this.settings.PUBLIC_URL).hostname;
    // Unguessable, and the same when the mail is tried again.
    const name = mac(this.settings.ENCRYPTION_KEY[0] ?? '', 'mail', id)
      .toString('hex')
      .slice(0, 32);
    const written = writeLetter(letter, localeOf(currentLanguage()));
    await this.transport.send({ to, messageId: `<${name}@${host}>`, ...written }, signal);
  }
}
