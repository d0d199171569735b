const SCHEME = /^[a-z][a-z0-9+.-]*:[/\\]{2}/i;
/** Those of http and https: the scheme does not count. */
const USUAL_PORTS = ['80', '443'];
/** No homepage is longer, however it is spelled; marks piled up on one letter take quadratic time to compose. */
const LONGEST = 4096;

/** The address as the URL standard reads it, https unless it says otherwise; null when it is no homepage. */
function homepage(address: string): URL | null {
  if (address.length > LONGEST) return null;
  const text = address.trim();
  const url = URL.parse(SCHEME.test(text) ? text : `https://${text}`);
  // Of other schemes the origin is the text "null", which any sandboxed page sends.
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.username || url.password || url.search || url.hash ? null : url;
}

/**
 * Under which all spellings of a homepage are one: host in ASCII and without a final dot, path decoded, no scheme,
 * no port that a scheme has anyway, no final slashes. Null when it is no address of a homepage.
 */
export function homepageKey(address: string): string | null {
  const url = homepage(address);
  const host = withoutFinal('.', url?.hostname ?? '');
  if (!url || host === '') return null;
  const port = url.port === '' || USUAL_PORTS.includes(url.port) ? '' : `:${url.port}`;
  url.pathname = decoded(url.pathname);
  return `${host}${port}${withoutFinal('/', url.pathname)}`;
}

/** The homepage as a link, without a final slash; null when it is none. */
export function homepageLink(address: string | null): string | null {
  const url = address === null ? null : homepage(address);
  return url && url.origin + withoutFinal('/', url.pathname);
}

/** The web origin of a homepage that may have been written without a scheme, or null when it has none. */
export const homepageOrigin = (address: string | null): string | null =>
  address === null ? null : (homepage(address)?.origin ?? null);

/** Decoded once; a percent sign stays escaped. */
const decoded = (path: string): string =>
  path
    .replace(/(?:%[\da-f]{2})+|%/gi, (run) =>
      run === '%' ? '%25' : Buffer.from(run.replaceAll('%', ''), 'hex').toString().replaceAll('%', '%25'),
    )
    .normalize('NFC');

function withoutFinal(char: '.' | '/', text: string): string {
  let end = text.length;
  while (text[end - 1] === char) end--;
  return text.slice(0, end);
}
