import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { loadSettings } from '#libs/config';
import type { OpenDatabase } from '#libs/database';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { openDatabaseOf } from '../../src/resources';

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
  return rows.map(({ table_name }) => table_name);
};

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
    expect(declared.map((column) => ({ ...column, type: column.type.toLowerCase() }))).toEqual(
      declared.map(({ table, name }) => stored.get(`${table}.${name}`) ?? `no column ${table}.${name}`),
    );
  });
});

describe('tables of a platform', () => {
  it('refer to each other with the platform, never by id alone', async () => {
    const ofPlatforms = new Set(await tablesOfPlatforms());
    const keys = await foreignKeys();
    const between = keys.filter(({ target }) => ofPlatforms.has(target));
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
    expect(bound).toEqual(expect.arrayContaining(named.map(({ column }) => column)));
  });

  it('have an index for every foreign key to what can be deleted', async () => {
    const indexes = await dataSource.query<{ table: string; first: string[] }[]>(
      `select t.relname as "table",
              (select array_agg(a.attname::text order by k.n) from unnest(i.indkey::int2[]) with ordinality k(att, n)
                 join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.att) as first
         from pg_index i join pg_class t on t.oid = i.indrelid
        where i.indpred is null and i.indisvalid and t.relnamespace = 'public'::regnamespace`,
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
    expect(code).toMatch(/delete from collection_groups/);
    expect(code).not.toMatch(new RegExp(`delete from "?(${NEVER_DELETED.join('|')})\\b`, 'i'));
    expect(code).not.toMatch(/\.(delete|remove)\((Platform|User|Content|Comment)\b/);
  });
});
