import { orderByPreference, spelledPreference } from './sort-preference';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('orderByPreference', () => {
  it('compares the column with the known preferences and takes nothing from a client', () => {
    const { sql, values } = orderByPreference('l.preference', NOW);
    expect(values).toEqual([NOW]);
    const compared = [...sql.matchAll(/case when l\.preference = '(\w+)' then/g)].map(([, name]) => name);
    expect([...new Set(compared)]).toEqual([
      'oldestfirst',
      'alphabetical',
      'reversealphabetical',
      'manual',
      'mostpopular',
      'mostdiscussed',
      'featuredfirst',
    ]);
  });

  it('ends with the default order and the id, whatever the preference', () => {
    expect(orderByPreference('x', NOW).sql).toMatch(
      /, coalesce\(c\."publishedDate", c\."createdAt"\) desc, c\.id desc$/,
    );
  });

  it('counts views only where they are asked for', () => {
    expect(orderByPreference('x', NOW).sql).toMatch(
      /case when x = 'mostpopular' then \(\s*select coalesce\(sum/,
    );
  });
});

describe('spelledPreference', () => {
  it('drops case, spaces, - and _', () => {
    expect(spelledPreference('p').sql).toBe(`translate(lower(p), ' _-', '')`);
  });
});
