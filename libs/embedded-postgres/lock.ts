import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * One host per data directory. The lock names a process by its pid and start time, so a recycled pid
 * is not mistaken for the owner and the lock of a killed process is free at once. An owner in another
 * container or on another machine cannot be looked up: it counts as alive as long as it touches the file.
 */
interface LockRecord {
  pid: number;
  startTime: string | null;
  place: string;
  nonce: string;
}

const HEARTBEAT_MS = 2_000;
// Longer than the watchdog lets a query block the owner's event loop.
const FOREIGN_STALE_MS = 30_000;
const UNWRITTEN_STALE_MS = 500;
// Long enough for a competitor that removed this lock by mistake to notice and put it back.
const SETTLE_MS = 50;

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function place(): string {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const pidNamespace = attempt(() => readlinkSync('/proc/self/ns/pid'));
  return boot && pidNamespace ? `${boot} ${pidNamespace}` : hostname();
}

function startTime(pid: number): string | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat !== null) {
    // The fields after the command in parentheses, from the third (state) on; the 22nd is the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  }
  if (process.platform === 'linux') return null;
  return attempt(() => execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim());
}

function isHeld(file: string, text: string): boolean {
  const age = Date.now() - (attempt(() => statSync(file).mtimeMs) ?? 0);
  const record = attempt(() => JSON.parse(text) as LockRecord);
  if (!record) return age < UNWRITTEN_STALE_MS;
  if (record.place !== place()) return age < FOREIGN_STALE_MS;
  return record.startTime !== null && startTime(record.pid) === record.startTime;
}

const readLock = (file: string): string | null => attempt(() => readFileSync(file, 'utf8'));

function createExclusively(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the lock aside before deleting it: what was read as stale may have been replaced meanwhile. */
function removeStale(file: string, staleText: string): void {
  const aside = `${file}.${randomUUID()}`;
  attempt(() => renameSync(file, aside));
  const moved = readLock(aside);
  if (moved !== null && moved !== staleText) createExclusively(file, moved);
  rmSync(aside, { force: true });
}

export function isLocked(file: string): boolean {
  const text = readLock(file);
  return text !== null && isHeld(file, text);
}

/** Resolves to the function that releases the lock, or to null if another process holds it. */
export async function acquireLock(file: string): Promise<(() => void) | null> {
  const record: LockRecord = {
    pid: process.pid,
    startTime: startTime(process.pid),
    place: place(),
    nonce: randomUUID(),
  };
  const text = JSON.stringify(record);
  if (!createExclusively(file, text)) {
    const found = readLock(file);
    if (found !== null && isHeld(file, found)) return null;
    if (found !== null) removeStale(file, found);
    if (!createExclusively(file, text)) return null;
  }
  await delay(SETTLE_MS);
  if (readLock(file) !== text) return null;
  const heartbeat = setInterval(() => {
    const now = new Date();
    attempt(() => utimesSync(file, now, now));
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    if (readLock(file) === text) rmSync(file, { force: true });
  };
}
