import './operations/process/source-maps';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadSettings } from '#libs/config';
import { Entrance } from '#libs/http';
import { seedDemo } from './operations/demo/seed-demo';
import { createApp } from './http-app';
import { endOnSignal, type Running } from './operations/process/lifecycle';
import { exitWithoutDatabase, explainFailure, openResources } from './operations/process/resources';
import { printWelcome } from './operations/demo/welcome';

/** The API. With WORKER=inline it does the background work as well. */
async function main(): Promise<void> {
  const settings = loadSettings();
  const entrance = new Entrance();
  // Liveness is told while the database is waited for. And what the demo shows once, its passwords, is shown only
  // by a process that serves.
  await entrance.listen(settings.PORT, settings.HOST);
  const running: Running = { entrance, delayMs: settings.SHUTDOWN_DELAY_MS };
  endOnSignal(running);
  const resources = await openResources({ settings, onLost: exitWithoutDatabase });
  const { logger, close } = resources;
  Object.assign(running, { logger, close });
  let app: NestFastifyApplication | undefined;
  try {
    app = await createApp(resources, logger, entrance);
    await app.init();
    const demo = settings.DEMO && resources.database.embedded ? await seedDemo(app) : null;
    await app.getHttpAdapter().getInstance().ready();
    running.app = app;
    logger.info(`Listening on ${entrance.url}`);
    if (settings.DEMO) printWelcome(settings, entrance.url, demo);
  } catch (error) {
    await app?.close();
    await close();
    throw error;
  }
}

main().catch((error: unknown) => process.exit(explainFailure(error)));
