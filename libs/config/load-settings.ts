import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { ensureSecrets, SECRET_NAMES } from './secrets';
import { Settings } from './settings';

/** sysexits.h EX_CONFIG: the settings are wrong, so starting again will not help. */
export const EXIT_CONFIG = 78;

export class SettingsError extends Error {
  constructor(readonly faults: string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/**
 * Reads and checks the settings.
 * @throws SettingsError naming every fault at once
 */
export function loadSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => SETTING_NAMES.has(name)));
  const production = given.NODE_ENV === 'production';
  const faults = production ? productionFaults(given) : [];
  const made = production ? {} : madeSecrets(given, faults);
  const settings = plainToInstance(
    Settings,
    { ...derivedDefaults(given), ...made, ...known },
    { exposeDefaultValues: true },
  );
  const missing = new Set(SECRET_NAMES.filter((name) => given[name] === undefined && !(name in made)));
  const faulty = validateSync(settings, { stopAtFirstError: true });
  // What was not given follows from something else, whose fault is named already.
  const follows = (name: string): boolean =>
    name === 'PUBLIC_URL' &&
    given[name] === undefined &&
    faulty.some(({ property }) => property === 'PORT' || property === 'HOST');
  for (const { property, constraints } of faulty) {
    if (!missing.has(property as (typeof SECRET_NAMES)[number]) && !follows(property)) {
      faults.push(...Object.values(constraints ?? {}));
    }
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

const SETTING_NAMES = new Set([
  ...Object.keys(new Settings()),
  'DATABASE_URL',
  'REDIS_URL',
  'PUBLIC_URL',
  'SMTP_URL',
  'WORKER',
  'DEMO',
  'SHUTDOWN_DELAY_MS',
  'METRICS_TOKEN',
  ...SECRET_NAMES,
]);

function madeSecrets(env: NodeJS.ProcessEnv, faults: string[]): ReturnType<typeof ensureSecrets> {
  try {
    return ensureSecrets(env);
  } catch (error) {
    faults.push(`DATA_DIR cannot keep the secrets: ${(error as Error).message}`);
    return {};
  }
}

function derivedDefaults(env: NodeJS.ProcessEnv): Partial<Record<keyof Settings, string>> {
  const embedded = env.DATABASE_URL === undefined;
  const { HOST: host = '127.0.0.1', PORT: port = '3000' } = env;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    // Port 0 lets the system choose one, which no link can name.
    PUBLIC_URL: port === '0' ? `http://${name}` : `http://${name}:${port}`,
    SHUTDOWN_DELAY_MS: env.NODE_ENV === 'production' ? '2000' : '0',
    WORKER: embedded ? 'inline' : 'off',
    DEMO: embedded && env.NODE_ENV !== 'production' && env.NODE_ENV !== 'test' ? 'on' : 'off',
  };
}

function productionFaults(env: NodeJS.ProcessEnv): string[] {
  const faults = SECRET_NAMES.filter((name) => env[name] === undefined).map(
    (name) => `${name} is required in production`,
  );
  if (env.RATE_LIMITS === 'off') faults.push('RATE_LIMITS=off is refused in production');
  if (env.DEMO === 'on') faults.push('DEMO=on is refused in production');
  if (env.SMTP_URL === undefined) {
    faults.push('SMTP_URL is required in production: mail would only be written to DATA_DIR/mail');
  }
  return faults;
}
