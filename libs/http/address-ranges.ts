import * as ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
export type AmongAddresses = (ip: string) => boolean;

/** Whether an address is among those that a setting lists, one by one or as CIDR ranges. */
export function amongAddresses(listed: string[]): AmongAddresses {
  if (listed.length === 0) return () => false;
  const ranges = listed.map((range) =>
    ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : hostRange(range),
  );
  return (ip) => {
    const address = ipaddr.process(ip);
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  };
}

const hostRange = (address: string): Range => {
  const host = ipaddr.parse(address);
  return [host, host.kind() === 'ipv4' ? 32 : 128];
};
