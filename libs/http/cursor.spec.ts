import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type Cursor, cursorText, IsCursor } from './cursor';
import { IsOmittable } from './fields';

class Query {
  @IsOmittable()
  @IsCursor()
  cursor?: Cursor;
}
const read = (cursor: unknown): Query => plainToInstance(Query, { cursor });
const encoded = (text: string): string => Buffer.from(text).toString('base64url');

it.each([
  { at: new Date('2026-02-01T08:00:00.123Z'), id: 1 },
  { at: new Date(0), id: 2_147_483_647 },
  { at: new Date('9999-12-31T23:59:59.999Z'), id: 7 },
  { at: new Date('0000-01-01T00:00:00.000Z'), id: 7 },
  { at: new Date('1960-01-01T00:00:00.001Z'), id: 7 },
])('reads what it wrote: %j', (cursor) => {
  const query = read(cursorText(cursor));
  expect([query.cursor, validateSync(query)]).toEqual([cursor, []]);
});

it('may be left out', () => {
  expect(validateSync(read(undefined))).toEqual([]);
});

it.each([
  '',
  'abc',
  '5',
  null,
  7,
  ['MS4x'],
  encoded('1'),
  encoded('1.'),
  encoded('.1'),
  encoded('1.0'),
  encoded('01.1'),
  encoded('1.01'),
  encoded('-0.1'),
  encoded('1.2147483648'),
  encoded('9999999999999999.1'),
  encoded('999999999999999.1'),
  encoded('-999999999999999.1'),
  encoded('253433923200000.1'),
  encoded('1.1.1'),
  encoded('1.1 '),
  encoded(`1.1'`),
  `${encoded('1.1')}=`,
  ` ${encoded('1.1')}`,
  encoded('1.1').repeat(30),
])('refuses %j', (text) => {
  expect(validateSync(read(text))[0]?.constraints).toEqual({
    isCursor: 'cursor must be the nextCursor of another page',
  });
});
