import { readFileSync } from 'node:fs';

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

/** One request for a route of openapi.json. */
export interface RouteRequest {
  /** As in the document: `POST /api/chat`. */
  name: string;
  method: string;
  path: string;
  body?: unknown;
}

/** A record that nobody has, for what would take away what later requests need. */
const NOBODY = '999999';

/** A request for every route of the document, made of its examples. They are the same each time. */
export function everyRoute(): RouteRequest[] {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      requestFor(path, method.toUpperCase(), operation),
    ),
  );
}

function requestFor(path: string, method: string, operation: Operation): RouteRequest {
  const takesAway = method === 'DELETE' || path.endsWith('/ban');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    takesAway ? NOBODY : name === 'slug' ? 'item-1' : name === 'emoji' ? 'heart' : '1',
  );
  const query = new URLSearchParams();
  for (const { name, in: where, required, example } of operation.parameters ?? []) {
    if (where !== 'query') continue;
    if (required || name === 'PlatformId') query.set(name, name.endsWith('Id') ? '1' : String(example));
  }
  return {
    name: `${method} ${path}`,
    method,
    path: query.size > 0 ? `${filled}?${query.toString()}` : filled,
    body: operation.requestBody?.content['application/json']?.example,
  };
}
