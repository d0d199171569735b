import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadSettings, type Settings, SettingsError } from './index';

const SECRETS = ['JWT_SECRET', 'SERVICE_SECRET', 'COOKIE_SECRET', 'ENCRYPTION_KEY'] as const;
const LONG = 'x'.repeat(32);

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const load = (env: Record<string, string> = {}): Settings => loadSettings({ DATA_DIR: dataDir, ...env });

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    load(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
};

const secretsOf = (settings: Settings): string[] => SECRETS.flatMap((name) => settings[name]);

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/app',
  SMTP_URL: 'smtp://mail',
  ...Object.fromEntries(SECRETS.map((name) => [name, `${name}-${LONG}`])),
};

describe('defaults', () => {
  it('are those of a newcomer: everything embedded, worker and demo included', () => {
    expect(load()).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://127.0.0.1:3000',
      WORKER: 'inline',
      DEMO: true,
      RATE_LIMITS: true,
      MAX_EVENT_LOOP_DELAY_MS: 500,
      TOKEN_HEADER_NAME: 'token',
      LOG_LEVEL: 'info',
      CORS_ORIGINS: [],
      TRUST_PROXY: [],
      embedded: true,
      production: false,
    });
  });

  it('follow from the database and the address', () => {
    expect(load({ DATABASE_URL: 'postgres://db/app' })).toMatchObject({
      WORKER: 'off',
      DEMO: false,
      embedded: false,
    });
    expect(load({ NODE_ENV: 'test' }).DEMO).toBe(false);
    expect(load({ PORT: '8080', HOST: '0.0.0.0' }).PUBLIC_URL).toBe('http://0.0.0.0:8080');
    expect(load({ PORT: '0' })).toMatchObject({ PORT: 0, PUBLIC_URL: 'http://127.0.0.1' });
    expect(load({ HOST: '::1' }).PUBLIC_URL).toBe('http://[::1]:3000');
  });

  it('stand for what is set to nothing', () => {
    expect(load({ PORT: '', HOST: ' ', DATABASE_URL: '', JWT_SECRET: '' })).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      embedded: true,
    });
  });

  it('are not touched by the rest of the environment', () => {
    expect(Object.keys(load({ embedded: 'no', PATH: '/bin', constructor: 'x' }))).not.toContain('PATH');
    expect(load({ embedded: 'no' }).embedded).toBe(true);
  });
});

describe('faults', () => {
  it('are all reported at once', () => {
    const faults = faultsOf({
      PORT: 'eighty',
      DATABASE_URL: 'mysql://db',
      REDIS_URL: 'localhost',
      PUBLIC_URL: 'ftp://x',
      SMTP_URL: 'mail.example.org',
      MAIL_FROM: 'nobody',
      WORKER: 'yes',
      RATE_LIMITS: 'false',
      LOG_LEVEL: 'loud',
      TOKEN_HEADER_NAME: 'a b',
      CORS_ORIGINS: 'https://ok.test,https://path.test/x',
      TRUST_PROXY: '10.0.0.0/8,somewhere',
      RATE_LIMIT_EXEMPT: '10.0.0.0/64',
      DEMO: '1',
      MAX_EVENT_LOOP_DELAY_MS: '-1',
      METRICS_TOKEN: 'short',
      JWT_SECRET: 'short',
      COOKIE_SECRET: `${LONG},${LONG},${LONG}`,
    });
    const names = faults.map((fault) => fault.split(' ')[0] ?? '');
    expect([...new Set(names)].toSorted()).toEqual(
      [
        'PORT',
        'DATABASE_URL',
        'REDIS_URL',
        'PUBLIC_URL',
        'SMTP_URL',
        'MAIL_FROM',
        'WORKER',
        'RATE_LIMITS',
        'LOG_LEVEL',
        'TOKEN_HEADER_NAME',
        'CORS_ORIGINS',
        'TRUST_PROXY',
        'RATE_LIMIT_EXEMPT',
        'DEMO',
        'MAX_EVENT_LOOP_DELAY_MS',
        'METRICS_TOKEN',
        'JWT_SECRET',
        'COOKIE_SECRET',
      ].toSorted(),
    );
    expect(() => load({ PORT: 'eighty', DEMO: '1' })).toThrow(/The settings are not valid:\n {2}- PORT .*\n/);
    expect(faults.join()).not.toContain('short');
  });

  it.each([
    [{ PORT: '65536' }, 'PORT'],
    [{ PORT: '-1' }, 'PORT'],
    [{ PORT: '80.5' }, 'PORT'],
    [{ JWT_SECRET: 'x'.repeat(31) }, 'JWT_SECRET'],
    [{ JWT_SECRET: `${LONG},short` }, 'JWT_SECRET'],
    [{ CORS_ORIGINS: '*' }, 'CORS_ORIGINS'],
    [{ CORS_ORIGINS: 'null' }, 'CORS_ORIGINS'],
  ])('%j names %s', (env, name) => {
    expect(faultsOf(env as Record<string, string>)).toEqual([expect.stringMatching(`^${name} `)]);
  });

  it('are told when DATA_DIR cannot be used', () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    expect(faultsOf({ DATA_DIR: file, PORT: 'x' })).toEqual([
      expect.stringMatching(/^DATA_DIR .*file/),
      expect.stringMatching(/^PORT /),
    ]);
  });
});

