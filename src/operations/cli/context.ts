import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuditModule } from '../../kernel/audit/audit.module';
import { AuthModule } from '../../auth/auth.module';
import { CoreModule } from '../process/core.module';
import { PlatformsModule } from '../../platforms/platforms.module';
import { openResources } from '../process/resources';
import { SessionsModule } from '../../sessions/sessions.module';
import { UsersModule } from '../../users/users.module';

@Module({ imports: [SessionsModule, AuditModule, AuthModule, PlatformsModule, UsersModule] })
class CliModule {}

export interface Cli {
  get<Service>(type: Type<Service>): Service;
}

/** Runs a command with the service's own parts, on the database that the settings name or DATA_DIR holds. */
export async function withServices<Result>(work: (cli: Cli) => Promise<Result>): Promise<Result> {
  const resources = await openResources({ logTo: 'stderr' });
  let app: INestApplicationContext | undefined;
  try {
    const context = await NestFactory.createApplicationContext(
      { module: CliModule, imports: [CoreModule.forRoot(resources)] },
      { logger: false, abortOnError: false },
    );
    app = context;
    return await work({ get: (type) => context.get(type, { strict: false }) });
  } finally {
    await app?.close();
    await resources.close();
  }
}
