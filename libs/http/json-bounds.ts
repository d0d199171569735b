const MAX_DEPTH = 32;
const MAX_KEYS = 1000;
const MAX_VALUES = 20_000;

const SIGN = { quote: 0x22, comma: 0x2c, colon: 0x3a, backslash: 0x5c };
const OPENING = { bracket: 0x5b, brace: 0x7b };
const CLOSING = { bracket: 0x5d, brace: 0x7d };

/**
 * What a JSON text has too much of, or null. Its signs are counted before anything is made of them: to parse a
 * megabyte of keys or brackets takes a hundred milliseconds. Whether it is JSON at all, the parser says.
 */
export function boundsFault(json: Uint8Array): string | null {
  /** How many keys each list or object that is open has so far. */
  const open: number[] = [];
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case SIGN.quote:
        at = endOfText(json, at);
        break;
      case OPENING.bracket:
      case OPENING.brace:
        if (open.push(0) > MAX_DEPTH) return `nested over ${MAX_DEPTH} levels`;
        values++;
        break;
      case CLOSING.bracket:
      case CLOSING.brace:
        open.pop();
        break;
      case SIGN.colon: {
        const keys = (open.pop() ?? 0) + 1;
        if (open.push(keys) && keys > MAX_KEYS) return `over ${MAX_KEYS} keys in an object`;
        break;
      }
      case SIGN.comma:
        values++;
    }
    if (values > MAX_VALUES) return `over ${MAX_VALUES} values`;
  }
  return null;
}

/** @returns where the text that begins at `start` ends, or the end of it all */
function endOfText(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== SIGN.quote) at += json[at] === SIGN.backslash ? 2 : 1;
  return at;
}
