import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '#libs/testing';

interface Outcome {
  code: number;
  json: any;
  messages: string;
}

let database: TestDatabase;
const dataDir = mkdtempSync(join(tmpdir(), 'community-cli-'));

const cli = (...words: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: dataDir };
    execFile(process.execPath, ['dist/src/cli.js', ...words], { env }, (error, stdout, messages) => {
      const code = error ? Number(error.code) : 0;
      resolve({ code, json: stdout === '' ? undefined : JSON.parse(stdout), messages });
    });
  });

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('makes a platform with its admin, lists it and changes it', async () => {
  const made = await cli(
    ...['platform', 'create', '--name', 'Harbour', '--slug', 'harbour', '--admin-email', 'a@harbour.test'],
    ...[
      '--admin-password',
      'correct horse battery',
      '--homepage-url',
      'https://Harbour.test/',
      '--timezone',
      'Asia/Tokyo',
    ],
  );
  expect(made).toMatchObject({ code: 0, json: { platformId: 1, adminId: 1 } });
  expect((await cli('platform', 'list')).json).toEqual([
    { id: 1, name: 'Harbour', slug: 'harbour', homepageUrl: 'https://Harbour.test/', timezone: 'Asia/Tokyo' },
  ]);
  const changed = await cli(
    'platform',
    'set',
    '1',
    '--json',
    '{"showTeasers":false,"primaryColor":"#0b3d5c"}',
  );
  expect(changed.json).toMatchObject({ primaryColor: '#0b3d5c', settings: { showTeasers: false } });
});

it('refuses what the API would refuse, and makes nothing half', async () => {
  const weak = await cli(
    ...[
      'platform',
      'create',
      '--name',
      'Weak',
      '--slug',
      'weak',
      '--admin-email',
      'a@weak.test',
      '--admin-password',
      'short',
    ],
  );
  expect(weak.code).toBe(1);
  expect(weak.messages).toContain('password: must have 8 to 128 characters');
  const taken = await cli(
    ...['platform', 'create', '--name', 'Other', '--slug', 'other', '--admin-email', 'a@other.test'],
    ...['--admin-password', 'correct horse battery', '--homepage-url', 'http://HARBOUR.test'],
  );
  expect(taken.code).toBe(1);
  expect(taken.messages).toContain('homepageUrl: taken');
  expect((await cli('platform', 'list')).json).toHaveLength(1);
  expect((await cli('platform', 'set', '1', '--json', '{"nope":1}')).messages).toContain('nope');
  expect((await cli('platform', 'set', 'x', '--json', '{}')).code).toBe(1);
});

it('makes users and resets their passwords', async () => {
  const made = await cli(
    'user',
    'create',
    '--platform',
    '1',
    '--email',
    'b@harbour.test',
    '--name',
    'B',
    '--role',
    'free',
  );
  expect(made).toMatchObject({ code: 0, json: { userId: expect.any(Number) } });
  const again = await cli(
    'user',
    'create',
    '--platform',
    '1',
    '--email',
    'B@harbour.test',
    '--name',
    'B',
    '--role',
    'free',
  );
  expect(again.messages).toContain('email: taken');
  const reset = [
    'user',
    'reset-password',
    '--platform',
    '1',
    '--password',
    'another long password',
    '--email',
  ];
  const { userId } = made.json;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    `insert into sign_in_failures ("UserId", passwords, codes, "codesStoppedUntil")
     values (${userId}, 100, 100, now() + interval '1 day');
     insert into password_resets ("PlatformId", "UserId", digest, "expiresAt")
     values (1, ${userId}, 'digest', now() + interval '1 hour')`,
  );
  expect((await cli(...reset, 'b@harbour.test')).json).toEqual(made.json);
  const { rows } = await client.query(
    `select "usedAt" is not null as void, (select count(*)::int from sign_in_failures) as failures
       from password_resets`,
  );
  await client.end();
  // The owner may sign in again, and a link that someone asked for before is void.
  expect(rows).toEqual([{ void: true, failures: 0 }]);
  expect((await cli(...reset, 'nobody@harbour.test')).code).toBe(1);
});

it('tells of migrations and of what the service needs', async () => {
  expect((await cli('migrate', 'status')).json).toMatchObject({ pending: [] });
  expect((await cli('migrate', 'sideways')).code).toBe(1);
  const { code, json } = await cli('doctor');
  expect(code).toBe(0);
  expect(json.checks.map(({ name }: { name: string }) => name).toSorted()).toEqual(
    ['clock', 'database', 'mail', 'migrations', 'queue', 'secrets'].toSorted(),
  );
});

it('prints the document that is committed', async () => {
  expect((await cli('openapi')).json).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
});
