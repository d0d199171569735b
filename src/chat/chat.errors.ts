import { ForbiddenError } from '#libs/errors';

export class ChatDisabledError extends ForbiddenError {
  override readonly code = 'CHAT_DISABLED';

  constructor() {
    super('Comments on this item are closed.');
  }
}
