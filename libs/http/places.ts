import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AdaptiveLimit } from '#libs/limits';
import type { InHand } from './in-hand';

/**
 * Requests at work share ten connections to the database: more than a hundred would only make each wait longer, and
 * what is admitted should be answered within a second even by the slowest.
 */
const LIMIT = { least: 20, most: 100 };
/** Of the places, what those of one address may hold who do not take their answers. */
const SHARE = 0.5;

/** The places of the requests at work, each held from the end of the body until the answer has left. */
export class Places {
  readonly limit: AdaptiveLimit;
  private readonly taken = new Set<Place>();
  private working = 0;

  /** @param targetMs how long work should take in the mean; 0 lets in as many however long it takes */
  constructor(
    private readonly inHand: InHand,
    targetMs: number,
  ) {
    this.limit = new AdaptiveLimit({ ...LIMIT, targetMs, ...(targetMs === 0 && { least: LIMIT.most }) });
  }

  get count(): number {
    return this.taken.size;
  }

  /** False when there is none for the request. */
  take(request: FastifyRequest, reply: FastifyReply): boolean {
    if (!this.isFor(request)) return false;
    const place = new Place(this, request);
    this.taken.add(place);
    this.limit.begun(++this.working);
    request.place = place;
    reply.raw.once('close', () => place.leave());
    return true;
  }

  answered(): void {
    this.limit.ended(--this.working);
  }

  left(place: Place): void {
    this.taken.delete(place);
  }

  private isFor(request: FastifyRequest): boolean {
    const { current } = this.limit;
    if (this.taken.size >= current && !this.cutStalled()) return false;
    const unread = this.taken.size - this.working;
    if (unread < SHARE * current) return true;
    const address = this.inHand.sharer(request);
    if (address === undefined) return true;
    let own = 0;
    for (const place of this.taken) if (place.isUnreadBy(address, this.inHand)) own++;
    return own < SHARE * current || this.cutStalled(address);
  }

  /** Ends the answer that its reader has taken nothing of for longest, of one address if it is told. */
  private cutStalled(address?: string): boolean {
    for (const place of this.taken) {
      if (address !== undefined && !place.isUnreadBy(address, this.inHand)) continue;
      if (place.cutWhenStalled(this.inHand)) return true;
    }
    return false;
  }
}

export class Place {
  private isAnswered = false;
  private hasLeft = false;

  constructor(
    private readonly places: Places,
    private readonly request: FastifyRequest,
  ) {}

  /** The answer is made; it is the reader's turn. */
  answer(): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.places.answered();
  }

  /** Once or more. */
  leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    this.answer();
    this.places.left(this);
  }

  isUnreadBy(address: string, inHand: InHand): boolean {
    return this.isAnswered && inHand.sharer(this.request) === address;
  }

  cutWhenStalled(inHand: InHand): boolean {
    const holding = this.request.answerInHand;
    if (!this.isAnswered || !holding || !inHand.answers.isStalled(holding) || !holding.cut()) return false;
    this.leave();
    return true;
  }
}

/**
 * What is answered from here on is a stream: it has no deadline and holds no place, so whoever opens streams bounds
 * how many there are and what they hold. To be called before the reply is hijacked.
 */
export function beginStream(request: FastifyRequest): void {
  if (request.deadline) clearTimeout(request.deadline);
  request.place?.leave();
}

/** Counts those at work, where `admits` says which requests need a place and what happens to those without one. */
export function boundWork(
  fastify: FastifyInstance,
  places: Places,
  admits: {
    isFree: (request: FastifyRequest) => boolean;
    refuse: (request: FastifyRequest, reply: FastifyReply) => void;
  },
): void {
  fastify.decorateRequest('place', null);
  fastify.addHook('preValidation', (request, reply, done) => {
    // Whoever has left would never leave a place: the work ends here.
    if (request.hasLeft) return;
    if (admits.isFree(request) || places.take(request, reply)) done();
    else admits.refuse(request, reply);
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    request.place?.answer();
    done(null, payload);
  });
}
