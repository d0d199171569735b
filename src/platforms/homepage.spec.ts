import { homepageKey, homepageOrigin } from './homepage';

describe('homepageKey', () => {
  it.each([
    ['example.org', 'example.org'],
    ['https://example.org', 'example.org'],
    ['http://example.org/', 'example.org'],
    ['HTTPS://Example.ORG//', 'example.org'],
    ['  https://example.org/  ', 'example.org'],
    ['https://example.org:8443/', 'example.org:8443'],
    ['Example.org/Club/', 'example.org/Club'],
    ['https://example.org/Club/Sails?Q=A', 'example.org/Club/Sails?Q=A'],
    ['https://Example.org?Q=A', 'example.org?Q=A'],
    ['localhost:3000', 'localhost:3000'],
    ['https://[::1]:3000/', '[::1]:3000'],
    ['', ''],
  ])('%j → %j', (address, key) => {
    expect(homepageKey(address)).toBe(key);
    expect(homepageKey(key)).toBe(key);
  });
});

describe('homepageOrigin', () => {
  it.each([
    ['https://example.org/club', 'https://example.org'],
    ['http://Example.org:8080/', 'http://example.org:8080'],
    ['https://example.org:443', 'https://example.org'],
    ['example.org', 'https://example.org'],
    ['Example.org:8443/club', 'https://example.org:8443'],
    ['localhost:3000', 'https://localhost:3000'],
    ['', null],
    [null, null],
    ['https://', null],
    ['exa mple.org', null],
    // What would be the origin "null" of a sandboxed page.
    ['app://community', null],
    ['file:///etc/passwd', null],
    ['chrome-extension://abc', null],
  ])('%j → %j', (address, origin) => {
    expect(homepageOrigin(address)).toBe(origin);
  });
});
