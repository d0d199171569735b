import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const directory = (): string => {
  const path = process.env.TEST_LOG_DIR ?? join('.cache', 'test-logs');
  mkdirSync(path, { recursive: true });
  return path;
};

/** Where an application under test logs; a step after the tests searches it for secrets. */
export const testLogFile = (): string => join(directory(), `${process.pid}.log`);

/** Remembers a secret that a test used, so that it can be searched for. */
export function recordSecret(secret: string): void {
  appendFileSync(join(directory(), `${process.pid}.secrets`), `${secret}\n`);
}
