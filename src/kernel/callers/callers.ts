import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import type { Caller } from './caller';

const FRESH_MS = 1000;
const MOST = 10_000;

interface Known {
  caller: Caller;
  readAt: number;
}

/**
 * Who called a moment ago, by token, so that a busy client costs one look-up a second and not one a request.
 * What ends or changes a session in this process is felt at once, in others within the second.
 */
@Injectable()
export class Callers {
  private readonly known = new Map<string, Known>();
  private changes = 0;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  /** The caller of the token, if it was looked up within the last second; else by `look`. */
  async get(token: string, look: () => Promise<Caller | undefined>): Promise<Caller | undefined> {
    const recent = this.recent(token);
    if (recent) return recent;
    const now = this.clock.now().getTime();
    const { changes } = this;
    const caller = await look();
    this.known.delete(token);
    // What changed while it was read may not be in what was read.
    if (caller && changes === this.changes) this.keep(token, { caller, readAt: now });
    return caller;
  }

  /** The caller of the token, if it was looked up within the last second. */
  recent(token: string): Caller | undefined {
    const known = this.known.get(token);
    const isFresh = known && Math.abs(this.clock.now().getTime() - known.readAt) < FRESH_MS;
    return isFresh ? known.caller : undefined;
  }

  /** The user, or a session of theirs, is changing: whoever asks after the commit is looked up again. */
  forget(userId: number): void {
    this.drop(userId);
    this.db.afterCommit(() => this.drop(userId));
  }

  private drop(userId: number): void {
    this.changes++;
    for (const [token, { caller }] of this.known) if (caller.userId === userId) this.known.delete(token);
  }

  private keep(token: string, known: Known): void {
    const [oldest] = this.known.keys();
    if (this.known.size >= MOST && oldest !== undefined) this.known.delete(oldest);
    this.known.set(token, known);
  }
}
