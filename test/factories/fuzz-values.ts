import fc from 'fast-check';
import { CODE, type Kind, OTP, RESET_LINK } from './fuzz-world';
import { PASSWORD } from './world';

/* What the OpenAPI document allows in a request, with values that mean something to the service. */

interface Schema {
  type?: string;
  $ref?: string;
  enum?: string[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  nullable?: boolean;
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}
export type Method = 'GET' | 'POST' | 'DELETE' | 'HEAD' | 'PUT' | 'PATCH' | 'OPTIONS';

interface DocumentedOperation {
  operationId: string;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
export interface Api {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  documented: DocumentedOperation;
}

/** One of the records of a kind, on the caller's platform or the other one. */
export class Reference {
  constructor(
    readonly kind: Kind,
    readonly foreign: boolean,
    readonly at: number,
  ) {}

  [fc.toStringMethod](): string {
    return `${this.foreign ? 'foreign ' : ''}${this.kind} ${this.at}`;
  }
}

/** What a field or parameter of this name refers to, on any route. */
const REFERENCES: Record<string, Kind> = {
  PlatformId: 'platform',
  platformId: 'platform',
  UserId: 'user',
  userId: 'user',
  userIds: 'user',
  AuthorId: 'user',
  actorId: 'user',
  GroupIds: 'group',
  groupIds: 'group',
  GroupId: 'group',
  AccessTagIds: 'tag',
  AccessTagId: 'tag',
  KeywordIds: 'keyword',
  KeywordId: 'keyword',
  ContentIds: 'content',
  contentId: 'content',
  CollectionIds: 'collection',
  CollectionId: 'collection',
  collectionIds: 'collection',
  parentCommentId: 'comment',
  commentId: 'comment',
  cursor: 'cursor',
};

/** What `id` and `slug` are of, by the beginning of the path. */
const SUBJECTS: [RegExp, Record<string, Kind>][] = [
  [/^\/api\/user\/sessions/, { id: 'ownSession' }],
  [/^\/api\/ad\/.*(impression|click)/, { id: 'countedAd' }],
  [/^\/api\/group\/\{id\}\/requests/, { id: 'asked', userId: 'asker' }],
  [/^\/api\/group\/\{id\}\/members\/\{/, { id: 'joined', userId: 'member' }],
  [/^\/api\/group\/\{id\}\/leave/, { id: 'joined' }],
  [/^\/api\/user/, { id: 'user' }],
  [/^\/api\/access-tag/, { id: 'tag' }],
  [/^\/api\/group/, { id: 'group', slug: 'groupSlug' }],
  [/^\/api\/keyword/, { id: 'keyword' }],
  [/^\/api\/post/, { id: 'post' }],
  [/^\/api\/collection/, { id: 'collection', slug: 'collectionSlug' }],
  [/^\/api\/ad/, { id: 'ad' }],
  [/^\/api\/chat/, { id: 'comment' }],
  [/^\/api\/platform-by-slug/, { slug: 'platformSlug' }],
  [/^\/api\/platform$/, { id: 'platform' }],
  [/content|embed/, { id: 'content', slug: 'contentSlug' }],
];

/** What a new record has to have, besides what the schema requires of edits as well. */
const NEEDED: Record<string, string[]> = {
  content_save: ['title', 'type', 'description'],
  users_save: ['email', 'name', 'role', 'PlatformId'],
  groups_save: ['name'],
  keywords_save: ['title'],
  posts_save: ['message'],
  collections_save: ['name'],
  ads_save: ['title', 'linkUrl', 'placement'],
  chat_save: ['contentId'],
  account_changeEmail: ['currentPassword'],
};

/** Operations that only find the account in question, and show its address to nobody else. */
const BY_ADDRESS = /^auth_(signIn|requestCode|verifyCode|forgotPassword|mint)$/;

const text = (...options: string[]): fc.Arbitrary<string> => fc.constantFrom(...options);

const referenceTo = (kind: Kind): fc.Arbitrary<Reference> =>
  fc
    .tuple(fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, fc.constant(true)), fc.nat(12))
    .map(([foreign, at]) => new Reference(kind, foreign, at));

const WORDS = text('Tides', 'tide tables', 'Ünïcode 👩‍👩‍👧', 'שלום עליכם', 'a', 'Ⅷ ﬁn İı ß', 'e\u0301');

/** Texts that mean something to the operation. */
const MEANT: Record<string, fc.Arbitrary<unknown>> = {
  'Idempotency-Key': fc.oneof({ weight: 4, arbitrary: fc.uuid() }, text('twice', ' '.repeat(3), '')),
  password: fc.oneof(
    { weight: 4, arbitrary: fc.constant(PASSWORD) },
    text('battery staple correct', 'short'),
  ),
  currentPassword: fc.oneof({ weight: 4, arbitrary: fc.constant(PASSWORD) }, text('wrong horse')),
  otp: fc.oneof({ weight: 4, arbitrary: fc.constant(OTP) }, text('042 517', '042-517', '000000', '٠٤٢٥١٧')),
  token: fc.oneof({ weight: 3, arbitrary: fc.constant(RESET_LINK) }, text('link', '')),
  code: fc.oneof({ weight: 3, arbitrary: fc.constant(CODE) }, text('no such code')),
  timezone: text('UTC', 'Europe/Lisbon', 'Asia/Kathmandu', 'Pacific/Apia', 'Nowhere/Town', '+05:30'),
  homepageUrl: text('https://a.example.org', 'https://b.example.org', 'https://Ünï.example/a/../b?c#d', 'x'),
  url: text(
    'a.example.org',
    'https%3A%2F%2Fa.example.org%2F',
    'http://B.example.org:443/x',
    '%2525',
    '%E0%A4%A',
  ),
  emoji: text('heart', '👍', '👍🏽', '👩‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇵🇹', '1️⃣', 'a', '❤'),
  allowedEmoji: fc.array(text('heart', '👍', '🇵🇹'), { maxLength: 3 }),
  allowedOrigins: fc.array(text('https://app.example.org', 'http://localhost:3000', '*'), { maxLength: 2 }),
  embedOrigins: fc.array(text('https://app.example.org', 'https://x.example.org; script-src *'), {
    maxLength: 2,
  }),
  blockedWords: fc.array(text('landlubber', 'bad.example', '(a+)+$', '👍', '*'), { maxLength: 3 }),
  collectionType: text('default', 'course', 'Tides'),
  sortPreference: text('manual', 'newest', 'createdAt:desc', 'publishedDate:asc', 'Tides'),
  website: fc.constant(''),
  impressionToken: fc.constant(new Reference('impression', false, 0)),
  options: fc.dictionary(text('layout', 'a', 'constructor', '__proto__'), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 3,
  }),
  message: text(
    '<p>Tides</p>',
    'Tides at noon',
    '<b>a</b> https://example.org',
    '&lt;script&gt;',
    '👩‍👩‍👧',
    '@[Ada](1)',
  ),
  description: text('<p>Tides</p>', '', '<p>a<script>b</script></p>', '<a href="javascript:1">x</a>', '<<p'),
};
let fresh = 0;
const DATES = text(
  '2026-12-31T23:59:59.999Z',
  '2026-06-01',
  '2027-01-01T00:00:00+05:45',
  '2026-03-29T02:30:00',
  '2020-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
);

/** Arbitrary parameters and bodies of one operation. */
export class Drafts {
  constructor(
    private readonly api: Api,
    private readonly operation: Operation,
  ) {}

