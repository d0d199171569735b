import type { ErrorShape } from './error-shapes';
import type { Schema } from './schema-example';

const REQUEST_ID = '7f9c0a52-5f0e-4a3e-9d8f-0b6f3f1d2c11';

export const SCHEMA_OF_SHAPE: Record<ErrorShape, string> = {
  shared: 'Error',
  text: 'ErrorText',
  message: 'ErrorMessage',
  coded: 'CodedError',
};

const coded: Schema = {
  type: 'object',
  required: ['status', 'code', 'message'],
  properties: {
    status: { type: 'integer', example: 404 },
    code: { type: 'string', example: 'NOT_FOUND' },
    message: { type: 'string', example: 'Not found.' },
  },
};
const details: Schema = {
  type: 'array',
  description: 'Each faulty field and what is wrong with it.',
  items: {
    type: 'object',
    required: ['field', 'issue'],
    properties: {
      field: { type: 'string', example: 'title' },
      issue: { type: 'string', example: 'title is required' },
    },
  },
};

const wrapping = (field: string, schema: Schema): Schema => ({
  type: 'object',
  required: [field],
  properties: { [field]: schema },
});

/** The four bodies of refusals. */
export const ERROR_SCHEMAS: Record<string, Schema> = {
  Error: wrapping('error', {
    ...coded,
    required: [...(coded.required ?? []), 'requestId'],
    properties: { ...coded.properties, details, requestId: { type: 'string', example: REQUEST_ID } },
  }),
  ErrorText: wrapping('error', { type: 'string', example: 'Internal server error' }),
  ErrorMessage: wrapping('message', { type: 'string', example: 'Not found.' }),
  CodedError: wrapping('error', coded),
};

const EXAMPLES: Record<number, { code: string; message: string }> = {
  400: { code: 'VALIDATION_ERROR', message: 'The request is not valid.' },
  401: { code: 'UNAUTHORIZED', message: 'Missing or invalid credentials.' },
  403: { code: 'FORBIDDEN', message: 'This is not allowed.' },
  404: { code: 'NOT_FOUND', message: 'Not found.' },
  409: { code: 'CONFLICT', message: 'The record was changed by someone else.' },
  413: { code: 'PAYLOAD_TOO_LARGE', message: 'The request body is too large.' },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as application/json.' },
  422: { code: 'IDEMPOTENCY_MISMATCH', message: 'This Idempotency-Key was used for another request.' },
  429: { code: 'RATE_LIMITED', message: 'Too many requests.' },
  500: { code: 'INTERNAL', message: 'Internal server error' },
  503: { code: 'UNAVAILABLE', message: 'The service is busy or a part of it is away. Try again.' },
};

export function errorExample(shape: ErrorShape, status: number): object {
  const { code, message } = EXAMPLES[status] ?? { code: 'ERROR', message: 'Error' };
  if (shape === 'text') return { error: message };
  if (shape === 'message') return { message };
  const error = { status, code, message };
  if (shape === 'coded') return { error };
  const issues = status === 400 ? { details: [{ field: 'title', issue: 'title is required' }] } : {};
  return { error: { ...error, ...issues, requestId: REQUEST_ID } };
}
