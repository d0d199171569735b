import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto';

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Compares digests, so that neither length nor content shows in the time. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

/** HMAC-SHA-256 of the parts, with a separator that no part can imitate. */
export const mac = (key: string, ...parts: (string | number)[]): Buffer =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest();

/** Decimal digits from a cryptographic source, leading zeros kept. */
export const randomCode = (digits: number): string => String(randomInt(10 ** digits)).padStart(digits, '0');
