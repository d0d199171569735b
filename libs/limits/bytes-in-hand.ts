/** Of the budget, what one address may hold. */
const SHARE = 0.5;

interface Holder {
  /** Whose they are; none for those who may hold more than their share. */
  readonly address?: string;
  /** Ends what holds the bytes, where that may be done to make room. */
  readonly cut?: () => void;
  /** The bytes themselves, where several may hold the same: in all they are counted once. */
  readonly same?: object;
}

/**
 * Bytes of one kind that the process holds for others, such as bodies that arrive: at most so many together, and of
 * one address at most half of that. Whoever has not got on for longest makes room.
 */
export class BytesInHand {
  /** The longest without progress first. */
  private readonly holdings = new Set<Holding>();
  private readonly byAddress = new Map<string, number>();
  private readonly holders = new Map<object, number>();
  private held = 0;

  /** @param patienceMs how long one that can be cut may get on with nothing while others need room */
  constructor(
    private readonly most: number,
    private readonly patienceMs: number,
    readonly now: () => number = () => performance.now(),
  ) {}

  get bytes(): number {
    return this.held;
  }

  /** Whether there is room for so many bytes more; makes some where it can. */
  hasRoom(bytes: number, address?: string): boolean {
    const isFree = (): boolean => this.held + bytes <= this.most;
    const isShare = (): boolean => (this.byAddress.get(address ?? '') ?? 0) + bytes <= SHARE * this.most;
    return (
      (address === undefined || isShare() || this.makeRoom(isShare, address)) &&
      (isFree() || this.makeRoom(isFree))
    );
  }

  /** Takes `bytes` in hand, whether there is room or not: ask first. */
  hold(bytes: number, holder: Holder = {}): Holding {
    const holding = new Holding(this, holder);
    this.holdings.add(holding);
    holding.grow(bytes);
    return holding;
  }

  /** Cuts who has stalled, of one address if it is told, until there is enough. */
  makeRoom(isEnough: () => boolean, address?: string): boolean {
    for (const holding of this.holdings) {
      if (!this.isStalled(holding)) break;
      if (address !== undefined && holding.holder.address !== address) continue;
      if (holding.cut() && isEnough()) return true;
    }
    return false;
  }

  isStalled({ movedAt }: Holding): boolean {
    return this.now() - movedAt >= this.patienceMs;
  }

  /** The holding is the last to get on. */
  moved(holding: Holding): void {
    if (this.holdings.delete(holding)) this.holdings.add(holding);
  }

  /** @param bytes less than none when they are given back */
  count(bytes: number, { address, same }: Holder): void {
    if (same) this.countSame(bytes, same);
    else this.held += bytes;
    if (address === undefined) return;
    const own = (this.byAddress.get(address) ?? 0) + bytes;
    if (own > 0) this.byAddress.set(address, own);
    else this.byAddress.delete(address);
  }

  forget(holding: Holding): void {
    this.holdings.delete(holding);
  }

  private countSame(bytes: number, same: object): void {
    const holders = (this.holders.get(same) ?? 0) + Math.sign(bytes);
    if (holders > 0) this.holders.set(same, holders);
    else this.holders.delete(same);
    if (holders === 0 || (holders === 1 && bytes > 0)) this.held += bytes;
  }
}

/** What one holder has in hand, until it is released. */
export class Holding {
  movedAt: number;
  private bytes = 0;
  private kept: boolean;
  private released = false;

  constructor(
    private readonly inHand: BytesInHand,
    private held: Holder,
  ) {
    this.movedAt = inHand.now();
    this.kept = held.cut === undefined;
  }

  get holder(): Holder {
    return this.held;
  }

  /** Counts nothing once it is released. */
  grow(bytes: number): void {
    if (this.released) return;
    this.bytes += bytes;
    this.inHand.count(bytes, this.held);
  }

  /** It gets on, so others are cut before it. */
  moves(): void {
    this.movedAt = this.inHand.now();
    this.inHand.moved(this);
  }

  /** From now on it is not cut. */
  keep(): void {
    this.kept = true;
  }

  /** Ends it to make room, where that may be done. */
  cut(): boolean {
    if (this.kept || this.released) return false;
    const { cut } = this.held;
    this.release();
    cut?.();
    return true;
  }

  /** Once or more. */
  release(): void {
    if (this.released) return;
    this.released = true;
    this.inHand.forget(this);
    if (this.bytes > 0) this.inHand.count(-this.bytes, this.held);
    // Whoever still knows of it must not keep the bytes.
    this.held = {};
  }
}
