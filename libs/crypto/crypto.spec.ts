import { mac, randomCode, sameSecret, Sealer } from './index';

describe('Sealer', () => {
  const sealer = new Sealer(['first key']);

  it('opens what it sealed, and shows nothing of it', () => {
    for (const text of ['', 'ada@example.org', '日本語 👍', 'x'.repeat(100_000)]) {
      const sealed = sealer.seal(text);
      expect(sealer.open(sealed)).toBe(text);
      expect(sealed).toMatch(/^v1\.[\w-]+$/);
    }
    expect(sealer.seal('ada@example.org')).not.toContain('ada');
  });

  it('seals the same text differently each time', () => {
    const sealed = Array.from({ length: 50 }, () => sealer.seal('same'));
    expect(new Set(sealed).size).toBe(50);
  });

  it('opens with the old key while keys rotate, and not after', () => {
    const old = sealer.seal('text');
    const rotating = new Sealer(['second key', 'first key']);
    expect(rotating.open(old)).toBe('text');
    expect(new Sealer(['second key']).open(rotating.seal('new'))).toBe('new');
    expect(() => new Sealer(['second key']).open(old)).toThrow('No key opens');
  });

  it('refuses what was changed, cut short or never sealed', () => {
    const sealed = sealer.seal('a text of some length');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at += 5) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
      expect(() => sealer.open(`v1.${changed.toString('base64url')}`)).toThrow('No key opens');
    }
    for (const other of ['', 'v1.', 'v1.AAAA', sealed.slice(0, -4), 'plain text', `v2.${sealed.slice(3)}`]) {
      expect(() => sealer.open(other)).toThrow('No key opens');
    }
    // A shorter tag would be easier to forge.
    expect(() => sealer.open(`v1.${bytes.subarray(0, 12 + 4).toString('base64url')}`)).toThrow(
      'No key opens',
    );
  });

  it('does not seal without a key', () => {
    expect(() => new Sealer([]).seal('text')).toThrow('no key');
  });
});

describe('sameSecret', () => {
  it('is true for equal texts only, whatever their lengths', () => {
    expect(sameSecret('secret', 'secret')).toBe(true);
    for (const other of ['', 'secre', 'secret ', 'Secret', 'x'.repeat(10_000)]) {
      expect(sameSecret(other, 'secret')).toBe(false);
    }
  });
});

describe('mac', () => {
  it('differs by key and by each part, and parts do not run together', () => {
    const macs = [
      mac('key', 'code', 1, '23'),
      mac('key', 'code', 12, '3'),
      mac('key', 'code', '1', '23'),
      mac('key', 'code","1', '23'),
      mac('other', 'code', 1, '23'),
    ];
    expect(new Set(macs.map((bytes) => bytes.toString('hex'))).size).toBe(macs.length);
    expect(mac('key', 'code', 1, '23')).toEqual(macs[0]);
    expect(macs[0]).toHaveLength(32);
  });
});

describe('randomCode', () => {
  it('has the digits that were asked for, leading zeros too, all about as often', () => {
    const codes = Array.from({ length: 5000 }, () => randomCode(6));
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
    for (let digit = 0; digit < 10; digit++) {
      const count = codes.filter((code) => code.startsWith(String(digit))).length;
      expect(count).toBeGreaterThan(350);
      expect(count).toBeLessThan(650);
    }
    expect(new Set(codes).size).toBeGreaterThan(4900);
  });
});
