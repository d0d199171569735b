import type { Socket } from 'node:net';
import { amongAddresses } from './address-ranges';
import { addressKey, clientAddress, shortenedIp } from './client-address';

const isProxy = amongAddresses(['10.0.0.0/8', '127.0.0.1', '2001:db8:1::/48']);
const addressOf = (remoteAddress: string | undefined, forwarded?: string): string =>
  clientAddress(
    {
      socket: { remoteAddress } as Socket,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    },
    isProxy,
  );

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', undefined, '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['2001:db8::1', undefined, '2001:db8::1'],
    ['fe80::1%eth0', undefined, 'fe80::1%eth0'],
    [undefined, undefined, '0.0.0.0'],
    // Who is no proxy is not believed.
    ['192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['10.1.2.3', undefined, '10.1.2.3'],
    ['10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['2001:db8:1::5', '203.0.113.9', '203.0.113.9'],
    ['10.1.2.3', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['10.1.2.3', '1.1.1.1,203.0.113.9 , 10.9.9.9,127.0.0.1', '203.0.113.9'],
    ['10.1.2.3', '10.4.4.4, 10.5.5.5', '10.4.4.4'],
    ['10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
    ['10.1.2.3', '203.0.113.9:4711, 10.5.5.5:80', '203.0.113.9'],
    ['10.1.2.3', '2001:db8::7', '2001:db8::7'],
    ['10.1.2.3', '[2001:db8::7]', '2001:db8::7'],
    ['10.1.2.3', '[2001:db8::7]:4711', '2001:db8::7'],
    ['10.1.2.3', '::ffff:203.0.113.9', '203.0.113.9'],
    ['10.1.2.3', '[::ffff:203.0.113.9]:1', '203.0.113.9'],
    // What is no address says nothing.
    ['10.1.2.3', '', '10.1.2.3'],
    ['10.1.2.3', ' , ', '10.1.2.3'],
    ['10.1.2.3', 'unknown', '10.1.2.3'],
    ['10.1.2.3', '203.0.113.9, unknown', '10.1.2.3'],
    ['10.1.2.3', 'unknown, 203.0.113.9', '203.0.113.9'],
    ['10.1.2.3', '_hidden', '10.1.2.3'],
    ['10.1.2.3', '1', '10.1.2.3'],
    ['10.1.2.3', '0x7f000001', '10.1.2.3'],
    ['10.1.2.3', '256.1.1.1', '10.1.2.3'],
    ['10.1.2.3', '203.0.113.9:', '10.1.2.3'],
    ['10.1.2.3', '203.0.113.9:http', '10.1.2.3'],
    ['10.1.2.3', '[203.0.113.9]', '10.1.2.3'],
    ['10.1.2.3', '[]:80', '10.1.2.3'],
    ['10.1.2.3', '[2001:db8::7', '10.1.2.3'],
    ['10.1.2.3', "'; drop table users", '10.1.2.3'],
  ])('connected from %s, forwarded for %j: %s', (connected, forwarded, address) => {
    expect(addressOf(connected, forwarded)).toBe(address);
    expect(() => [addressKey(address), shortenedIp(address)]).not.toThrow();
  });

  it('is found quickly in a header of any length', () => {
    for (const hop of ['127.0.0.1,', ',', '[', '1.', ':', '1:', '[::', ' ']) {
      const before = process.cpuUsage();
      addressOf('10.1.2.3', hop.repeat(16_000 / hop.length));
      expect(process.cpuUsage(before).user).toBeLessThan(100_000);
    }
  });
});
