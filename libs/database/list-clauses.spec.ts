import sql, { raw } from 'sql-template-tag';
import { containsWords, orderBy, pageSizeClass } from './list-clauses';

const COLUMNS = { id: 'g.id', name: 'g."nameKey"' };

describe('orderBy', () => {
  it('takes the column of an allowed field, with the id after it in the same direction', () => {
    expect(orderBy('name:desc', COLUMNS).sql).toBe('g."nameKey" desc, g.id desc');
    expect(orderBy('name:asc', COLUMNS).sql).toBe('g."nameKey" asc, g.id asc');
  });

  it('never lets a word of the client through', () => {
    expect(() => orderBy('password:asc', COLUMNS)).toThrow('no order by password');
    expect(() => orderBy('constructor:asc', COLUMNS)).toThrow('no order by constructor');
    expect(orderBy('name:desc; drop table users', COLUMNS).sql).toBe('g."nameKey" asc, g.id asc');
  });
});

describe('containsWords', () => {
  it('asks for each word, folded, with wildcards escaped', () => {
    const { sql: text, values } = containsWords(raw('g."nameKey"'), '  Ünder_way 5% ');
    expect(text).toBe('g."nameKey" like ? and g."nameKey" like ?');
    expect(values).toEqual(['%under\\_way%', '%5\\%%']);
  });

  it.each([undefined, '', '   '])('finds all for %j', (term) => {
    expect(containsWords(sql`name`, term).sql).toBe('true');
  });
});

describe('pageSizeClass', () => {
  it('is one of six for the sizes that lists have, and never less than asked', () => {
    const sizes = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([...new Set(sizes.map(pageSizeClass))]).toEqual([1, 5, 10, 25, 50, 100]);
    for (const size of sizes) expect(pageSizeClass(size)).toBeGreaterThanOrEqual(size);
  });
});
