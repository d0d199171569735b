import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsISO8601,
  isISO8601,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import * as ipaddr from 'ipaddr.js';
import { ARTICLE_BYTES } from '#libs/markup';

export const MAX_ID = 2_147_483_647;
const MAX_IDS = 500;

const integerText = ({ value }: TransformFnParams): unknown =>
  typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
const booleanText = ({ value }: TransformFnParams): unknown =>
  value === 'true' ? true : value === 'false' ? false : value;
/** Composing makes a line at most three times shorter: what is longer than this is too long for any field. */
const LONGEST_LINE = 2000;
/** Marks piled up on one letter take quadratic time to compose, and the length is only checked afterwards. */
const composed = (text: string): string => (text.length > LONGEST_LINE ? text : text.normalize('NFC'));
const trimmed = ({ value }: TransformFnParams): unknown =>
  typeof value === 'string' ? composed(value.trim()) : value;

/** A record's id in a JSON body. */
export const IsId = (): PropertyDecorator =>
  applyDecorators(
    IsInt(),
    Min(1),
    Max(MAX_ID),
    ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_ID }),
  );

/** A record's id in a path or query, or where the interface takes it as a string too. */
export const IsIdText = (): PropertyDecorator => applyDecorators(Transform(integerText), IsId());

/** An integer in a query. */
export const IsIntText = (min: number, max: number): PropertyDecorator =>
  applyDecorators(
    Transform(integerText),
    IsInt(),
    Min(min),
    Max(max),
    ApiProperty({ type: 'integer', minimum: min, maximum: max }),
  );

/**
 * More than `max` counts as `max`. It stands under `IsIntText`: transformations run from the top one down, and
 * this one needs the number.
 */
export const Clamped = (max: number): PropertyDecorator =>
  Transform(({ value }: TransformFnParams): unknown =>
    typeof value === 'number' ? Math.min(value, max) : value,
  );

/** `true` or `false` in a query. */
export const IsBooleanText = (): PropertyDecorator =>
  applyDecorators(Transform(booleanText), IsBoolean(), ApiProperty({ type: 'boolean' }));

/** @param unique whether none may be there twice */
export const IsIds = ({ unique = false } = {}): PropertyDecorator =>
  applyDecorators(
    ...(unique ? [IsUnique()] : []),
    IsArray(),
    ArrayMaxSize(MAX_IDS),
    IsInt({ each: true }),
    Min(1, { each: true }),
    Max(MAX_ID, { each: true }),
    ApiProperty({ type: 'integer', isArray: true, maxItems: MAX_IDS, ...(unique && { uniqueItems: true }) }),
  );

/** Of as many as there may be; class-validator's own holds each of any number against all others. */
const IsUnique = (): PropertyDecorator =>
  ValidateBy({
    name: 'arrayUnique',
    validator: {
      validate: (value: unknown) =>
        !Array.isArray(value) || value.length > MAX_IDS || new Set(value).size === value.length,
      defaultMessage: () => "All $property's elements must be unique",
    },
  });

/** A name or title: trimmed, NFC, one line of `min` to `max` characters. */
export const IsTitle = (min: number, max: number): PropertyDecorator =>
  applyDecorators(
    Transform(trimmed),
    IsString(),
    Length(min, max),
    ApiProperty({ minLength: min, maxLength: max }),
  );

/** An e-mail address: trimmed, and otherwise kept as it is written. */
export const IsEmailAddress = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: TransformFnParams): unknown => (typeof value === 'string' ? value.trim() : value)),
    IsEmail({ require_tld: false }, { message: '$property must be an e-mail address' }),
    ApiProperty({ type: String, format: 'email' }),
  );

export const IsText = (max: number): PropertyDecorator =>
  applyDecorators(IsString(), MaxLength(max), ApiProperty({ maxLength: max }));

/** What stands for a record in a URL. */
export const IsSlug = (max = 80, min = 1): PropertyDecorator => {
  const pattern = `^[a-z0-9-]{${min},${max}}$`;
  return applyDecorators(
    Matches(new RegExp(pattern), { message: `$property must be ${min} to ${max} of a-z, 0-9 and -` }),
    ApiProperty({ type: String, pattern }),
  );
};

export const IsWebUrl = (): PropertyDecorator =>
  applyDecorators(
    IsUrl(
      {
        protocols: ['http', 'https'],
        require_protocol: true,
        require_tld: false,
        disallow_auth: true,
        // As the hosts of storage buckets have them.
        allow_underscores: true,
      },
      { message: '$property must be an http(s) URL' },
    ),
    MaxLength(2048),
    ApiProperty({ type: String, format: 'uri', maxLength: 2048 }),
  );

