export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  example?: unknown;
  default?: unknown;
  nullable?: boolean;
  enum?: unknown[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  allOf?: Schema[];
  description?: string;
}
export type Schemas = Record<string, Schema>;

/** An example of a whole body, put together from the examples of its fields. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return schema.oneOf[0] && exampleOf(schema.oneOf[0], schemas);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas)));
  if (schema.type === 'array') return itemsExample(schema, schemas);
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, exampleOf(property, schemas)]),
    );
  }
  if (schema.nullable) return null;
  return { string: '…', integer: 1, number: 0.5, boolean: true, object: {} }[schema.type ?? ''] ?? null;
}

/** Of a tuple, such as `[record, created]`, one example of each of its kinds. */
function itemsExample({ items = {}, minItems = 1 }: Schema, schemas: Schemas): unknown[] {
  if (items.oneOf && minItems === items.oneOf.length)
    return items.oneOf.map((kind) => exampleOf(kind, schemas));
  return [exampleOf(items, schemas)];
}
