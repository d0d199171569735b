import { applyDecorators, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidateBy, ValidateNested } from 'class-validator';

type Plain = Record<string, unknown>;
/** The keys that a DTO has rules for, each with the DTO of what is nested under it. */
type Keys = Map<string, Type | undefined>;

const NESTED = Symbol('nested');
const keysOfTypes = new WeakMap<Type, Keys>();

/** A DTO, or a list of them, inside of another. */
export const IsNested = (type: () => Type): PropertyDecorator =>
  applyDecorators(
    ValidateNested(),
    // By itself ValidateNested looks into lists of lists, and finds nothing there to check.
    ValidateBy({
      name: 'isNested',
      validator: {
        validate: (value: unknown) => (Array.isArray(value) ? value.every(isPlain) : isPlain(value)),
        defaultMessage: () => '$property must hold objects',
      },
    }),
    Reflect.metadata(NESTED, type) as PropertyDecorator,
  );

/**
 * What a DTO knows of an object, and of the objects in it. The rest is dropped before anything looks through it:
 * the libraries that make and check DTOs hold each key against all others.
 * @param dropped is told each key that is left out, those of objects in it as `outer.inner`
 */
export function knownPart(
  type: Type,
  value: object,
  dropped: (key: string) => void = () => undefined,
): object {
  const part: Plain = {};
  const keys = keysOf(type);
  for (const key of Object.keys(value)) {
    if (!keys.has(key)) {
      dropped(key);
      continue;
    }
    const inner = (value as Plain)[key];
    const nested = keys.get(key);
    part[key] = nested ? mapObjects(inner, (one) => knownPart(nested, one, within(key))) : inner;
  }
  return part;

  function within(outer: string): (key: string) => void {
    return (key) => dropped(`${outer}.${key}`);
  }
}

/**
 * The DTO with the values of an object. Lists and objects in it that are no DTOs stay as they were sent, and no
 * `@Transform` sees them: class-transformer would take ten microseconds for each value in them, and drop keys that
 * objects have methods for.
 */
export function readDto<Dto extends object>(type: Type<Dto>, value: object): Dto {
  const entries = Object.entries(value);
  const flat = entries.filter(([, inner]) => !isObject(inner));
  const dto = plainToInstance(type, Object.fromEntries(flat)) as Dto & Plain;
  const keys = keysOf(type);
  for (const [key, inner] of entries) {
    if (!isObject(inner)) continue;
    const nested = keys.get(key);
    Object.assign(dto, { [key]: nested ? mapObjects(inner, (one) => readDto(nested, one)) : inner });
  }
  return dto;
}

function keysOf(type: Type): Keys {
  let keys = keysOfTypes.get(type);
  if (!keys) keysOfTypes.set(type, (keys = readKeys(type)));
  return keys;
}

function readKeys(type: Type): Keys {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  return new Map(
    rules.map(({ propertyName }) => {
      const nested = Reflect.getMetadata(NESTED, type.prototype as object, propertyName) as
        (() => Type) | undefined;
      return [propertyName, nested?.()];
    }),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An object, or each object in a list, made anew; all else stays for the rules to refuse. */
function mapObjects(value: unknown, make: (one: object) => object): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => (isPlain(one) ? make(one) : one));
  return isPlain(value) ? make(value) : value;
}

const isPlain = (value: unknown): value is object => isObject(value) && !Array.isArray(value);
