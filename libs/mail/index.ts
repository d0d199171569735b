/**
 * Sending mail: one port, `MailTransport`, and its two adapters.
 *
 * With SMTP_URL mail goes through nodemailer; without it each mail becomes an .eml file under DATA_DIR/mail
 * and only the file's name is logged, never a code or link that stands in it.
 */
export { MailRefusedError, MailTransport } from './mail-transport';
export { openMailTransport } from './open-mail-transport';
export { SmtpTransport } from './smtp-transport';
