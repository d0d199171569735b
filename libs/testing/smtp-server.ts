import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail extends Email {
  envelope: { from: string; to: string[] };
  raw: string;
}

/** A mail server that keeps what it accepts. */
export class SmtpServer {
  readonly mails: ReceivedMail[] = [];
  /** What a test does before a mail is taken, whose text was read; rejecting refuses the mail. */
  beforeTaking: (to: string[]) => void | Promise<void> = () => undefined;
  private server?: SMTPServer;
  private port = 0;

  constructor(private readonly options: SMTPServerOptions = {}) {}

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** @param port the same one again after `stop`, as a server that comes back would have */
  async start(port = this.port): Promise<void> {
    // One that was closed refuses everybody, even when it listens again.
    const server = this.create();
    this.server = server;
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.port = (server.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
  }

  private create(): SMTPServer {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onData: (stream, session, done) => {
        const receive = async (): Promise<void> => {
          const chunks: Buffer[] = [];
          for await (const chunk of stream) chunks.push(chunk as Buffer);
          const raw = Buffer.concat(chunks).toString();
          const { mailFrom, rcptTo } = session.envelope;
          const envelope = {
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
          };
          await this.beforeTaking(envelope.to);
          this.mails.push({ ...(await PostalMime.parse(raw)), envelope, raw });
        };
        receive().then(() => done(), done);
      },
      ...this.options,
    });
    server.on('error', () => undefined);
    return server;
  }
}
