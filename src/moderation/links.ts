import { domainToASCII } from 'node:url';

/** Tags, and the text between them; sanitised HTML has no other angle brackets. */
const PIECES = /<[^<>]*>|[^<>]+/g;
const HREF = /^<a\b[^<>]*? href="([^"<>]*)"/;
const BARE_LINK = /(?:https?:\/\/|\bwww\.)[^\s"']+/gi;
const NOT_IN_HOSTS = /[^\p{L}\p{M}\p{N}.-]+/u;
const LONGEST_HOST = 253;

export interface Links {
  /** How many a reader could follow: anchors, and addresses spelled out elsewhere. */
  count: number;
  /** The hosts that it leads to or names, in ASCII. */
  hosts: Set<string>;
}

/**
 * What a text links to, or names without a link.
 * @param message sanitised HTML
 * @param text the same as normalised plain text
 */
export function linksOf(message: string, text: string): Links {
  const addresses: string[] = [];
  let inAnchor = false;
  for (const piece of message.match(PIECES) ?? []) {
    if (piece.startsWith('<a')) {
      const [, href] = HREF.exec(piece) ?? [];
      if (href) addresses.push(href.replaceAll('&amp;', '&'));
      inAnchor = true;
    } else if (piece.startsWith('</a')) inAnchor = false;
    else if (!inAnchor && !piece.startsWith('<')) addresses.push(...(piece.match(BARE_LINK) ?? []));
  }
  const named = text.split(NOT_IN_HOSTS);
  const hosts = [...addresses.map(hostOf), ...named.map(host)].filter((name) => name.includes('.'));
  return { count: addresses.length, hosts: new Set(hosts) };
}

/** An entry of the platform's blocked words that names a domain: it has a dot inside, and no space. */
export function domainOf(entry: string): string | null {
  const text = entry.trim();
  return /^[^\s.@][^\s@]*\.[^\s.@]+$/.test(text) ? hostOf(text) : null;
}

/** Whether a host is one of the domains or below one. */
export function isWithin(name: string, domains: ReadonlySet<string>): boolean {
  for (let dot = -1; ;) {
    if (domains.has(name.slice(dot + 1))) return true;
    dot = name.indexOf('.', dot + 1);
    if (dot < 0) return false;
  }
}

/** The host of an address with or without its scheme, `` when it has none; browsers decode `%65` in it. */
function hostOf(address: string): string {
  const url = /^[a-z]+:/i.test(address) ? address : `http://${address}`;
  const { hostname, protocol, pathname } = URL.parse(url) ?? { hostname: '', protocol: '', pathname: '' };
  if (protocol === 'mailto:') return host(pathname.slice(pathname.lastIndexOf('@') + 1));
  return host(hostname);
}

function host(text: string): string {
  if (!text.includes('.')) return '';
  const name = text
    .slice(-LONGEST_HOST)
    .toLowerCase()
    .replace(/^[.-]{1,253}|[.-]{1,253}$/g, '');
  return /[^a-z0-9.-]/.test(name) ? domainToASCII(name) : name;
}
