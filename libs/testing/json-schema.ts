export type JsonSchema = { [keyword: string]: unknown };

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** An OpenAPI 3.0 schema as JSON Schema: `nullable` becomes a type, references point into the document. */
export function toJsonSchema(schema: JsonSchema): JsonSchema {
  const { nullable, ...rest } = schema;
  const converted = Object.fromEntries(
    Object.entries(rest).map(([keyword, value]) => [keyword, convert(keyword, value)]),
  );
  // An object that names its properties has no others: what a presenter leaks shows here.
  if (converted.properties && converted.additionalProperties === undefined)
    converted.additionalProperties = false;
  return nullable ? { anyOf: [{ type: 'null' }, converted] } : converted;
}

function convert(keyword: string, value: unknown): unknown {
  if (keyword === '$ref') return `api${String(value)}`;
  if (keyword === 'properties' && isSchema(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, toJsonSchema(inner as JsonSchema)]),
    );
  }
  if (Array.isArray(value)) {
    return value.map((inner: unknown) => (isSchema(inner) ? toJsonSchema(inner) : inner));
  }
  return isSchema(value) ? toJsonSchema(value) : value;
}

/** Without the examples and defaults, which may look like schemas and are none. */
export function exampleless(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key: string, value: unknown) =>
    key === 'example' || key === 'default' ? undefined : value,
  ) as JsonSchema;
}
