import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type as system } from 'node:os';

interface Line {
  what: string;
  seen: string;
  promise: string;
  kept: boolean;
}

/** What was seen, as a Markdown table: one line for each promise, or for a mere fact. */
export class Report {
  private readonly lines: Line[] = [];

  constructor(private readonly title: string) {}

  /** @param kept with a promise, whether what was seen keeps it */
  line(what: string, seen: string | number, promise = '', kept = true): void {
    this.lines.push({ what, seen: String(seen), promise, kept });
    console.error(`${kept ? '' : 'BROKEN  '}${what}: ${seen}${promise && ` (${promise})`}`);
  }

  get broken(): number {
    return this.lines.filter(({ kept }) => !kept).length;
  }

  print(): void {
    const cells = this.lines.map(({ what, seen, promise, kept }) => [
      what,
      seen,
      promise,
      promise ? (kept ? 'kept' : '**broken**') : '',
    ]);
    console.log(
      [`## ${this.title}`, '', facts(), '', ...table(['What', 'Seen', 'Promise', ''], cells)].join('\n'),
    );
  }
}

function facts(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  const model = cpus()[0]?.model ?? 'processor';
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0];
  return (
    `${date}, ${availableParallelism()} cores of ${model}, ${memory} GiB, ${system()} ${release()}, ` +
    `Node ${process.version}; everything on one machine, whose load was ${load} at the end.`
  );
}

const table = (head: string[], rows: string[][]): string[] =>
  [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
