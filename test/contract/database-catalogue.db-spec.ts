import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { loadSettings } from '#libs/config';
import type { OpenDatabase } from '#libs/database';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { openDatabaseOf } from '../../src/operations/process/resources';

interface ForeignKey {
  name: string;
  table: string;
  columns: string[];
  target: string;
  targetColumns: string[];
}

/**
 * Rows of these tables are anonymised or marked as deleted, and stay: nobody looks for what refers to one in
 * order to delete it. A test below holds the code to that.
 */
const NEVER_DELETED = ['platforms', 'users', 'contents', 'comments'];

/**
 * What happened stays as it was written, whatever becomes of what it names; and keys to users and platforms
 * would lock those tables whenever a month's partition comes or goes.
 */
const LOG = /^audit_log(_|\.|$)/;

let testDatabase: TestDatabase;
let database: OpenDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const settings = loadSettings({
    NODE_ENV: 'test',
    DATABASE_URL: testDatabase.url,
    DATA_DIR: '.cache/data',
  });
  database = await openDatabaseOf(settings, () => undefined, { migrate: false });
  dataSource = database.dataSource;
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const foreignKeys = (): Promise<ForeignKey[]> =>
  dataSource.query(`
    select c.conname as name, t.relname as "table", r.relname as target,
           (select array_agg(a.attname::text order by k.n) from unnest(c.conkey) with ordinality k(att, n)
              join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.att) as columns,
           (select array_agg(a.attname::text order by k.n) from unnest(c.confkey) with ordinality k(att, n)
              join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.att) as "targetColumns"
      from pg_constraint c
      join pg_class t on t.oid = c.conrelid
      join pg_class r on r.oid = c.confrelid
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace
     order by 2, 1`);

const tablesOfPlatforms = async (): Promise<string[]> => {
  const rows = await dataSource.query<{ table_name: string }[]>(
    `select table_name from information_schema.columns
      where table_schema = 'public' and column_name = 'PlatformId' order by 1`,
  );
  return rows.map(({ table_name }) => table_name).filter((table) => !LOG.test(table));
};

/** Tables that only add columns to the row of another table: their key is that row's. */
const extensions = async (): Promise<Set<string>> => {
  const rows = await dataSource.query<{ name: string }[]>(`
    select distinct p.conrelid::regclass::text as name
      from pg_constraint p join pg_constraint f on f.conrelid = p.conrelid and f.conkey = p.conkey
     where p.contype = 'p' and f.contype = 'f' and p.connamespace = 'public'::regnamespace`);
  return new Set(rows.map(({ name }) => name));
};

/** As the catalogue spells it. */
const typeName = (type: string): string => type.toLowerCase().replace(/ array$/, '[]');

describe('entities', () => {
  it('have the columns that their tables have: name, type and nullability', async () => {
    const driver = dataSource.driver as PostgresDriver;
    const declared = dataSource.entityMetadatas.flatMap(({ tableName, columns }) =>
      columns.map((column) => ({
        table: tableName,
        name: column.databaseName,
        type: driver.createFullType({
          ...column,
          type: driver.normalizeType(column),
          length: driver.getColumnLength(column),
        } as never),
        nullable: column.isNullable,
      })),
    );
    const catalogue = await dataSource.query<
      { table: string; name: string; type: string; nullable: boolean }[]
    >(
      `select c.table_name as "table", c.column_name as name, c.is_nullable = 'YES' as nullable,
              format_type(a.atttypid, a.atttypmod) as type
         from information_schema.columns c
         join pg_attribute a on a.attrelid = format('public.%I', c.table_name)::regclass and a.attname = c.column_name
        where c.table_schema = 'public'`,
    );
    const stored = new Map(catalogue.map((column) => [`${column.table}.${column.name}`, column]));
    expect(declared.length).toBeGreaterThan(100);
    expect(declared.map((column) => ({ ...column, type: typeName(column.type) }))).toEqual(
      declared.map(({ table, name }) => stored.get(`${table}.${name}`) ?? `no column ${table}.${name}`),
    );
  });
});

