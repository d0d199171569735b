import { loadSettings } from '#libs/config';
import { migrateDown, migrateUp, migrationStatus, type OpenDatabase } from '#libs/database';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { MIGRATIONS } from '../../src/operations/migrations';
import { Homepages1763831000000 } from '../../src/operations/migrations/1763831000000-homepages';
import { openDatabaseOf } from '../../src/operations/process/resources';

const NAMES = MIGRATIONS.map(({ name }) => name);

let testDatabase: TestDatabase;
let one: OpenDatabase;
let other: OpenDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const settings = loadSettings({
    NODE_ENV: 'test',
    DATABASE_URL: testDatabase.url,
    DATA_DIR: '.cache/data',
  });
  [one, other] = await Promise.all([
    openDatabaseOf(settings, () => undefined, { migrate: false }),
    openDatabaseOf(settings, () => undefined, { migrate: false }),
  ]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await testDatabase.drop();
});

/** All that the migrations make: columns, indexes, constraints, sequences, functions, triggers. */
async function catalogue(): Promise<Record<string, unknown[]>> {
  const rows = (sql: string): Promise<unknown[]> => one.dataSource.query(sql);
  return {
    columns: await rows(
      `select table_name, column_name, data_type, udt_name, is_nullable, column_default, datetime_precision,
              collation_name, is_identity, identity_generation, generation_expression
         from information_schema.columns where table_schema = 'public' order by 1, 2`,
    ),
    indexes: await rows(
      `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
    ),
    constraints: await rows(
      `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition
         from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    routines: await rows(
      `select p.proname, pg_get_function_identity_arguments(p.oid) as arguments, p.prosrc as body from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1, 2`,
    ),
    triggers: await rows(
      `select tgrelid::regclass::text as "table", tgname, pg_get_triggerdef(oid) as definition from pg_trigger
        where not tgisinternal order by 1, 2`,
    ),
    partitions: await rows(
      `select c.oid::regclass::text as "table", pg_get_partkeydef(c.oid) as key, pg_get_expr(c.relpartbound, c.oid) as bound
         from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (c.relispartition or c.relkind = 'p')
        order by 1`,
    ),
  };
}

const tables = async (): Promise<string[]> => {
  const rows = await one.dataSource.query<{ name: string }[]>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
};

describe('migrations', () => {
  it('undo all that they did, and do it again alike; of two processes at once one migrates', async () => {
    const before = await catalogue();
    expect(before.columns?.length).toBeGreaterThan(100);
    expect(before.triggers?.length).toBeGreaterThan(5);
    expect(before.partitions?.length).toBeGreaterThan(5);
    expect(await migrationStatus(one.dataSource)).toEqual({ done: NAMES.toReversed(), pending: [] });

    expect(await migrateDown(one.dataSource, true)).toEqual(NAMES.toReversed());
    expect(await tables()).toEqual(['migrations']);
    expect(await catalogue()).toMatchObject({ routines: [], triggers: [], partitions: [] });
    expect(await migrationStatus(one.dataSource)).toEqual({ done: [], pending: NAMES });

    const ran = await Promise.all([migrateUp(one.dataSource), migrateUp(other.dataSource)]);
    expect(ran.toSorted((a, b) => a.length - b.length)).toEqual([[], NAMES]);
    expect(await one.dataSource.query('select name from migrations order by id')).toEqual(
      NAMES.map((name) => ({ name })),
    );
    expect(await catalogue()).toEqual(before);
  });

  it('each undo what they did and no more', async () => {
    await migrateDown(one.dataSource, true);
    const runner = one.dataSource.createQueryRunner();
    const stages: { migration: InstanceType<(typeof MIGRATIONS)[number]>; before: object }[] = [];
    for (const Migration of MIGRATIONS) {
      const migration = new Migration();
      stages.push({ migration, before: await catalogue() });
      await migration.up(runner);
    }
    for (const { migration, before } of stages.toReversed()) {
      await migration.down(runner);
      expect(await catalogue()).toEqual(before);
    }
    await runner.release();
    expect(await migrateUp(one.dataSource)).toEqual(NAMES);
  });

  it('keys of homepages: the oldest platform keeps an address of many spellings', async () => {
    const platforms = [
      ['https://bücher.example/', 'bücher.example'],
      ['https://xn--bcher-kva.example:443', 'xn--bcher-kva.example:443'],
      ['https://Other.example/Club/', 'other.example/Club'],
      ['app://community', 'community'],
      [null, null],
    ];
    const keys = async (): Promise<unknown[]> =>
      (await one.dataSource.query('select "homepageKey" as key from platforms order by id')).map(
        ({ key }: { key: unknown }) => key,
      );
    for (const [n, [url, key]] of platforms.entries()) {
      await one.dataSource.query(
        `insert into platforms (name, slug, "homepageUrl", "homepageKey") values ('P', $1, $2, $3)`,
        [`p-${n}`, url, key],
      );
    }
    const runner = one.dataSource.createQueryRunner();
    await new Homepages1763831000000().up(runner);
    expect(await keys()).toEqual(['xn--bcher-kva.example', null, 'other.example/Club', null, null]);
    await new Homepages1763831000000().down(runner);
    expect(await keys()).toEqual(platforms.map(([, key]) => key));
    await runner.query('delete from platforms');
    await runner.release();
  });

  it('leave nothing half done when one of them fails', async () => {
    await migrateDown(one.dataSource, true);
    // In the way of what comes late in the migration.
    await one.dataSource.query('create table reactions (id integer)');
    await expect(migrateUp(one.dataSource)).rejects.toThrow('relation "reactions" already exists');
    expect(await tables()).toEqual(['migrations', 'reactions']);
    await one.dataSource.query('drop table reactions');
    expect(await migrateUp(one.dataSource)).toEqual(NAMES);
  });
});
