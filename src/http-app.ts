import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApp, type Entrance } from '#libs/http';
import type { Logger } from '#libs/logging';
import { AppModule } from './app.module';
import type { Resources } from './operations/process/core.module';
import { Origins } from './kernel/origins/origins';
import { Senders } from './sessions/senders';

/** The API of this service over the opened resources, for the entry and for tests. */
export const createApp = (
  resources: Resources,
  logger: Logger,
  entrance?: Entrance,
): Promise<NestFastifyApplication> =>
  createHttpApp(AppModule.forRoot(resources), {
    settings: resources.settings,
    logger,
    entrance,
    senderOf: (app, request) => app.get(Senders).of(request),
    // Of a caller, the platform decides from where they are called; what anybody is told, the pages of all may read.
    allowsOrigin: (app, origin, request) => app.get(Origins).isAllowed(origin, request?.caller?.platformId),
  });
