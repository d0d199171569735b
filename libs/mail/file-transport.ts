import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { MailTransport, type OutgoingMail } from './mail-transport';

export class FileTransport extends MailTransport {
  private readonly logger = new Logger(FileTransport.name);
  private readonly composer = createTransport({ streamTransport: true, buffer: true });

  constructor(
    private readonly directory: string,
    private readonly from: string,
  ) {
    super();
  }

  async send(mail: OutgoingMail): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const { message } = await this.composer.sendMail({ from: this.from, ...mail });
    // Named by its id, so that a mail that is sent twice is one file.
    const file = join(this.directory, `${mail.messageId.replace(/[^\w.-]/g, '')}.eml`);
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
    await rename(`${file}.part`, file);
    this.logger.log(`Mail written to ${file}`);
  }

  async check(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await access(this.directory);
  }

  close(): void {
    this.composer.close();
  }
}
