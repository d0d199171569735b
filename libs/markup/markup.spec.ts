import { sanitizeArticle } from './html';
import { Markup } from './markup';

const markup = new Markup();
afterAll(() => markup.onApplicationShutdown());

const LONG = '<p>Some <b>bold</b> text &amp; more.</p>\n'.repeat(3000);

it('makes of a long text, in a thread, what it would make of it here', async () => {
  expect(LONG.length).toBeGreaterThan(100_000);
  const [one, other] = await Promise.all([markup.article(LONG), markup.article(`${LONG}<script>`)]);
  expect(one).toEqual(sanitizeArticle(LONG));
  expect(other).toEqual(one);
});

it('leaves this thread free meanwhile', async () => {
  await markup.article(LONG);
  const before = process.threadCpuUsage();
  await markup.article(LONG);
  const there = process.threadCpuUsage(before).user;
  const begin = process.threadCpuUsage();
  sanitizeArticle(LONG);
  const here = process.threadCpuUsage(begin).user;
  expect(there).toBeLessThan(here / 2);
});

it('names the field that is too long', async () => {
  expect(await markup.article('&'.repeat(10_000))).toMatchObject({ text: '&'.repeat(10_000) });
  await expect(markup.article('&'.repeat(190_000), 'body')).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'body', issue: expect.stringContaining('204800 bytes once it is sanitised') }],
  });
});

it('refuses those for whom there is no room to wait, serves the rest, and starts again after it ended', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 40 }, () => markup.article(LONG)));
  const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason.status] : []));
  expect(refused.length).toBeGreaterThan(10);
  expect(new Set(refused)).toEqual(new Set([503]));
  expect(asked.length - refused.length).toBeGreaterThanOrEqual(16);
  await markup.onApplicationShutdown();
  expect((await markup.article(LONG)).html).toBe(sanitizeArticle(LONG)?.html);
});
