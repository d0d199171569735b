import { gunzipSync } from 'node:zlib';
import { ReadyAnswer } from './ready-answer';

const body = { text: 'word '.repeat(500) };
const json = JSON.stringify(body);

describe('ReadyAnswer', () => {
  it.each([
    ['gzip', 'gzip'],
    ['br, GZIP;q=0.5', 'gzip'],
    ['gzip ; q=1.0', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.00, br', 'identity'],
    ['br', 'identity'],
    ['notgzip', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ])('is sent to who accepts %p as %s', async (accepted, encoding) => {
    const sent = await (await ReadyAnswer.of(body)).as(accepted);
    expect(sent.encoding).toBe(encoding);
    expect((encoding === 'gzip' ? gunzipSync(sent.bytes) : sent.bytes).toString()).toBe(json);
  });

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
    const { bytes } = await (await ReadyAnswer.of(value)).as(undefined);
    expect(bytes.toString() === JSON.stringify(value)).toBe(true);
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
    await ReadyAnswer.of(long);
    writing = false;
    expect(turns).toBeGreaterThan(20);
  });

  it('is not compressed when it is short', async () => {
    expect((await (await ReadyAnswer.of({ a: 1 })).as('gzip')).encoding).toBe('identity');
  });

  it('has a tag that names what it says', async () => {
    const tag = async (value: unknown): Promise<string> => (await ReadyAnswer.of(value)).etag;
    expect(await tag(body)).toMatch(/^W\/"[\w-]{22}"$/);
    expect(await tag({ ...body })).toBe(await tag(body));
    expect(await tag({ text: 'other' })).not.toBe(await tag(body));
  });
});
