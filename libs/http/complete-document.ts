import type { OpenAPIObject } from '@nestjs/swagger';
import { ACCESS_EXTENSION, type AccessRule } from './access';
import { ERROR_SCHEMAS, errorExample, SCHEMA_OF_SHAPE } from './error-schemas';
import { ERROR_SHAPES_EXTENSION, type ErrorShape, type ErrorShapes } from './error-shapes';
import {
  idempotencyKeyParameter,
  idempotencyReplayedHeader,
  takesIdempotencyKey,
} from './idempotency-headers';
import { GENERATED_WILDCARD, WILDCARD_EXTENSION } from './wildcard';
import { exampleOf, type Schema, type Schemas } from './schema-example';

type Content = Record<string, { schema: Schema; example?: unknown }>;
interface Response {
  description: string;
  content?: Content;
  headers?: Record<string, unknown>;
}
interface Operation {
  responses: Record<string, Response>;
  requestBody?: { content: Content; required?: boolean };
  parameters?: { in: string; name: string; required: boolean; schema: Schema; example?: unknown }[];
  [ACCESS_EXTENSION]?: AccessRule;
  [ERROR_SHAPES_EXTENSION]?: ErrorShapes;
  [WILDCARD_EXTENSION]?: string;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Why an operation can answer a status, when it does not say so itself. */
const REASONS: Record<number, string> = {
  400: 'The request is not valid; `details` names each faulty field.',
  401: 'Missing, invalid or expired credentials, or an address that is not verified yet.',
  403: 'The caller’s role does not allow this, or the caller is banned.',
  404: 'There is no such record.',
  409:
    'Someone else changed the record at the same time, a record that it refers to is gone, or the request with this ' +
    'Idempotency-Key is still at work.',
  413: 'The body is over 1 MiB.',
  415: 'The body is not JSON.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too many requests; `Retry-After` says when to come back.',
  500: 'A fault of the service; the log has it under the request id.',
  503: 'The service is overloaded, or its database is away; `Retry-After` says when to come back.',
};

/** Adds to a generated document what follows from each operation's access and input: statuses, errors, examples. */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components ??= {}).schemas as Schemas;
  Object.assign(schemas, ERROR_SCHEMAS);
  Object.values(schemas).forEach(preferIntegers);
  nameWildcards(document);
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method] as Operation | undefined;
      if (operation) completeOperation(operation, method, schemas);
    }
  }
  return document;
}

/** The generator calls every wildcard the same; here it gets the name that the published interface gives it. */
function nameWildcards({ paths }: OpenAPIObject): void {
  for (const [path, operations] of Object.entries(paths)) {
    const operation = operations.get as Operation | undefined;
    const name = operation?.[WILDCARD_EXTENSION];
    if (!operation || !name) continue;
    delete operation[WILDCARD_EXTENSION];
    operation.parameters = operation.parameters?.filter((parameter) => parameter.name !== '*');
    for (const parameter of operation.parameters ?? []) {
      if (parameter.name === GENERATED_WILDCARD) parameter.name = name;
    }
    delete paths[path];
    paths[path.replace(`{${GENERATED_WILDCARD}}`, `{${name}}`)] = operations;
  }
}

function completeOperation(operation: Operation, method: string, schemas: Schemas): void {
  const repeatable = takesIdempotencyKey(accessOf(operation), method);
  if (repeatable) (operation.parameters ??= []).push(idempotencyKeyParameter());
  const { responses, requestBody, parameters = [] } = operation;
  for (const status of statusesOf(operation, method))
    responses[status] ??= { description: REASONS[status] ?? '' };
  const shapes = operation[ERROR_SHAPES_EXTENSION] ?? {};
  delete operation[ERROR_SHAPES_EXTENSION];
  for (const [status, response] of Object.entries(responses)) {
    response.description ||= 'What was asked for.';
    response.headers = { ...response.headers, 'X-Request-Id': { schema: { type: 'string' } } };
    if (repeatable && Number(status) < 300) Object.assign(response.headers, idempotencyReplayedHeader());
    if (Number(status) >= 400) response.content = errorContent(Number(status), shapes);
    else addExamples(response.content, schemas);
  }
  addExamples(requestBody?.content, schemas);
  for (const parameter of parameters) {
    preferIntegers(parameter.schema);
    // The path pipe takes digits only; Nest knows of it no more than that it makes a number.
    if (parameter.in === 'path' && parameter.schema.type === 'integer') {
      parameter.schema = { type: 'integer', minimum: 1, maximum: 2_147_483_647, example: 1 };
    }
    if (parameter.schema.default !== undefined) parameter.required = false;
    parameter.example ??= exampleOf(parameter.schema, schemas);
  }
}

const accessOf = (operation: Operation): AccessRule => operation[ACCESS_EXTENSION] ?? { who: 'public' };

function statusesOf(operation: Operation, method: string): number[] {
  const { parameters = [] } = operation;
  const { who, roles, unmetered, optionalWith } = accessOf(operation);
  const writes = method !== 'get';
  return [
    400,
    ...(who === 'public' && !optionalWith ? [] : [401]),
    ...(roles || (who !== 'public' && who !== 'secret' && writes) ? [403] : []),
    ...(parameters.some((parameter) => parameter.in === 'path') ? [404] : []),
    ...(writes ? [409, 413, 415] : []),
    ...(takesIdempotencyKey(accessOf(operation), method) ? [422] : []),
    ...(unmetered ? [] : [429]),
    500,
    503,
  ];
}

function errorContent(status: number, shapes: ErrorShapes): Content {
  const shape: ErrorShape = status === 500 ? 'text' : (shapes[status] ?? 'shared');
  const schema = { $ref: `#/components/schemas/${SCHEMA_OF_SHAPE[shape]}` };
  return { 'application/json': { schema, example: errorExample(shape, status) } };
}

function addExamples(content: Content | undefined, schemas: Schemas): void {
  for (const media of Object.values(content ?? {})) {
    preferIntegers(media.schema);
    media.example ??= exampleOf(media.schema, schemas);
  }
}

/** TypeScript has only numbers; here they are integers unless their format says otherwise. */
function preferIntegers(schema: Schema | undefined): void {
  if (!schema) return;
  if (schema.type === 'number' && schema.format === undefined) schema.type = 'integer';
  preferIntegers(schema.items);
  for (const inner of [
    ...Object.values(schema.properties ?? {}),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ]) {
    preferIntegers(inner);
  }
}
