import { BytesInHand } from './bytes-in-hand';

let now = 0;
let cut: string[] = [];
const inHand = (): BytesInHand => new BytesInHand(100, 10, () => now);
const cuttable = (name: string, address?: string) => ({ address, cut: () => void cut.push(name) });

beforeEach(() => {
  now = 0;
  cut = [];
});

describe('BytesInHand', () => {
  it('has room for what fits, as it is released', () => {
    const bytes = inHand();
    const first = bytes.hold(60);
    expect([bytes.hasRoom(40), bytes.hasRoom(41)]).toEqual([true, false]);
    first.grow(40);
    expect([bytes.bytes, bytes.hasRoom(1)]).toEqual([100, false]);
    first.release();
    first.release();
    expect([bytes.bytes, bytes.hasRoom(100)]).toEqual([0, true]);
  });

  it('cuts who has got on with nothing for longest, and nobody before the patience is over', () => {
    const bytes = inHand();
    const [one, two] = ['one', 'two', 'three'].map((name) => bytes.hold(30, cuttable(name)));
    now = 9;
    expect(bytes.hasRoom(30)).toBe(false);
    one?.moves();
    two?.keep();
    now = 10;
    expect(bytes.hasRoom(30)).toBe(true);
    expect(cut).toEqual(['three']);
    expect(bytes.hasRoom(60)).toBe(false);
    now = 19;
    expect(bytes.hasRoom(60)).toBe(true);
    expect(cut).toEqual(['three', 'one']);
    expect(bytes.bytes).toBe(30);
  });

  it('leaves half to other addresses', () => {
    const bytes = inHand();
    bytes.hold(50, cuttable('one', 'a'));
    expect([bytes.hasRoom(1, 'a'), bytes.hasRoom(50, 'b'), bytes.hasRoom(50)]).toEqual([false, true, true]);
    const other = bytes.hold(30, cuttable('other', 'b'));
    now = 10;
    expect(bytes.hasRoom(50, 'a')).toBe(true);
    expect(cut).toEqual(['one']);
    other.release();
    expect([bytes.bytes, bytes.hasRoom(50, 'b')]).toEqual([0, true]);
  });

  it('counts what several hold for the address of each', () => {
    const bytes = inHand();
    const same = {};
    const own = [bytes.hold(40, { same, address: 'a' }), bytes.hold(10, { same, address: 'a' })];
    expect([bytes.bytes, bytes.hasRoom(1, 'a'), bytes.hasRoom(1, 'b')]).toEqual([40, false, true]);
    own[1]?.release();
    expect([bytes.bytes, bytes.hasRoom(1, 'a')]).toEqual([40, true]);
  });

  it('counts once what several hold', () => {
    const bytes = inHand();
    const same = {};
    const [one, two] = [bytes.hold(80, { same }), bytes.hold(80, { same })];
    expect(bytes.bytes).toBe(80);
    one?.release();
    expect(bytes.bytes).toBe(80);
    two?.release();
    expect(bytes.bytes).toBe(0);
  });
});
