import { setImmediate as turn } from 'node:timers/promises';
import { ifWanted } from '#libs/deadline';

/** Characters that are written out before others have their turn, in a millisecond or two. */
const AT_ONCE = 256 * 1024;

export interface WrittenJson {
  parts: Buffer[];
  /** How long the process was busy with it. */
  ms: number;
}

/** The JSON of a presented answer. Others have their turns within a long one. */
export async function writeJson(body: unknown): Promise<WrittenJson> {
  const parts: Buffer[] = [];
  let text = '';
  let ms = 0;
  let begun = performance.now();
  const flush = (): void => {
    parts.push(Buffer.from(text));
    text = '';
    ms += performance.now() - begun;
  };
  for (const piece of pieces(body)) {
    text += piece;
    if (text.length < AT_ONCE) continue;
    flush();
    await turn();
    ifWanted();
    begun = performance.now();
  }
  flush();
  return { parts, ms };
}

/** A list in it comes by its items. */
function* pieces(body: unknown): Generator<string> {
  if (Array.isArray(body)) {
    yield* items(body);
  } else if (typeof body === 'object' && body !== null) {
    let before = '{';
    for (const [key, value] of Object.entries(body)) {
      if (value === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      if (Array.isArray(value)) yield* items(value);
      else yield JSON.stringify(value);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(body);
  }
}

function* items(list: unknown[]): Generator<string> {
  yield '[';
  for (const [index, item] of list.entries()) {
    yield index === 0 ? '' : ',';
    yield JSON.stringify(item) ?? 'null';
  }
  yield ']';
}
