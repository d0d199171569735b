import { writeJson } from './write-json';

it.each([
  [[]],
  [{}],
  [null],
  ['text'],
  [7],
  [[1, undefined, { at: new Date(0), none: undefined }, [null]]],
  [
    {
      none: undefined,
      list: [],
      of: [{ a: [1] }],
      at: new Date(0),
      inner: { list: [undefined] },
      last: null,
    },
  ],
  [
    {
      text: 'ß'.repeat(300_000),
      items: Array.from({ length: 40 }, (_, n) => ({ n, text: 'é'.repeat(30_000) })),
    },
  ],
])('says the same as JSON.stringify, number %#', async (value: unknown) => {
  const { parts } = await writeJson(value);
  expect(Buffer.concat(parts).toString() === JSON.stringify(value)).toBe(true);
});

it('lets others have their turn while a long one is written', async () => {
  const long = Array.from({ length: 100 }, () => 'x'.repeat(100_000));
  let turns = 0;
  let writing = true;
  const others = (): void => {
    turns++;
    if (writing) setImmediate(others);
  };
  others();
  await writeJson(long);
  writing = false;
  expect(turns).toBeGreaterThan(20);
});
