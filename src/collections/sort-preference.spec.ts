import { orderByPreference } from './sort-preference';

describe('orderByPreference', () => {
  it('reads the preference from the column and takes no parameter from a client', () => {
    const order = orderByPreference('l."sortPreference"');
    expect(order.values).toEqual([]);
    for (const name of [
      'oldestfirst',
      'alphabetical',
      'reversealphabetical',
      'manual',
      'mostpopular',
      'mostdiscussed',
      'featuredfirst',
    ]) {
      expect(order.sql).toContain(`regexp_replace(lower(l."sortPreference"), '[ _-]', '', 'g') = '${name}'`);
    }
  });

  it('ends with the default order and the id, whatever the preference', () => {
    expect(orderByPreference('x').sql).toMatch(
      /, coalesce\(c\."publishedDate", c\."createdAt"\) desc, c\.id desc$/,
    );
  });
});
