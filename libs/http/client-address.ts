import type { IncomingMessage } from 'node:http';
import * as ipaddr from 'ipaddr.js';
import type { AmongAddresses } from './address-ranges';

/** So many proxies may stand behind one another. */
const MOST_HOPS = 20;
/** Of a connection that is gone. */
const NOWHERE = '0.0.0.0';
/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/;

/**
 * The address that a request comes from: what the nearest proxy that is believed says of it, if that is an
 * address, else that of the connection. Always one that can be parsed.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  isProxy: AmongAddresses,
): string {
  const connected = addressIn(socket.remoteAddress ?? '') ?? NOWHERE;
  if (!isProxy(connected)) return connected;
  let client = connected;
  const hops = String(headers['x-forwarded-for'] ?? '').split(',');
  for (const hop of hops.slice(-MOST_HOPS).toReversed()) {
    const address = addressIn(hop.trim());
    if (address === null) return connected;
    client = address;
    if (!isProxy(client)) break;
  }
  return client;
}

function addressIn(text: string): string | null {
  if (ipaddr.IPv6.isValid(text)) return ipaddr.process(text).toString();
  const [, inBrackets, plain = ''] = WITH_PORT.exec(text) ?? [];
  if (inBrackets !== undefined)
    return ipaddr.IPv6.isValid(inBrackets) ? ipaddr.process(inBrackets).toString() : null;
  return ipaddr.IPv4.isValidFourPartDecimal(plain) ? plain : null;
}

/** The client's address as rates count it: an IPv6 customer holds a whole /64. */
export function addressKey(ip: string): string {
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv6'
    ? (address as ipaddr.IPv6).parts.slice(0, 4).join(':')
    : address.toString();
}

/** An address without what tells one household from the next: /24 of IPv4, /48 of IPv6. */
export function shortenedIp(ip: string): string {
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return `${address.toString().split('.').slice(0, 3).join('.')}.0/24`;
  const [one = 0, two = 0, three = 0] = (address as ipaddr.IPv6).parts;
  return `${[one, two, three].map((part) => part.toString(16)).join(':')}::/48`;
}
