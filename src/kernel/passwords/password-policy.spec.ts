import { passwordFault } from './password-policy';

const owner = { email: 'Ada.Lovelace@example.org', name: 'Ada Lovelace' };
const LENGTH = 'must have 8 to 128 characters';
const OWN = 'must not be the e-mail address or name';
const COMMON = 'is too common';

describe('passwordFault', () => {
  it.each<[string, string, string | null]>([
    ['seven characters', 'horse12', LENGTH],
    ['nothing', '', LENGTH],
    ['eight characters', 'horse12q', null],
    ['128 characters', 'x1'.repeat(64), null],
    ['129 characters', `${'x1'.repeat(64)}y`, LENGTH],
    ['eight characters of four bytes each', '🦜🐎🔋📌🦜🐎🔋📌', null],
    ['seven of them', '🦜🐎🔋📌🦜🐎🔋', LENGTH],
    ['letters alone', 'correcthorsebattery', null],
    ['spaces between', 'correct horse battery', null],
    ['another script', 'правильнаялошадь', null],
    ['the address', 'ada.lovelace@example.org', OWN],
    ['the address in capitals', 'ADA.LOVELACE@EXAMPLE.ORG', OWN],
    ['what stands before its @', 'ada.lovelace', OWN],
    ['the name', 'ada lovelace', OWN],
    ['a common one', 'password', COMMON],
    ['a common one with digits', 'password123', COMMON],
    ['a common one in capitals', 'PASSWORD', COMMON],
    ['a row of keys', 'qwertyuiop', COMMON],
    ['digits in order', '123456789', COMMON],
  ])('%s', (_name, password, fault) => {
    expect(passwordFault(password, owner)).toBe(fault);
  });

  it('compares names in the spelling in which passwords are hashed', () => {
    expect(passwordFault('finn ægir', { email: null, name: 'ﬁnn Ægir' })).toBe(OWN);
  });

  it('takes an owner without an address', () => {
    expect(passwordFault('correct horse', { email: null, name: 'x' })).toBeNull();
  });
});
