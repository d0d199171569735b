/** Lengths that are compared with eight times as many; where the short ones fail, the long ones would take minutes. */
const LENGTHS = [1_250, 10_000];
const TIMES = 8;
/** Quadratic work would take 64 times as long. */
const MOST_TIMES = 24;
/** Below it a collection of garbage decides. */
const MOST_MS = 40;
/** A pattern that runs to the end of a text tries anew from each piece when it is not the end. */
const ENDS = ['', '\u0001'];
const RUNS = 10;

type Work = (text: string) => unknown;

/** What a text takes, one eight times as long, and how long that one may take when the work is linear. */
export interface Growth {
  once: number;
  eightfold: number;
  most: number;
}

/**
 * How the time of the work grows with a text of `piece`s. It is the processor's time, and the least of several
 * runs: whatever else is at work on the machine only adds.
 */
export async function growthOf(work: Work, piece: string): Promise<Growth> {
  let growth: Growth = { once: 0, eightfold: 0, most: MOST_MS };
  for (const length of LENGTHS) {
    for (const end of ENDS) {
      growth = await growthFrom(work, textOf(piece, length) + end, textOf(piece, TIMES * length) + end);
      if (growth.eightfold > growth.most) return growth;
    }
  }
  return growth;
}

/** Runs end as soon as the growth is seen to be linear, or to be far from it. */
async function growthFrom(work: Work, short: string, long: string): Promise<Growth> {
  let [once, eightfold, most] = [Infinity, Infinity, MOST_MS];
  for (let run = 0; run < RUNS; run++) {
    once = Math.min(once, await milliseconds(work, short));
    eightfold = Math.min(eightfold, await milliseconds(work, long));
    most = Math.max(MOST_TIMES * once, MOST_MS);
    if (eightfold <= most || (run > 4 && eightfold > 2 * most)) break;
  }
  return { once, eightfold, most };
}

const textOf = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

async function milliseconds(work: Work, text: string): Promise<number> {
  const begin = process.cpuUsage();
  await work(text);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}
