import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { InHand } from './in-hand';
import { warn } from './reply-headers';

const MIB = 1024 * 1024;
/** Is read without asking for room. */
const SMALL = 2 * MIB;
/** What a list has at most: room for 100 items with the longest texts. */
const LIST = 32 * MIB;
/** While an answer is made there are its rows as well. */
const COPIES = 2;

/**
 * Answers that can be large are read in two steps: what is small at once, and of what is not only its size, for which
 * there has to be room before the rest is read. Beyond a bound an answer has less than was asked for, and says so.
 */
@Injectable()
export class SizedAnswers {
  /** Of answers with the contents of collections. */
  readonly collections: number;

  constructor(
    private readonly inHand: InHand,
    { MAX_COLLECTIONS_MIB }: Settings,
  ) {
    this.collections = MAX_COLLECTIONS_MIB * MIB;
  }

  /** Counts the bytes of an answer that was read as a whole, because few of its kind are made at a time. */
  expect(bytes: number): void {
    this.inHand.expectAnswer(COPIES * bytes);
  }

  /**
   * @param read what fits into so many bytes, with what all would take as `wanted`
   * @param most so many bytes are answered at most
   * @throws UnavailableError when there is no room for so much
   */
  async read<Found extends { wanted: number } | null>(
    read: (most: number) => Promise<Found>,
    most = LIST,
  ): Promise<Found> {
    const small = await read(Math.min(SMALL, most));
    if (!small || small.wanted <= Math.min(SMALL, most)) return small;
    this.inHand.expectAnswer(COPIES * Math.min(small.wanted, most));
    if (small.wanted > most) warn('cut');
    return read(most);
  }
}
