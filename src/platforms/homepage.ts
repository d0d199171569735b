/** How homepage addresses are compared: scheme dropped, host in lower case, no trailing slash. */
export function homepageKey(address: string): string {
  const [, host = '', rest = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)(.*)$/is.exec(address.trim()) ?? [];
  return `${host.toLowerCase()}${rest}`.replace(/\/+$/, '');
}

/** A homepage as a link: https unless it was written with a scheme, no trailing slash. */
export const absoluteUrl = (address: string): string =>
  (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`).replace(/\/+$/, '');

/** The web origin of a homepage that may have been written without a scheme, or null when it has none. */
export function homepageOrigin(address: string | null): string | null {
  if (!address) return null;
  const url = absoluteUrl(address);
  // Of other schemes the origin is the text "null", which any sandboxed page sends.
  return URL.canParse(url) && /^https?:/i.test(url) ? new URL(url).origin : null;
}
