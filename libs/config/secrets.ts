import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SECRET_NAMES = ['JWT_SECRET', 'SERVICE_SECRET', 'COOKIE_SECRET', 'ENCRYPTION_KEY'] as const;

type Secrets = Record<(typeof SECRET_NAMES)[number], string>;

/** The secrets kept under DATA_DIR, made on first use so that a newcomer need not invent any. */
export function ensureSecrets(env: NodeJS.ProcessEnv): Partial<Secrets> {
  if (SECRET_NAMES.every((name) => env[name] !== undefined)) return {};
  const dataDir = env.DATA_DIR ?? './data';
  const file = join(dataDir, 'secrets.json');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    const made = Object.fromEntries(
      SECRET_NAMES.map((name) => [name, randomBytes(36).toString('base64url')]),
    );
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
    try {
      // Linking is atomic: of several processes that start together one wins, and its secrets count.
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
}