  parameters(): fc.Arbitrary<Record<string, unknown>> {
    const { parameters = [] } = this.operation.documented;
    return fc.record(
      Object.fromEntries(parameters.map((parameter) => [parameter.name, this.parameter(parameter)])),
      { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) },
    );
  }

  body(): fc.Arbitrary<unknown> {
    const schema = this.operation.documented.requestBody?.content['application/json']?.schema;
    return schema ? this.value(schema, '') : fc.constant(undefined);
  }

  private parameter({ name, schema, description = '' }: Parameter): fc.Arbitrary<unknown> {
    if (name === 'filters') return filtersOf(description);
    if (name === 'q' || name === 'searchTerm') return fc.oneof(WORDS, text('%', '_', "'", '\\', '-', '*'));
    return this.value(schema, name);
  }

  private value(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const plain = this.plainValue(schema, name);
    return schema.nullable && name !== 'id'
      ? fc.oneof({ weight: 6, arbitrary: plain }, fc.constant(null))
      : plain;
  }

  private plainValue(schema: Schema, name: string): fc.Arbitrary<unknown> {
    if (schema.$ref) return this.value(this.resolved(schema.$ref), name);
    if (schema.allOf?.[0]) return this.value(schema.allOf[0], name);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.type === 'object') return MEANT[name] ?? this.object(schema);
    if (MEANT[name]) return MEANT[name];
    const kind = this.kindOf(name);
    if (schema.type === 'array') {
      const items = kind ? referenceTo(kind) : this.value(schema.items ?? {}, `${name}[]`);
      return fc.array(items, { minLength: schema.minItems ?? 0, maxLength: 3 });
    }
    if (schema.oneOf && kind) return referenceTo(kind);
    if (kind) {
      const boundaries =
        schema.type === 'integer' ? fc.constantFrom(1, 2_000_000_000, 2_147_483_647) : text('none');
      return fc.oneof({ weight: 12, arbitrary: referenceTo(kind) }, boundaries);
    }
    if (schema.type === 'boolean') return fc.boolean();
    if (schema.type === 'integer') {
      const { minimum = 0, maximum = 1000 } = schema;
      return fc.oneof(
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 30) }),
        fc.constantFrom(minimum, maximum),
      );
    }
    return this.string(schema);
  }

  private string({ format, pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<unknown> {
    if (format === 'email') {
      const unknown = fc.nat(1).map(() => `fresh-${++fresh}@people.test`);
      if (!BY_ADDRESS.test(this.operation.id)) return unknown;
      return fc.oneof(
        { weight: 4, arbitrary: referenceTo('account') },
        { weight: 3, arbitrary: referenceTo('email') },
        unknown,
      );
    }
    if (format === 'uri')
      return text('https://example.org/a.png', 'http://example.org/?q=ü', 'https://[::1]/');
    if (format === 'date-time') return DATES;
    if (pattern) return fc.stringMatching(new RegExp(pattern), { size: '-1' });
    return fc.oneof(
      { weight: 6, arbitrary: WORDS },
      fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) }),
      fc.constant('x'.repeat(Math.min(maxLength, 10_000))),
    );
  }

  /** What is needed, and mostly little else: each further field is one more reason to refuse. */
  private object({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
    const needed = new Set([...required, ...(NEEDED[this.operation.id] ?? [])]);
    const optional = Object.keys(properties).filter((name) => !needed.has(name));
    return fc
      .record({
        all: fc.record(
          Object.fromEntries(
            Object.entries(properties).map(([name, schema]) => [name, this.value(schema, name)]),
          ),
        ),
        chosen: fc.oneof(
          { weight: 4, arbitrary: fc.subarray(optional, { maxLength: Math.min(3, optional.length) }) },
          fc.subarray(optional),
        ),
      })
      .map(({ all, chosen }) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => needed.has(name) || chosen.includes(name))),
      );
  }

  private kindOf(name: string): Kind | undefined {
    const subject = SUBJECTS.find(([path]) => path.test(this.operation.path))?.[1][name];
    return subject ?? REFERENCES[name];
  }

  private resolved(reference: string): Schema {
    return this.api.components.schemas[reference.split('/').at(-1) ?? ''] ?? {};
  }
}

