import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';

describe('docs/architecture.md', () => {
  it('draws the rooms as they are; `npm run generate` draws them anew', () => {
    const drawn = execFileSync(process.execPath, ['tools/rooms.mjs', '--drawn'], { encoding: 'utf8' });
    expect(drawn).toContain('```mermaid\ngraph TD');
    expect(readFileSync('docs/architecture.md', 'utf8')).toBe(drawn);
  });
});

it('a newcomer finds at most 25 entries in src', () => {
  expect(readdirSync('src').length).toBeLessThanOrEqual(25);
});

it('every file and folder of the service that a document names is there', () => {
  const named = ['README.md', 'NOTICE.md', ...globSync('docs/**/*.md')].flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/`((?:src|libs|test|tools|docker|bench)\/[\w./-]+)`/g)].map(
      ([, path = '']) => `${document}: ${path}`,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((line) => !existsSync(line.split(': ')[1] ?? ''))).toEqual([]);
});
