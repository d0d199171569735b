import { normalised, wordsBehindSigns, wordsOf } from './words';

/** A word without its repetitions, and how often each of its letters stands there in a row. */
interface Spelled {
  letters: string;
  runs: number[];
}

interface Step {
  runs: number[];
  to: Node;
}

/** What may come next, by its letters; `ends` when the words up to here are on the list. */
interface Node {
  steps: Map<string, Step[]>;
  ends: boolean;
}

/** From this length on a doubled letter is an evasion; in shorter words it makes another word (con, coon). */
const LONG_ENOUGH = 4;
/** Longer ones are on no list: an entry has a hundred characters at most. */
const LONGEST = 100;
/** No ordinary word has a letter three times in a row. */
const STRETCHED = 3;

/**
 * Words and phrases, made ready once to be looked for in one pass: whole words only, whatever their case, with
 * signs for letters, with characters in between that nobody sees, with letters repeated.
 */
export class WordList {
  private readonly root: Node = node();
  private readonly ordinary: ReadonlySet<string>;

  /** @param ordinary words that alone are never meant, although they look like a stretched one of the list */
  constructor(entries: Iterable<string>, ordinary: Iterable<string> = []) {
    this.ordinary = new Set(ordinary);
    for (const entry of entries) this.add(wordsOf(normalised(entry)));
  }

  /** Whether a normalised text holds something of the list. */
  matches(text: string): boolean {
    return [wordsOf(text), ...wordsBehindSigns(text)].some((words) => this.holds(words));
  }

  private add(words: string[]): void {
    if (words.length === 0) return;
    let at = this.root;
    for (const { letters, runs } of words.map(spelled)) {
      const steps = at.steps.get(letters) ?? [];
      let step = steps.find((known) => String(known.runs) === String(runs));
      if (!step) steps.push((step = { runs, to: node() }));
      at.steps.set(letters, steps);
      at = step.to;
    }
    at.ends = true;
  }

  /** One pass: what has begun goes on with the next word, or ends there. */
  private holds(words: string[]): boolean {
    let begun: Node[] = [];
    for (const word of words) {
      const found = spelled(word);
      const alone = stepsTo(found, [this.root]);
      const next = stepsTo(found, begun);
      if (next.some(ends) || (alone.some(ends) && !this.ordinary.has(word))) return true;
      next.push(...alone);
      begun = next;
    }
    return false;
  }
}

const ends = (reached: Node): boolean => reached.ends;

function stepsTo({ letters, runs }: Spelled, from: Node[]): Node[] {
  const reached: Node[] = [];
  for (const { steps } of from) {
    for (const step of steps.get(letters) ?? []) if (fits(step.runs, runs)) reached.push(step.to);
  }
  return reached;
}

const node = (): Node => ({ steps: new Map(), ends: false });

function spelled(word: string): Spelled {
  let letters = '';
  let last = '';
  const runs: number[] = [];
  for (const letter of word) {
    if (letter === last) runs.push((runs.pop() ?? 0) + 1);
    else {
      if (runs.length > LONGEST) break;
      letters += letter;
      runs.push(1);
    }
    last = letter;
  }
  return { letters, runs };
}

function fits(listed: number[], found: number[]): boolean {
  return listed.every((run, index) => {
    const length = found[index] ?? 0;
    return length === run || (length > run && (length >= STRETCHED || listed.length >= LONG_ENOUGH));
  });
}
