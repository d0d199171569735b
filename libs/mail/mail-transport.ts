export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Stays the same when a mail is tried again, so that a mail server or reader can tell a repetition. */
  messageId: string;
}

/** The server will never take this mail: its recipient does not exist, or it refuses what the mail says. */
export class MailRefusedError extends Error {}

export abstract class MailTransport {
  /**
   * Resolves once the mail is accepted.
   * @param ending aborted when nobody waits for it any more
   * @throws MailRefusedError when it never will be; any other Error when it was not, and trying again is safe
   */
  abstract send(mail: OutgoingMail, ending?: AbortSignal): Promise<void>;
  /** @throws Error when mail cannot be sent at present */
  abstract check(): Promise<void>;
  abstract close(): void;
}
