import { applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { STATUS_CODES } from 'node:http';
import type { DomainError } from '#libs/errors';
import { addRouteConfig } from './route-config';

/**
 * The bodies of refusals. `shared` is the rule; the others are given by the published interface for some
 * statuses of some routes: `text` is `{error}`, `message` is `{message}`, `coded` is
 * `{error: {status, code, message}}`.
 */
export type ErrorShape = 'shared' | 'text' | 'message' | 'coded';
export type ErrorShapes = Partial<Record<number, ErrorShape>>;

export const ERROR_SHAPES_EXTENSION = 'x-error-shapes';

/** Says which statuses of a route have another body than the shared one. */
export const UseErrorShapes = (shapes: ErrorShapes): MethodDecorator =>
  applyDecorators(addRouteConfig({ errorShapes: shapes }), ApiExtension(ERROR_SHAPES_EXTENSION, shapes));

export const INTERNAL_ERROR_TEXT = 'Internal server error';

/** The body for an error; a 500 is `{error}` on every route. */
export function errorBody(error: DomainError, shape: ErrorShape, requestId: string): object {
  const { status, code, message, details } = error;
  switch (shape) {
    case 'text':
      return { error: textOf(error) };
    case 'message':
      return { message };
    case 'coded':
      return { error: { status, code, message } };
    case 'shared':
      return { error: { status, code, message, ...(details && { details }), requestId } };
  }
}

const textOf = ({ message, details, status }: DomainError): string =>
  details?.length
    ? details.map(({ field, issue }) => `${field}: ${issue}`).join('; ')
    : message || (STATUS_CODES[status] ?? 'Error');
