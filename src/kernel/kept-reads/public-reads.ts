import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '#libs/clock';
import { Together, within } from '#libs/deadline';
import type { ReadyAnswer } from './ready-answer';
import { StampsRepository } from './stamps.repository';

/** All answers together; those that nobody asked for longest make room. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Of one: no platform's large answers take the room of all others'. */
const MOST_BYTES_OF_ONE = MOST_BYTES / 8;
/** All addresses together, in characters: what a client appends to one can be long. */
const MOST_ADDRESSES = 2 * 1024 * 1024;
/** What many wait for is read within this, whether the one who asked first still waits or not. */
const TOGETHER_MS = 10_000;
/** What counts comments and views may be this old. */
const FRESH_MS = 60_000;
/** A look is one row by its key: whoever waits for it must not wait for a connection that hangs. */
const LOOK_MS = 3000;

interface Kept {
  stamp: string;
  answer: ReadyAnswer;
  freshUntil: number;
}

/** Looks at one platform's stamp. */
interface Looks {
  running: Promise<string | null>;
  next?: Promise<string | null>;
}

/**
 * What anonymous readers were answered, by URL. It is right as long as the platform's stamp is the one from
 * before it was read, and nothing on the platform was due to appear or disappear since.
 */
@Injectable()
export class PublicReads {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MOST_BYTES,
    maxEntrySize: MOST_BYTES_OF_ONE,
    sizeCalculation: ({ answer }, url) => answer.bytes + 2 * url.length + 200,
  });
  /** Of a URL that names no platform, the one that its answer named. */
  private readonly platforms = new LRUCache<string, number>({
    maxSize: MOST_ADDRESSES,
    sizeCalculation: (_, url) => url.length + 100,
  });
  private readonly changes = new LRUCache<number, { stamp: string; at: number }>({ max: 10_000 });
  private readonly looks = new Map<number, Looks>();
  private readonly readings = new Together<string, ReadyAnswer>(TOGETHER_MS);

  constructor(
    private readonly stamps: StampsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The kept answer, or else what `read` says.
   * @param named the platform that the request names
   */
  async answer(url: string, named: number | null, read: () => Promise<ReadyAnswer>): Promise<ReadyAnswer> {
    const platformId = named ?? this.platforms.get(url);
    // Before anything is read: what changes meanwhile makes the answer old, not wrong.
    const stamp = platformId === undefined ? null : await this.currentStamp(platformId);
    if (platformId === undefined || stamp === null) return this.readUnkept(url, read);
    const kept = this.kept.get(url);
    if (kept?.stamp === stamp && this.clock.now().getTime() < kept.freshUntil) return kept.answer;
    // Many who ask for the same under the same stamp at once wait for one that reads it.
    return this.readings.run(`${stamp} ${url}`, () => this.keep(url, platformId, stamp, read));
  }

  /** Those who ask while a look is under way share the next: one that had begun may miss what they must see. */
  private currentStamp(platformId: number): Promise<string | null> {
    const looks = this.looks.get(platformId);
    if (!looks) return this.look(platformId);
    looks.next ??= looks.running.then(
      () => this.look(platformId),
      () => this.look(platformId),
    );
    return looks.next;
  }

  private look(platformId: number): Promise<string | null> {
    const looks: Looks = { running: within(LOOK_MS, () => this.stamps.current(platformId)) };
    this.looks.set(platformId, looks);
    const end = (): void => {
      if (!looks.next) this.looks.delete(platformId);
    };
    looks.running.then(end, end);
    return looks.running;
  }

  private async readUnkept(url: string, read: () => Promise<ReadyAnswer>): Promise<ReadyAnswer> {
    const answer = await read();
    if (answer.platformId !== undefined) this.platforms.set(url, answer.platformId);
    return answer;
  }

  private async keep(
    url: string,
    platformId: number,
    stamp: string,
    read: () => Promise<ReadyAnswer>,
  ): Promise<ReadyAnswer> {
    const begun = this.clock.now().getTime();
    const next = await this.nextChange(platformId, stamp, begun);
    const answer = await read();
    const freshUntil = Math.min(begun + FRESH_MS, next);
    // A request can name another platform where the route takes none.
    if ((answer.platformId ?? platformId) === platformId) this.kept.set(url, { stamp, answer, freshUntil });
    return answer;
  }

  /** When something next appears or disappears by itself: as long as nobody writes, the same until then. */
  private async nextChange(platformId: number, stamp: string, now: number): Promise<number> {
    const known = this.changes.get(platformId);
    if (known?.stamp === stamp && now < known.at) return known.at;
    const at = (await this.stamps.nextChange(platformId, new Date(now)))?.getTime() ?? Infinity;
    this.changes.set(platformId, { stamp, at });
    return at;
  }
}
