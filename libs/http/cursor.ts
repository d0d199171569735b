import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { MAX_ID } from './fields';

/** Of the dates that clients can write: 9999 ends later in the west. */
const LAST_YEAR = 10_000;

/** Where a list that grows at its top goes on: after the record of this instant and id. */
export interface Cursor {
  at: Date;
  id: number;
}

/** The cursor as clients get it: text that means nothing to them. */
export const cursorText = ({ at, id }: Cursor): string =>
  Buffer.from(`${at.getTime()}.${id}`).toString('base64url');

/** Exactly what `cursorText` wrote, or null. */
function readCursor(text: unknown): Cursor | null {
  if (typeof text !== 'string' || text.length > 64) return null;
  const [, milliseconds, number] =
    /^(-?\d{1,15})\.(\d{1,10})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const cursor = { at: new Date(Number(milliseconds)), id: Number(number) };
  const year = cursor.at.getUTCFullYear();
  const isReal = year >= 0 && year <= LAST_YEAR && cursor.id >= 1 && cursor.id <= MAX_ID;
  return isReal && cursorText(cursor) === text ? cursor : null;
}

/** The `cursor` of a list: the `nextCursor` of the page before. */
export const IsCursor = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === undefined ? value : readCursor(value))),
    ValidateBy({
      name: 'isCursor',
      validator: {
        // What was given twice is a list, and is not read.
        validate: (value: unknown) => value !== null && !Array.isArray(value),
        defaultMessage: () => '$property must be the nextCursor of another page',
      },
    }),
    ApiProperty({ type: String, description: 'The `nextCursor` of the page before.' }),
  );
