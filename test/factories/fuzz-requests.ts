import fc from 'fast-check';
import { CALLERS, type CallerName, type FuzzWorld } from './fuzz-world';
import { type Fault, fault, Raw } from './fuzz-faults';
import {
  type Api,
  Drafts,
  encoded,
  filterFields,
  type Method,
  type Operation,
  Reference,
} from './fuzz-values';

/*
 * Requests made from the OpenAPI document: by its schemas, with real ids, and then spoilt. A drafted request refers to
 * records by their kind; which those are is settled when it is sent.
 */

/** A request before its references are settled. */
export interface Draft {
  operation: Operation;
  caller: CallerName;
  parameters: Record<string, unknown>;
  body: unknown;
  faults: Fault[];
}

export interface Request {
  method: Method;
  url: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

export const operationsOf = (api: Api): Operation[] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => ({
      id: documented.operationId,
      method: method.toUpperCase() as Operation['method'],
      path,
      documented,
    })),
  );

const callerOf = ({ documented }: Operation): fc.Arbitrary<CallerName> => {
  const bySecret = documented.security?.some((scheme) => 'serviceSecret' in scheme);
  const weights: Partial<Record<CallerName, number>> = bySecret
    ? { serviceSecret: 12 }
    : { admin: 10, creator: 4, free: 4, basic: 2 };
  return fc.oneof(
    ...(Object.keys(CALLERS) as CallerName[]).map((caller) => ({
      weight: weights[caller] ?? 1,
      arbitrary: fc.constant(caller),
    })),
  );
};

/** A request of this operation as the document has it, or with some faults. */
export function drafts(api: Api, operation: Operation, spoilt = true): fc.Arbitrary<Draft> {
  const parts = new Drafts(api, operation);
  return fc.record({
    operation: fc.constant(operation).map((one) => Object.assign(one, { [fc.toStringMethod]: () => one.id })),
    caller: callerOf(operation),
    parameters: parts.parameters(),
    body: parts.body(),
    faults: spoilt
      ? fc.oneof(
          { weight: 2, arbitrary: fc.constant<Fault[]>([]) },
          { weight: 3, arbitrary: fc.array(fault, { minLength: 1, maxLength: 2 }) },
        )
      : fc.constant<Fault[]>([]),
  });
}

/** The request as it is sent now. */
export function requestOf({ operation, caller, ...draft }: Draft, world: FuzzWorld): Request {
  const writes = operation.method !== 'GET';
  const settle = (value: unknown): unknown => {
    if (value instanceof Reference) return world.find(value.kind, value.foreign, value.at, caller, writes);
    if (value instanceof Raw || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(settle);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settle(inner)]));
  };
  const drafted = Object.entries(draft.parameters);
  const inHeaders = (operation.documented.parameters ?? []).flatMap((parameter) =>
    parameter.in === 'header' ? [parameter.name] : [],
  );
  const parameters = Object.fromEntries(
    drafted
      .filter(([name]) => !inHeaders.includes(name))
      .map(([name, value]) => [name, inUrl(settle(value))]),
  );
  const root = { body: settle(draft.body) };
  const headers: Record<string, string> = Object.fromEntries(
    drafted
      .filter(([name]) => inHeaders.includes(name))
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  let method: Method = operation.method;
  let raw: string | Buffer | undefined;
  let more = '';
  for (const one of draft.faults) {
    if ('parameter' in one)
      spoil(Object.keys(parameters), one.at, (name) => (parameters[name] = one.parameter));
    if ('encoded' in one)
      spoil(Object.keys(parameters), one.at, (name) => (parameters[name] = encoded(one.encoded)));
    if ('filter' in one) {
      spoil(filterFields(operation), one.at, (field) => {
        const spoilt = one.asJson ? `{"${field}":${toJson(one.filter)}}` : `${field}:${String(one.filter)}`;
        parameters.filters = encoded(spoilt);
      });
    }
    if ('repeated' in one)
      spoil(Object.keys(parameters), one.at, (name) => (more += `&${name}${one.repeated}`));
    if ('method' in one) method = one.method;
    if ('header' in one) headers[one.header] = one.value;
    if ('text' in one) {
      raw = one.text;
      headers['content-type'] = one.type;
    }
    if ('unknown' in one && isRecord(root.body)) {
      Object.defineProperty(root.body, one.unknown, {
        value: one.value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    if ('change' in one) spoil(places(root), one.at, ([holder, name]) => change(holder, name, one.change));
    if ('at' in one && 'value' in one)
      spoil(places(root), one.at, ([holder, name]) => (holder[name] = one.value));
  }
  let url = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
  const inPath = new Set([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const query = Object.entries(parameters)
    .filter(([name]) => !inPath.has(name))
    .map(([name, value]) => `${name}=${value}`);
  const asked = [...query, ...(more ? [more.slice(1)] : [])].join('&');
  if (asked) url += `?${asked}`;
  const body = raw ?? (root.body === undefined ? undefined : toJson(root.body));
  return { method, url, headers, body };
}

const spoil = <Place>(choice: Place[], index: number, how: (place: Place) => unknown): void => {
  const place = choice[index % choice.length];
  if (place !== undefined) how(place);
};

type Holder = Record<string, unknown>;
const isRecord = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && !(value instanceof Raw);

/** Every value within the body, by what holds it; the body itself is one too. */
function places(holder: Holder): [Holder, string][] {
  return Object.keys(holder).flatMap((name) => {
    const inner = holder[name];
    if (holder.body === undefined && name === 'body') return [];
    const here: [Holder, string] = [holder, name];
    return isRecord(inner) ? [...places(inner), here] : [here];
  });
}

function change(holder: Holder, name: string, how: 'wrap' | 'double' | 'omit'): void {
  const value = holder[name];
  if (how === 'omit') delete holder[name];
  else if (how === 'wrap') holder[name] = [value];
  else holder[name] = Array.isArray(value) ? [...value, ...value] : `${String(value)}${String(value)}`;
}

function inUrl(value: unknown): string {
  if (isRecord(value) && Array.isArray(value.filters)) {
    const [asJson, fields] = value.filters as [boolean, [string, unknown][]];
    return inUrl(
      asJson
        ? JSON.stringify(Object.fromEntries(fields))
        : fields.map(([name, wanted]) => `${name}:${String(wanted)}`).join(','),
    );
  }
  const plain = String(value);
  // What is percent-encoded already is meant as it stands.
  return plain.includes('%') ? plain : encoded(plain);
}

function toJson(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}:${toJson(inner)}`)
    .join()}}`;
}
