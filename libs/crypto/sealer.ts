import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals text under the first key and opens it with any, so that keys can rotate. */
export class Sealer {
  private readonly keys: Buffer[];

  constructor(keys: readonly string[]) {
    this.keys = keys.map((key) => createHash('sha256').update(key).digest());
  }

  seal(text: string): string {
    const [key] = this.keys;
    if (!key) throw new Error('There is no key to seal with.');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${sealed.toString('base64url')}`;
  }

  /** @throws Error when no key opens it */
  open(sealed: string): string {
    const [version, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    const whole = version === VERSION && bytes.length >= NONCE_BYTES + TAG_BYTES;
    for (const key of whole ? this.keys : []) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        return (
          decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch {
        continue;
      }
    }
    throw new Error('No key opens what was sealed. Was ENCRYPTION_KEY replaced instead of rotated?');
  }
}
