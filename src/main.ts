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

main().catch((error: unknown) => process.exit(explainFailure(error)));
