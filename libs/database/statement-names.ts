import { hash } from 'node:crypto';

/** Each costs the server some 200 kB on each connection. */
const MOST = 100;
const LENGTH = 32;

/**
 * The names under which connections keep parsed statements. A name is a hash of the text, so that it means the same
 * on a connection that a pooler shares between processes; and there is a bound on how many are given out.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private kept = true;

  /** Undefined for a statement that is to be sent as it is. */
  of(text: string): string | undefined {
    if (!this.kept) return undefined;
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= MOST) return known;
    const name = hash('sha256', text).slice(0, LENGTH);
    this.names.set(text, name);
    return name;
  }

  /**
   * From now on nothing is kept: between us and the server is a pooler that loses what is.
   * @returns whether it was kept until now
   */
  stop(): boolean {
    const { kept } = this;
    this.kept = false;
    this.names.clear();
    return kept;
  }
}
