import { Ajv, type ValidateFunction } from 'ajv';
import { exampleless, type JsonSchema, toJsonSchema } from './json-schema';

interface Media {
  schema: JsonSchema;
}
interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, Media> }>;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** Holds answers against the OpenAPI document: an undocumented status or a body of another shape is a fault. */
export class ResponseCheck {
  private readonly ajv: Ajv;
  private readonly routes: { method: string; pattern: RegExp; literal: number; operation: Operation }[];
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    const schemas = Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [
        name,
        toJsonSchema(exampleless(schema)),
      ]),
    );
    this.ajv.addSchema({ $id: 'api', components: { schemas } });
    this.routes = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
        literal: path.replace(/\{[^}]+\}/g, '').length,
        operation,
      })),
    );
    // `/content/search` before `/content/{id}`.
    this.routes.sort((one, other) => other.literal - one.literal);
  }

  /** @throws Error when the document does not allow this answer */
  check(method: string, url: string, status: number, body: unknown): void {
    const path = url.split('?', 1)[0] ?? '';
    const route = this.routes.find(
      (candidate) => candidate.method === method && candidate.pattern.test(path),
    );
    if (!route) return;
    const { operation } = route;
    const response = operation.responses[status];
    if (!response)
      throw new Error(`${operation.operationId} answered ${status}, which openapi.json does not list`);
    const schema = response.content?.['application/json']?.schema;
    if (!schema) return;
    const validate = this.validator(`${operation.operationId} ${status}`, schema);
    if (!validate(body)) {
      throw new Error(
        `${operation.operationId} ${status} is not as openapi.json says: ${this.ajv.errorsText(validate.errors)}\n` +
          `${JSON.stringify(body)}`.slice(0, 2000),
      );
    }
  }

  private validator(key: string, schema: JsonSchema): ValidateFunction {
    const known = this.validators.get(key);
    if (known) return known;
    const made = this.ajv.compile(toJsonSchema(exampleless(schema)));
    this.validators.set(key, made);
    return made;
  }
}
