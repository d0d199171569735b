import * as commonPasswords from 'fxa-common-password-list';

const MIN_LENGTH = 8;
const MAX_LENGTH = 128;

/**
 * What is wrong with a password, or null. Length and guessability count; there are no composition rules
 * (NIST SP 800-63B).
 */
export function passwordFault(
  password: string,
  owner: { email: string | null; name: string },
): string | null {
  const length = [...password].length;
  if (length < MIN_LENGTH || length > MAX_LENGTH)
    return `must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`;
  const lower = password.toLowerCase();
  const own = [owner.email, owner.email?.split('@')[0], owner.name];
  if (own.some((word) => word?.normalize('NFKC').toLowerCase() === lower))
    return 'must not be the e-mail address or name';
  if (commonPasswords.test(lower)) return 'is too common';
  return null;
}