const fieldsIn = (description = ''): [name: string, what: string][] =>
  [...description.matchAll(/`(\w+)` \(([^)]*)\)/g)].map(([, name = '', what = '']) => [name, what]);

export const filterFields = ({ documented }: Operation): string[] =>
  fieldsIn(documented.parameters?.find(({ name }) => name === 'filters')?.description).map(([name]) => name);

export const encoded = (plain: string): string => encodeURIComponent(plain.toWellFormed());

/** Filters as the parameter's description lists them, in both spellings. */
function filtersOf(description: string): fc.Arbitrary<unknown> {
  const fields = fieldsIn(description).map(([name, what]) => {
    const kind = what === 'an id' ? REFERENCES[name] : undefined;
    if (what === 'an ISO 8601 date-time') return fc.tuple(fc.constant(name), DATES);
    const values =
      /one of (.*)/.exec(what)?.[1]?.split(', ') ?? (what === 'true or false' ? ['true', 'false'] : ['1']);
    return fc.tuple(fc.constant(name), kind ? referenceTo(kind) : fc.constantFrom<unknown>(...values));
  });
  if (fields.length === 0) return fc.constant({ filters: [true, []] });
  return fc
    .tuple(fc.boolean(), fc.array(fc.oneof(...fields), { minLength: 1, maxLength: 2 }))
    .map((filters) => ({ filters }));
}