const INSTANT = /^\d{4}-\d\d-\d\d/;

/** As `IsInstant`. */
export const isInstantText = (value: unknown): value is string =>
  typeof value === 'string' && INSTANT.test(value) && isISO8601(value, { strict: true });

/**
 * An instant: ISO 8601 with a real calendar date. Without an offset it is read in the platform's timezone,
 * by the service.
 */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Matches(INSTANT, { message: '$property must be an ISO 8601 date-time' }),
    IsISO8601({ strict: true }),
    ApiProperty({ type: String, format: 'date-time' }),
  );

/** `field:asc` or `field:desc` over an allow-list: the only way a client's word reaches an `order by`. */
export const IsSort = (...fields: string[]): PropertyDecorator => {
  const values = fields.flatMap((field) => [`${field}:asc`, `${field}:desc`]);
  return applyDecorators(IsIn(values), ApiProperty({ type: String, enum: values }));
};

/** Words to look for in a list; blank is as good as none. */
export const IsSearchTerm = (): PropertyDecorator =>
  applyDecorators(
    Transform(trimmed),
    IsString(),
    MaxLength(200),
    ApiProperty({ type: String, maxLength: 200 }),
  );

/** May be left out, but not null. */
export const IsOmittable = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** May be left out, or null. */
export const IsClearable = IsOptional;

/** Addresses such as ::127.0.0.1, long deprecated, that hold an IPv4 address. */
const IPV4_COMPATIBLE: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('::'), 96];

const isPublicHost = (value: unknown): boolean => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const host = new URL(value).hostname.replace(/^\[|\]$|\.$/g, '');
  if (/(^|\.)localhost$/.test(host)) return false;
  if (!ipaddr.isValid(host)) return true;
  const address = ipaddr.process(host);
  return address.range() === 'unicast' && !(address.kind() === 'ipv6' && address.match(IPV4_COMPATIBLE));
};

/** An http(s) URL whose host is not written as an address of this machine or a private network. */
export const IsPublicUrl = (): PropertyDecorator =>
  applyDecorators(
    IsWebUrl(),
    ValidateBy({
      name: 'isPublicUrl',
      validator: {
        validate: isPublicHost,
        defaultMessage: () => '$property must not point at a private or loopback address',
      },
    }),
  );

/** A JSON value whose text is at most so long. */
export const MaxJsonBytes = (bytes: number): PropertyDecorator =>
  ValidateBy({
    name: 'maxJsonBytes',
    validator: {
      validate: (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? null)) <= bytes,
      defaultMessage: () => `$property must be at most ${bytes} bytes of JSON`,
    },
  });

/** Text of at most so many bytes, whatever its characters. */
export const MaxBytes = (bytes: number): PropertyDecorator =>
  ValidateBy({
    name: 'maxBytes',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && Buffer.byteLength(value) <= bytes,
      defaultMessage: () => `$property must be at most ${bytes} bytes`,
    },
  });

/** The HTML of an article or of a description. */
export const IsArticle = (): PropertyDecorator =>
  applyDecorators(IsText(ARTICLE_BYTES), MaxBytes(ARTICLE_BYTES));

/** `#rgb` or `#rrggbb`. */
export const IsColor = (): PropertyDecorator =>
  applyDecorators(
    Matches(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, { message: '$property must be #rgb or #rrggbb' }),
    ApiProperty({ type: String, pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' }),
  );

/** A list of short texts. */
export const IsTexts = (items: number, length: number): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(items),
    IsString({ each: true }),
    Length(1, length, { each: true }),
    ApiProperty({ type: String, isArray: true, maxItems: items }),
  );

const isOrigin = (value: unknown): boolean =>
  typeof value === 'string' &&
  // A host may hold `*`, `;` and `,` by the URL standard, which would mean something in a security policy.
  /^https?:\/\/[\w.:[\]-]+$/.test(value) &&
  URL.canParse(value) &&
  new URL(value).origin === value;

/** A list of web origins, such as `https://app.example.org`. */
export const IsOrigins = (): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(50),
    ValidateBy(
      {
        name: 'isOrigins',
        validator: {
          validate: isOrigin,
          defaultMessage: () => 'each value in $property must be an origin such as https://app.example.org',
        },
      },
      { each: true },
    ),
    ApiProperty({ type: String, isArray: true, maxItems: 50 }),
  );