describe('production', () => {
  it('is content with what it needs, and invents nothing', () => {
    expect(load(PRODUCTION)).toMatchObject({ production: true, RATE_LIMITS: true, DEMO: false });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('needs every secret and a mail server, keeps the rates on and has no demo: all said at once', () => {
    expect(faultsOf({ NODE_ENV: 'production', RATE_LIMITS: 'off', DEMO: 'on' })).toEqual([
      ...SECRETS.map((name) => `${name} is required in production`),
      'RATE_LIMITS=off is refused in production',
      'DEMO=on is refused in production',
      'SMTP_URL is required in production: mail would only be written to DATA_DIR/mail',
    ]);
    expect(faultsOf({ ...PRODUCTION, JWT_SECRET: 'short', PORT: 'x' })).toHaveLength(2);
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe('secrets', () => {
  it('are made once, for the owner only, and stay', () => {
    const first = load();
    const file = join(dataDir, 'secrets.json');
    expect(readdirSync(dataDir)).toEqual(['secrets.json']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(new Set(secretsOf(first)).size).toBe(4);
    for (const secret of secretsOf(first)) expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32);
    expect(secretsOf(load())).toEqual(secretsOf(first));
    expect(Object.values(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual(secretsOf(first));
  });

  it('that are given win over those that were made', () => {
    const made = load();
    const given = load({ JWT_SECRET: LONG });
    expect(given.JWT_SECRET).toEqual([LONG]);
    expect(given.COOKIE_SECRET).toEqual(made.COOKIE_SECRET);
  });

  it('are the same in processes that start at the same moment', async () => {
    const script = `
      const { loadSettings } = require(${JSON.stringify(join(__dirname, 'index.js'))});
      const { JWT_SECRET, ENCRYPTION_KEY } = loadSettings();
      console.log(JSON.stringify([JWT_SECRET, ENCRYPTION_KEY]));`;
    const run = promisify(execFile);
    const printed = await Promise.all(
      [1, 2, 3, 4].map(() =>
        run(process.execPath, ['-e', script], { env: { ...process.env, DATA_DIR: dataDir } }),
      ),
    );
    expect(new Set(printed.map(({ stdout }) => stdout)).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(['secrets.json']);
  });

  it('rotate by two values, of which the first counts first', () => {
    const [fresh, old] = ['n'.repeat(32), 'o'.repeat(32)];
    expect(load({ JWT_SECRET: `${fresh}, ${old}` }).JWT_SECRET).toEqual([fresh, old]);
  });
});
