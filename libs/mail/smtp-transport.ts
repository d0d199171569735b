import { createTransport, type Transporter } from 'nodemailer';
import { MailTransport, type OutgoingMail } from './mail-transport';

// Together they stay under the lease of the mail job, so that a slow server cannot make a mail go out twice.
const TIMEOUTS = { connectionTimeout: 5000, greetingTimeout: 5000, dnsTimeout: 5000, socketTimeout: 15_000 };

export class SmtpTransport extends MailTransport {
  private readonly transporter: Transporter;

  constructor(url: string, from: string) {
    super();
    // A user can never name a file or an address to fetch: bodies are ours.
    const safety = { disableFileAccess: true, disableUrlAccess: true };
    this.transporter = createTransport({ url, ...TIMEOUTS, ...safety }, { from });
  }

  async send(mail: OutgoingMail): Promise<void> {
    await this.transporter.sendMail(mail);
  }

  async check(): Promise<void> {
    await this.transporter.verify();
  }

  close(): void {
    this.transporter.close();
  }
}
