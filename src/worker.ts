import './operations/process/source-maps';
import { NestFactory } from '@nestjs/core';
import { NestLogger } from '#libs/logging';
import { endOnSignal, type Running } from './operations/process/lifecycle';
import { exitWithoutDatabase, explainFailure, openResources } from './operations/process/resources';
import { WorkerModule } from './worker.module';

/** Background work as a process of its own: start as many as there is work. */
async function main(): Promise<void> {
  const running: Running = {};
  endOnSignal(running);
  const resources = await openResources({ onLost: exitWithoutDatabase });
  const { logger, close } = resources;
  Object.assign(running, { logger, close });
  try {
    running.app = await NestFactory.createApplicationContext(WorkerModule.forRoot(resources), {
      logger: new NestLogger(logger),
      abortOnError: false,
    });
    logger.info('Worker ready');
  } catch (error) {
    await close();
    throw error;
  }
}

main().catch((error: unknown) => process.exit(explainFailure(error)));
