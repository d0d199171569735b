import { Injectable } from '@nestjs/common';
import { Outbox } from '#libs/queue';
import type { Letter } from './letters';
import { SEND_MAIL } from './mail.queue';

@Injectable()
export class MailService {
  constructor(private readonly outbox: Outbox) {}

  /** The mail goes out once the surrounding transaction commits; no request waits for a mail server. */
  send(to: string, letter: Letter): Promise<void> {
    return this.outbox.add(SEND_MAIL, { to, letter });
  }
}
