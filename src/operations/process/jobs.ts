import type { JobDefinition } from '#libs/queue';
import { SEND_CODE, SEND_RESET, SIGN_UP } from '../../auth/auth.queue';
import { SEND_MAIL } from '../../kernel/mail/mail.queue';

/** Every job there is; a worker does not start while one of them has no handler. */
export const JOBS: JobDefinition[] = [SEND_MAIL, SEND_CODE, SEND_RESET, SIGN_UP];
