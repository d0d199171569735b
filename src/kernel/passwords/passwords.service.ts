import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Options, hash, verify } from '@node-rs/argon2';
import { ValidationError } from '#libs/errors';
import { ConcurrencyLimit } from '#libs/limits';
import { passwordFault } from './password-policy';

// argon2id, 46 MiB, one pass: the OWASP recommendation, 27 ms on one core.
const ARGON2: Options = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };
const MAX_BYTES = 1024;
const CURRENT_PREFIX = '$argon2id$v=19$m=47104,t=1,p=1$';

@Injectable()
export class PasswordsService {
  // Hashing is slow by design.
  private readonly hashing = new ConcurrencyLimit({ running: 2, waiting: 32 });
  // What an account without a password is compared with, so that it takes as long as one that has one.
  private readonly dummy = hash(randomBytes(16), ARGON2);

  /**
   * @param field the name under which the request sent it
   * @throws ValidationError when the password is too weak
   */
  async hash(
    password: string,
    owner: { email: string | null; name: string },
    field = 'password',
  ): Promise<string> {
    // Normalising takes quadratic time, and a password that is so long is too long however it is composed.
    if (Buffer.byteLength(password) > MAX_BYTES)
      throw ValidationError.of(field, `must be at most ${MAX_BYTES} bytes`);
    const normal = password.normalize('NFKC');
    const fault = passwordFault(normal, owner);
    if (fault) throw ValidationError.of(field, fault);
    return this.hashing.run(() => hash(normal, ARGON2));
  }

  /** A new hash of a password that is right, when the old one was made with other parameters; else null. */
  async rehash(password: string, passwordHash: string | null): Promise<string | null> {
    if (passwordHash === null || passwordHash.startsWith(CURRENT_PREFIX)) return null;
    return this.hashing.run(() => hash(password.normalize('NFKC'), ARGON2));
  }

  /** Takes the same time whether there is a hash or not. @throws UnavailableError when too many wait */
  async verify(password: string, passwordHash: string | null): Promise<boolean> {
    const against = passwordHash ?? (await this.dummy);
    const same = await this.hashing.run(() => verify(against, password.normalize('NFKC')));
    return same && passwordHash !== null;
  }
}
