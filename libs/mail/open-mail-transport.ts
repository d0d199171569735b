import { join } from 'node:path';
import type { Settings } from '#libs/config';
import { FileTransport } from './file-transport';
import type { MailTransport } from './mail-transport';
import { SmtpTransport } from './smtp-transport';

export const openMailTransport = ({ SMTP_URL, MAIL_FROM, DATA_DIR }: Settings): MailTransport =>
  SMTP_URL ? new SmtpTransport(SMTP_URL, MAIL_FROM) : new FileTransport(join(DATA_DIR, 'mail'), MAIL_FROM);
