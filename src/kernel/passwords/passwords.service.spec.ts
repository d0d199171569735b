import { PasswordsService } from './passwords.service';

const owner = { email: 'ada@example.org', name: 'Ada' };
const passwords = new PasswordsService();

describe('PasswordsService', () => {
  it('hashes with argon2id, 46 MiB, one pass, and a salt of its own each time', async () => {
    const [one, other] = [
      await passwords.hash('correct horse battery', owner),
      await passwords.hash('correct horse battery', owner),
    ];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
    expect(one).not.toBe(other);
    expect(await passwords.verify('correct horse battery', one)).toBe(true);
    expect(await passwords.verify('correct horse battery', other)).toBe(true);
  });

  it.each([
    ['another word', 'correct horse batteries'],
    ['capitals', 'Correct Horse Battery'],
    ['a space more', 'correct horse battery '],
    ['nothing', ''],
    ['the beginning', 'correct horse'],
  ])('does not take %s', async (_name, password) => {
    const hashed = await passwords.hash('correct horse battery', owner);
    expect(await passwords.verify(password, hashed)).toBe(false);
  });

  it('refuses one of a megabyte before it looks at its characters', async () => {
    const begun = performance.now();
    const piledUp = `a${'\u0301\u0323'.repeat(250_000)}`;
    await expect(passwords.hash(piledUp, owner)).rejects.toMatchObject({
      details: [{ field: 'password', issue: 'must be at most 1024 bytes' }],
    });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it('counts every character of a long password', async () => {
    const long = 'x1'.repeat(63);
    const hashed = await passwords.hash(`${long}ab`, owner);
    expect(await passwords.verify(`${long}ab`, hashed)).toBe(true);
    expect(await passwords.verify(`${long}ac`, hashed)).toBe(false);
  });

  it('takes the same characters however they are encoded', async () => {
    const hashed = await passwords.hash('Ångström ﬁ 12', owner);
    expect(await passwords.verify('A\u030angstro\u0308m fi 12', hashed)).toBe(true);
  });

  it('takes nothing for an account without a password, and as long for it', async () => {
    const verified = async (hashed: string | null): Promise<number> => {
      const begin = performance.now();
      expect(await passwords.verify('wrong horse battery', hashed)).toBe(false);
      return performance.now() - begin;
    };
    const hashed = await passwords.hash('correct horse battery', owner);
    const times: [number, number][] = [];
    for (let round = 0; round < 5; round++) times.push([await verified(hashed), await verified(null)]);
    const median = (index: 0 | 1): number => times.map((pair) => pair[index]).sort((a, b) => a - b)[2] ?? 0;
    expect(median(1) / median(0)).toBeGreaterThan(0.33);
    expect(median(1) / median(0)).toBeLessThan(3);
  });

  it('refuses a weak one under the name of the field that carried it', async () => {
    await expect(passwords.hash('password', owner)).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'password', issue: 'is too common' }],
    });
    await expect(passwords.hash('short', owner, 'newPassword')).rejects.toMatchObject({
      details: [{ field: 'newPassword', issue: 'must have 8 to 128 characters' }],
    });
  });

  it('measures the length of what is hashed', async () => {
    // One character that NFKC writes as eighteen.
    await expect(passwords.hash('\ufdfa'.repeat(8), owner)).rejects.toMatchObject({
      details: [{ issue: 'must have 8 to 128 characters' }],
    });
  });

  it('refuses what is over 2 running and 32 waiting', async () => {
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => passwords.verify('x', null)));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(6);
  });
});
