import { setImmediate as turn } from 'node:timers/promises';
import { Turns } from './turns';

let now: number;
let turns: Turns;
let seen: string[];
let gone: Set<string>;

beforeEach(() => {
  now = 0;
  turns = new Turns(() => now);
  seen = [];
  gone = new Set();
});

afterEach(async () => {
  for (let left = 0; left < 10; left++) await turn();
});

function add(...names: string[]): void {
  for (const name of names) addOf({}, name);
}

function addOf(connection: object, ...names: string[]): void {
  for (const name of names)
    turns.add({
      connection,
      hasLeft: () => gone.has(name),
      begin: () => seen.push(`${name} begun`),
      refuse: () => seen.push(`${name} refused`),
    });
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${from + n}`);
const begun = (names: string[]): string[] => names.map((name) => `${name} begun`);

it('begins four in a turn of the event loop, in the order in which they came', async () => {
  add(...numbered(1, 10));
  expect(seen).toEqual([]);
  await turn();
  expect(seen).toEqual(begun(numbered(1, 4)));
  await turn();
  expect(seen).toEqual(begun(numbered(1, 8)));
  add('11');
  await turn();
  expect(seen).toEqual(begun(numbered(1, 11)));
});

it('begins two in a turn while many wait', async () => {
  add(...numbered(1, 34));
  await turn();
  expect(seen).toEqual(begun(numbered(1, 2)));
  await turn();
  expect(seen).toEqual(begun(numbered(1, 6)));
});

it('refuses those who waited for too long while others wait behind them', async () => {
  add('early', 'gone');
  gone.add('gone');
  now = 250.1;
  add(...numbered(1, 5));
  await turn();
  expect(seen).toEqual(['early refused', ...begun(numbered(1, 4))]);
});

it('begins late ones all the same when all can be begun', async () => {
  add(...numbered(1, 4));
  now = 10_000;
  await turn();
  expect(seen).toEqual(begun(numbered(1, 4)));
});

it('refuses no more of them in a turn than it has looked at', async () => {
  add(...numbered(1, 100));
  now = 300;
  await turn();
  expect(seen).toEqual(numbered(1, 64).map((name) => `${name} refused`));
  await turn();
  expect(seen.slice(64)).toEqual([
    ...numbered(65, 96).map((name) => `${name} refused`),
    ...begun(numbered(97, 98)),
  ]);
});

it('begins one of each connection before the next of any', async () => {
  const [eager, other] = [{}, {}];
  addOf(eager, ...Array.from({ length: 20 }, (_, n) => `eager ${n}`));
  addOf(other, 'other 0', 'other 1');
  add('single');
  await turn();
  await turn();
  expect(seen).toEqual(
    begun(['eager 0', 'other 0', 'single', 'eager 1', 'other 1', 'eager 2', 'eager 3', 'eager 4']),
  );
});

it('does nothing for those who have left', async () => {
  add('1', 'gone', '2');
  gone.add('gone');
  await turn();
  expect(seen).toEqual(begun(['1', '2']));
});
