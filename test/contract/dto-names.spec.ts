import { globSync, readFileSync } from 'node:fs';

it('no two classes of requests and answers share a name, under which the document would know one of them only', () => {
  const names = globSync('{src,libs}/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/class (\w+(?:Dto|Query))\b/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
