import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as errors from '#libs/errors';
import { type Document } from '#libs/testing';

const DOCS = readFileSync('docs/errors.md', 'utf8');
const SRC = join(__dirname, '../../src');
const SHAPES: Record<string, string> = { CodedError: 'coded', ErrorText: 'text', ErrorMessage: 'message' };

/** The cells of the lines of docs/errors.md that look like this. */
const rows = (line: RegExp): string[][] => [...DOCS.matchAll(line)].map(([, ...cells]) => cells);

/** Every refusal that the code can throw, as `CODE status`. */
function thrown(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.errors.js'),
  );
  const modules: object[] = [errors, ...files.map((file) => require(join(SRC, file)) as object)];
  const classes = modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((value): value is new (...parameters: unknown[]) => errors.DomainError => {
      return typeof value === 'function' && value.prototype instanceof errors.DomainError;
    });
  return classes.map((Refusal) => {
    const { code, status } = new Refusal([]);
    return `${code} ${status}`;
  });
}

describe('docs/errors.md', () => {
  it('has a line for every refusal that the code can throw, and no other', () => {
    const documented = rows(/^\| ([A-Z_]+) +\| (\d{3}) +\| \S/gm).map((cells) => cells.join(' '));
    expect(documented).toContain('VALIDATION_ERROR 400');
    expect(documented.toSorted()).toEqual([...new Set(thrown())].toSorted());
  });

  it('gives each code one status', () => {
    const codes = rows(/^\| ([A-Z_]+) +\| \d{3} +\|/gm).flat();
    expect(codes).toEqual([...new Set(codes)]);
  });

  it('names every answer whose body is not the shared one', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Document;
    const special = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.entries(responses).flatMap(([status, { content }]) => {
          const schema = String(content?.['application/json']?.schema.$ref).split('/').at(-1) ?? '';
          const shape = SHAPES[schema];
          return shape && status !== '500' ? [`${method.toUpperCase()} ${path} ${status} ${shape}`] : [];
        }),
      ),
    );
    const documented = rows(/^\| ([A-Z]+ \/\S+) +\| (\d{3}) +\| (\w+) +\|/gm).map((cells) => cells.join(' '));
    expect(documented.toSorted()).toEqual(special.toSorted());
  });
});
