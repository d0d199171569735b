import { createTransport, type Transporter } from 'nodemailer';
import type { SMTPError } from 'nodemailer/lib/smtp-connection';
import { MailRefusedError, MailTransport, type OutgoingMail } from './mail-transport';

const TIMEOUTS = { connectionTimeout: 5000, greetingTimeout: 5000, dnsTimeout: 5000, socketTimeout: 15_000 };
// Under the lease of the mail job: a server that answers each command just in time cannot make a mail go out twice.
const SEND_MS = 45_000;

export class SmtpTransport extends MailTransport {
  private readonly transporter: Transporter;

  constructor(
    url: string,
    from: string,
    private readonly sendMs = SEND_MS,
  ) {
    super();
    // A user can never name a file or an address to fetch: bodies are ours.
    const safety = { disableFileAccess: true, disableUrlAccess: true };
    this.transporter = createTransport({ url, ...TIMEOUTS, ...safety }, { from });
  }

  async send(mail: OutgoingMail, ending?: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(this.sendMs);
    const limited = { ...mail, signal: ending ? AbortSignal.any([late, ending]) : late };
    try {
      await this.transporter.sendMail(limited);
    } catch (error) {
      throw failureOf(error as SMTPError);
    }
  }

  async check(): Promise<void> {
    await this.transporter.verify();
  }

  close(): void {
    this.transporter.close();
  }
}

/** What went wrong, without the addresses that servers repeat in their answers. */
function failureOf({ message, responseCode = 0, command = '' }: SMTPError): Error {
  const reason = message.replace(/[^\s<>]+/g, (word) => (word.includes('@') ? '…' : word));
  // A login or a sender that is refused is the operator's to mend, and the mail can wait for that.
  const refused = responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command);
  return refused ? new MailRefusedError(reason) : new Error(reason);
}
