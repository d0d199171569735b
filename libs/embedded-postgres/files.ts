import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const lockFile = (dataDir: string): string => join(dataDir, 'postgres.lock');

const urlFile = (dataDir: string): string => join(dataDir, 'postgres.url');

export function databaseUrl(port: number, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** Only this user may enter: the directory holds the data and the password. */
export function createDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
}

/** Renamed into place, so that nobody reads half a URL. */
export function writeUrl(dataDir: string, url: string): void {
  const draft = `${urlFile(dataDir)}.${process.pid}`;
  writeFileSync(draft, `${url}\n`, { mode: 0o600 });
  renameSync(draft, urlFile(dataDir));
}

export function readUrl(dataDir: string): string | null {
  try {
    return readFileSync(urlFile(dataDir), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

export function removeUrl(dataDir: string): void {
  rmSync(urlFile(dataDir), { force: true });
}
