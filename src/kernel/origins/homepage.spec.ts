import { homepageKey, homepageLink, homepageOrigin } from './homepage';

describe('homepageKey', () => {
  it.each([
    ['example.org', 'example.org'],
    ['https://example.org', 'example.org'],
    ['http://example.org/', 'example.org'],
    ['HTTPS://Example.ORG//', 'example.org'],
    ['  https://example.org/  ', 'example.org'],
    ['https://example.org:8443/', 'example.org:8443'],
    ['Example.org/Club/', 'example.org/Club'],
    ['https://example.org/Club/Sails', 'example.org/Club/Sails'],
    ['localhost:3000', 'localhost:3000'],
    ['https://[::1]:3000/', '[::1]:3000'],
    ['a.test/%', 'a.test/%25'],
    ['a.test/%%36%33', 'a.test/%2563'],
    ['a.test/%ff', 'a.test/%EF%BF%BD'],
  ])('%j → %j', (address, key) => {
    expect(homepageKey(address)).toBe(key);
    expect(homepageKey(key)).toBe(key);
  });

  it.each([
    'https://bücher.example',
    'https://xn--bcher-kva.example',
    'https://bu\u0308cher.example',
    'BÜCHER.EXAMPLE.',
    'http://bücher.example:80',
    'https://bücher.example:443/',
    'bücher.example:80',
    'http://bücher.example:443',
    'https://bücher.example/.',
    'https://bücher.example/club/..',
    'https://b%C3%BCcher.example',
    'https://ｂücher。example//',
    'https:\\/bücher.example\\',
  ])('%j is bücher.example', (address) => {
    expect(homepageKey(address)).toBe('xn--bcher-kva.example');
  });

  it.each([
    'a.test/café/x',
    'a.test/cafe\u0301/x',
    'a.test/caf%c3%a9/x',
    'a.test/%63af%C3%A9%2Fx',
    'a.test/y/../café/%2e/x',
    'a.test\\café\\x/',
  ])('%j is the café’s', (address) => {
    expect(homepageKey(address)).toBe('a.test/caf%C3%A9/x');
  });

  it.each([
    '',
    '/',
    '.',
    'https://',
    'exa mple.org',
    '0x1ffffffff',
    'a.test:99999',
    'ftp://a.test',
    'user@a.test',
    'a.test?b',
    'a.test/#c',
    `a.test/${'a'.repeat(5000)}`,
  ])('%j is none', (address) => {
    expect(homepageKey(address)).toBeNull();
  });
});

describe('homepageLink', () => {
  it.each([
    ['club.test/home/', 'https://club.test/home'],
    ['http://Club.test:8080', 'http://club.test:8080'],
    ['bücher.example//', 'https://xn--bcher-kva.example'],
    ['a b.test', null],
    [null, null],
  ])('%j → %j', (address, link) => {
    expect(homepageLink(address)).toBe(link);
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