describe('tables of a platform', () => {
  it('refer to each other with the platform, never by id alone', async () => {
    const ofPlatforms = new Set(await tablesOfPlatforms());
    const extending = await extensions();
    const keys = await foreignKeys();
    const between = keys.filter(({ table, target }) => ofPlatforms.has(target) && !extending.has(table));
    expect(between.length).toBeGreaterThan(20);
    for (const { columns, targetColumns, name } of between) {
      const at = columns.indexOf('PlatformId');
      expect([name, columns[at], targetColumns[at]]).toEqual([name, 'PlatformId', 'PlatformId']);
    }
  });

  it('belong to a platform that exists', async () => {
    const bound = new Set(
      (await foreignKeys()).filter((key) => key.columns.includes('PlatformId')).map((key) => key.table),
    );
    for (const table of await tablesOfPlatforms()) expect([...bound]).toContain(table);
  });

  it('have a foreign key on every column that names a record', async () => {
    const named = await dataSource.query<{ column: string }[]>(
      `select table_name || '.' || column_name as "column" from information_schema.columns
        where table_schema = 'public' and column_name ~ '[a-z]Id$' order by 1`,
    );
    const bound = (await foreignKeys()).flatMap(({ table, columns }) =>
      columns.map((column) => `${table}.${column}`),
    );
    expect(named.length).toBeGreaterThan(30);
    const records = named.map(({ column }) => column).filter((column) => !LOG.test(column));
    expect(bound).toEqual(expect.arrayContaining(records));
  });

  it('have an index for every foreign key to what can be deleted', async () => {
    const indexes = await dataSource.query<{ table: string; first: string[] }[]>(
      `select t.relname as "table",
              (select array_agg(a.attname::text order by k.n) from unnest(i.indkey::int2[]) with ordinality k(att, n)
                 join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.att) as first
         from pg_index i join pg_class t on t.oid = i.indrelid
         left join pg_attribute l on l.attrelid = i.indrelid and l.attnum = i.indkey[0]
        where (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', coalesce(l.attname, ''))) and i.indisvalid and t.relnamespace = 'public'::regnamespace`,
    );
    const serves = ({ table, columns }: ForeignKey): boolean => {
      const own = columns.filter((column) => column !== 'PlatformId');
      return indexes.some(({ table: indexed, first }) => {
        const leading = first.filter((column, at) => at > 0 || column !== 'PlatformId');
        return indexed === table && own.includes(leading[0] ?? '');
      });
    };
    const keys = (await foreignKeys()).filter(({ target }) => !NEVER_DELETED.includes(target));
    expect(keys.length).toBeGreaterThan(8);
    expect(
      keys.filter((key) => !serves(key)).map(({ table, columns }) => `${table} (${columns.join(', ')})`),
    ).toEqual([]);
  });

  it('keep the rows of tables whose references have no index of their own', () => {
    const source = join(__dirname, '../../src');
    const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.repository.js'))
      .map((file) => readFileSync(join(source, file), 'utf8'))
      .join('\n');
    expect(code).toMatch(/delete from collection_contents/);
    expect(code).not.toMatch(new RegExp(`delete from "?(${NEVER_DELETED.join('|')})\\b`, 'i'));
    expect(code).toMatch(/table: 'collection_groups'/);
    expect(code).not.toMatch(new RegExp(`table: '(${NEVER_DELETED.join('|')})'`));
    expect(code).not.toMatch(/\.(delete|remove)\((Platform|User|Content|Comment)\b/);
  });
});

describe('contents', () => {
  it('have no index that a view, comment or reaction would have to write anew', async () => {
    const indexed = await dataSource.query<{ columns: string }[]>(
      `select pg_get_indexdef(indexrelid) as columns from pg_index where indrelid = 'contents'::regclass`,
    );
    expect(indexed.length).toBeGreaterThan(5);
    for (const { columns } of indexed) expect(columns).not.toMatch(/Count|lastOrdinal|lastActivityAt/);
  });
});

describe('the stamp of what anonymous readers see', () => {
  it('is written by every table that they see, whatever changes but what is not shown of it', async () => {
    const rows = await dataSource.query<{ table: string; unseen: string[] }[]>(
      `select c.relname as "table", array_agg(a.attname::text order by a.attname) filter (
                where array_length(t.tgattr::int2[], 1) > 0 and a.attnum <> all(t.tgattr::int2[])) as unseen
         from pg_trigger t join pg_class c on c.oid = t.tgrelid
         join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where t.tgname = c.relname || '_stamp' group by 1 order by 1`,
    );
    expect(Object.fromEntries(rows.map(({ table, unseen }) => [table, unseen?.toSorted() ?? []]))).toEqual({
      ad_collections: [],
      ads: ['PlatformId', 'UserId', 'clicks', 'createdAt', 'id', 'impressions', 'titleKey', 'updatedAt'],
      collection_contents: [],
      collection_groups: [],
      collections: [],
      content_access_tags: [],
      content_groups: [],
      content_keywords: [],
      contents: [
        'PlatformId',
        'bytes',
        'commentCount',
        'createdAt',
        'editedAt',
        'id',
        'lastActivityAt',
        'lastOrdinal',
        'linkCount',
        'plainText',
        'reactionCounts',
        'teaser',
        'teaserKey',
        'textKey',
        'titleKey',
        'topLevelCount',
        'updatedAt',
        'viewCount',
        'visibilityBefore',
        'wordStarts',
      ],
      groups: [
        'PlatformId',
        'UserId',
        'archived',
        'bannerImageUrl',
        'bytes',
        'createdAt',
        'description',
        'id',
        'joinPolicy',
        'memberCount',
        'nameKey',
        'photoUrl',
        'postPolicy',
        'updatedAt',
      ],
      keywords: ['PlatformId', 'createdAt', 'id', 'titleKey', 'updatedAt'],
      platforms: [],
      users: [
        'PlatformId',
        'banReason',
        'bannedAt',
        'bannedUntil',
        'bannerImageUrl',
        'createdAt',
        'email',
        'emailKey',
        'id',
        'nameKey',
        'nameStarts',
        'notes',
        'passwordHash',
        'status',
        'updatedAt',
      ],
    });
  });
});

describe('the audit log', () => {
  const partitions = async (): Promise<string[]> => {
    const rows = await dataSource.query<{ name: string }[]>(
      `select inhrelid::regclass::text as name from pg_inherits
        where inhparent = 'audit_log'::regclass order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('has a partition for this month and the three after it, and one for all else', async () => {
    const now = new Date();
    const months = [0, 1, 2, 3].map((ahead) => {
      const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
      return `audit_log_${month.toISOString().slice(0, 7).replace('-', '_')}`;
    });
    expect(await partitions()).toEqual([...months, 'audit_log_default'].toSorted());
  });

  it('refuses to change, delete and truncate, in each of its partitions too', async () => {
    await dataSource.query(
      `insert into audit_log ("PlatformId", action, "targetType") values (1, 'user.ban', 'user')`,
    );
    const [{ name } = { name: '' }] = await dataSource.query<{ name: string }[]>(
      `select tableoid::regclass::text as name from audit_log`,
    );
    expect(name).toMatch(/^audit_log_\d{4}_\d\d$/);
    for (const table of ['audit_log', name]) {
      await expect(dataSource.query(`update ${table} set action = 'other'`)).rejects.toThrow('append-only');
      await expect(dataSource.query(`delete from ${table}`)).rejects.toThrow('append-only');
    }
    for (const table of ['audit_log', ...(await partitions())]) {
      await expect(dataSource.query(`truncate ${table}`)).rejects.toThrow('append-only');
    }
    expect(await dataSource.query('select action from audit_log')).toEqual([{ action: 'user.ban' }]);
  });

  it('serves a page of one platform from an index', async () => {
    const indexes = await dataSource.query<{ indexdef: string }[]>(
      `select indexdef from pg_indexes where tablename = 'audit_log'`,
    );
    expect(indexes.map(({ indexdef }) => indexdef)).toContainEqual(
      expect.stringMatching(/btree \("PlatformId", at, id\)$/),
    );
  });
});
