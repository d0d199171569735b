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
