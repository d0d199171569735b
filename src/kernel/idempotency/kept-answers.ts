import { Injectable } from '@nestjs/common';
import { Sealer } from '#libs/crypto';
import { AnswerNotKeptError, IdempotencyMismatchError, StillAtWorkError } from './idempotency.errors';
import { KeptAnswersRepository } from './kept-answers.repository';
import type { KeyedRequest } from './keyed-request';

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  /** As it was sent; null for none. */
  body: string | null;
}

/** In characters: what is longer is not kept, only that there was an answer. */
const LONGEST = 1024 * 1024;
const TOO_LONG = 'too long';

/** What requests with an `Idempotency-Key` were answered. Sealed, since answers may carry tokens. */
@Injectable()
export class KeptAnswers {
  constructor(
    private readonly answers: KeptAnswersRepository,
    private readonly sealer: Sealer,
  ) {}

  /**
   * @returns null when the request was not answered yet
   * @throws IdempotencyMismatchError when it was another one that was
   */
  async find({ id, prints }: KeyedRequest): Promise<KeptAnswer | null> {
    const row = await this.answers.find(id);
    if (!row) return null;
    if (!prints.some((print) => print.equals(row.print))) throw new IdempotencyMismatchError();
    const text = this.sealer.open(row.answer);
    if (text === TOO_LONG) throw new AnswerNotKeptError();
    return JSON.parse(text) as KeptAnswer;
  }

  /**
   * Takes the key for the surrounding transaction. In the embedded database, where all share one session, nobody
   * else has a transaction meanwhile.
   * @throws StillAtWorkError when another transaction has it
   */
  async claim({ id }: KeyedRequest): Promise<void> {
    if (!(await this.answers.claim(id))) throw new StillAtWorkError();
  }

  /** In the transaction that claimed the key. */
  async keep({ id, prints: [print] }: KeyedRequest, answer: KeptAnswer): Promise<void> {
    if (!print) throw new Error('There is no key to tell bodies apart with.');
    const text = JSON.stringify(answer);
    await this.answers.keep(id, { print, answer: this.sealer.seal(text.length > LONGEST ? TOO_LONG : text) });
  }
}
