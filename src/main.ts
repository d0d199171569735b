import './source-maps';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { seedDemo } from './demo/seed-demo';
import { createApp } from './http-app';
import { endOnSignal } from './lifecycle';
import { exitWithoutDatabase, explainFailure, openResources } from './resources';
import { printWelcome } from './demo/welcome';

/** The API. With WORKER=inline it does the background work as well. */
async function main(): Promise<void> {
  const resources = await openResources({ onLost: exitWithoutDatabase });
  const { settings, logger, close } = resources;
  let app: NestFastifyApplication | undefined;
  try {
    // Before the demo is made: its passwords are shown once, and only by a process that serves.
    await requireFreePort(settings.PORT, settings.HOST);
    app = await createApp(resources, logger);
    await app.init();
    const demo = settings.DEMO && resources.database.embedded ? await seedDemo(app) : null;
    await app.listen(settings.PORT, settings.HOST);
    endOnSignal({ app, logger, close });
    logger.info(`Listening on ${await app.getUrl()}`);
    if (settings.DEMO) printWelcome(settings, await app.getUrl(), demo);
  } catch (error) {
    await app?.close();
    await close();
    throw error;
  }
}

/** @throws Error EADDRINUSE */
async function requireFreePort(port: number, host: string): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

main().catch((error: unknown) => process.exit(explainFailure(error)));
