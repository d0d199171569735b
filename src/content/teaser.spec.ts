import fc from 'fast-check';
import { teaser } from './teaser';

it('is the first 200 characters, none of them cut in two', () => {
  expect(teaser(`${'x'.repeat(199)}😀😀`)).toBe(`${'x'.repeat(199)}😀`);
  expect(teaser('😀'.repeat(201))).toBe('😀'.repeat(200));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      expect(teaser(text)).toBe([...text].slice(0, 200).join(''));
    }),
  );
});
