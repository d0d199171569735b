import { Database, openDatabase, type OpenDatabase, sql } from '#libs/database';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { RateRowsRepository } from './index';

let testDatabase: TestDatabase;
let opened: OpenDatabase;
let db: Database;
let rows: RateRowsRepository;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { url } = testDatabase;
  opened = await openDatabase({ url, dataDir: '.cache', entities: [], migrations: [], migrate: false });
  db = new Database(opened.dataSource);
  rows = new RateRowsRepository(db);
});
afterAll(async () => {
  await opened.close();
  await testDatabase.drop();
});

const keys = async (): Promise<string[]> =>
  (await db.rows<{ key: string }>(sql`select key from rate_limits order by key`)).map(({ key }) => key);
const add = (prefix: string, count: number, expiresInMinutes: number): Promise<number> =>
  db.execute(sql`
    insert into rate_limits (key, points, expire)
    select ${prefix} || n, 1, extract(epoch from now() + make_interval(mins => ${expiresInMinutes})) * 1000
      from generate_series(1, ${count}::int) n`);

describe('pruning', () => {
  it('drops what is over, however much, and nothing that counts', async () => {
    await add('over', 1200, -2);
    await add('counts', 2, 15);
    expect(await rows.prune()).toBe(1200);
    expect(await keys()).toEqual(['counts1', 'counts2']);
    expect(await rows.prune()).toBe(0);
  });

  it('by two at once drops each once', async () => {
    await add('over', 1200, -2);
    const [one, other] = await Promise.all([rows.prune(), rows.prune()]);
    expect(one + other).toBe(1200);
  });
});
