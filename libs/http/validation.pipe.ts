import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { validate, type ValidationError as Violation } from 'class-validator';
import { type FieldIssue, ValidationError } from '#libs/errors';
import { RefusedBody } from './body-parser';
import { knownPart, readDto } from './read-dto';
import { warn } from './reply-headers';

/** Of the keys that are dropped, so many are named, where a header can name them. */
const MOST_NAMED = 10;
const NAMEABLE = /^[\w.-]{1,40}$/;

/** Turns what was sent into the DTO of the handler: unknown keys dropped, all faults of it named at once. */
@Injectable()
export class RequestPipe implements PipeTransform {
  /** @param strict refuses unknown keys instead of dropping them */
  constructor(private readonly strict = false) {}

  async transform(value: unknown, { type, metatype, data = '' }: ArgumentMetadata): Promise<unknown> {
    if (type === 'custom') return value;
    // A path's parts have pipes of their own, which want to see what was sent.
    if (type === 'param' || metatype === undefined || metatype === Object) {
      refuseMalformed(value, data);
      return value;
    }
    const given = type === 'body' ? usableBody(value) : (value as object);
    const known = this.strict
      ? given
      : knownPart(metatype, given, type === 'body' ? warnOfUnknown() : undefined);
    refuseMalformed(known, data);
    const dto = readDto<object>(metatype, known);
    const violations = await validate(dto, {
      whitelist: true,
      forbidNonWhitelisted: this.strict,
      forbidUnknownValues: false,
      stopAtFirstError: true,
      validationError: { target: false, value: false },
    });
    if (violations.length > 0) throw new ValidationError(issues(violations));
    return dto;
  }
}

/**
 * Holds a value against a DTO as a request's body would be; unknown keys are refused.
 * @throws ValidationError
 */
export const validated = <Dto extends object>(type: new () => Dto, value: unknown): Promise<Dto> =>
  new RequestPipe(true).transform(value, { type: 'body', metatype: type }) as Promise<Dto>;

function warnOfUnknown(): (key: string) => void {
  const named = new Set<string>();
  return (key) => {
    if (named.size >= MOST_NAMED || named.has(key) || !NAMEABLE.test(key)) return;
    named.add(key);
    warn(`unknown-field ${key}`);
  };
}

function usableBody(value: unknown): object {
  if (value instanceof RefusedBody) throw value.error;
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw ValidationError.of('body', 'must be a JSON object');
  }
  return value;
}

/**
 * PostgreSQL stores no NUL, a lone surrogate is no character, and a number too big to hold would be stored as
 * null: none of them may reach a field.
 */
function refuseMalformed(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw ValidationError.of(path || 'body', 'must be well-formed text without NUL');
    }
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw ValidationError.of(path || 'body', 'is too big a number');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      refuseMalformed(key, path);
      refuseMalformed(inner, path ? `${path}.${key}` : key);
    }
  }
}

function issues(violations: Violation[], parent = ''): FieldIssue[] {
  return violations.flatMap(({ property, constraints, children }) => {
    const field = parent ? `${parent}.${property}` : property;
    const own = Object.values(constraints ?? {}).map((issue) => ({ field, issue }));
    return [...own, ...issues(children ?? [], field)];
  });
}
