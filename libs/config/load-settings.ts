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
  const settings = plainToInstance(
    Settings,
    { ...derivedDefaults(given), ...(production ? {} : ensureSecrets(given)), ...known },
    { exposeDefaultValues: true },
  );
  const missing = new Set(production ? SECRET_NAMES.filter((name) => given[name] === undefined) : []);
  for (const { property, constraints } of validateSync(settings)) {
    if (!missing.has(property as (typeof SECRET_NAMES)[number])) {
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
  'METRICS_TOKEN',
  ...SECRET_NAMES,
]);

function derivedDefaults(env: NodeJS.ProcessEnv): Partial<Record<keyof Settings, string>> {
  const embedded = env.DATABASE_URL === undefined;
  return {
    PUBLIC_URL: `http://${env.HOST ?? '127.0.0.1'}:${env.PORT ?? '3000'}`,
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
