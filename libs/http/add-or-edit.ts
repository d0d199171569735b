import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';

/** What add-or-edit answers: the record, and whether it was created. */
export type AddedOrEdited<Record> = [record: Record, created: boolean];

/** Documents the two-element array `[record, created]`. */
export const ApiAddedOrEdited = (record: Type): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(record),
    ApiOkResponse({
      description: 'The record, and true when it was created or false when it was there before.',
      schema: {
        type: 'array',
        minItems: 2,
        maxItems: 2,
        items: { oneOf: [{ $ref: getSchemaPath(record) }, { type: 'boolean' }] },
      },
    }),
  );
