import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadSettings, Settings } from '#libs/config';
import { createHttpApp, InHand, RateLimits } from '#libs/http';
import { createLogger } from '#libs/logging';
import { testLogFile } from '#libs/testing';

/** What stands in front of every route, around one controller of a test's own: no domain, no database, no rates. */
export function bareApp(
  controller: Type,
  env: Record<string, string> = {},
  allowsOrigin: () => Promise<boolean> = async () => false,
): Promise<NestFastifyApplication> {
  const settings = loadSettings({
    NODE_ENV: 'test',
    DATA_DIR: mkdtempSync(join(tmpdir(), 'community-bare-')),
    MAX_EVENT_LOOP_DELAY_MS: '0',
    ...env,
  });
  const providers = [
    InHand,
    { provide: Settings, useValue: settings },
    { provide: RateLimits, useValue: { apply: () => false } },
  ];
  return createHttpApp(
    { module: class {}, controllers: [controller], providers },
    { settings, logger: createLogger('silent', testLogFile()), senderOf: () => null, allowsOrigin },
  );
}
