import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { OriginsModule } from '../kernel/origins/origins.module';
import { AccessGuard } from '../kernel/callers/access.guard';
import { Callers } from '../kernel/callers/callers';
import { IdentificationGuard } from '../kernel/callers/identification.guard';
import { JwtStrategy } from './jwt.strategy';
import { Senders } from './senders';
import { SessionsController } from './sessions.controller';
import { SessionsRepository } from './sessions.repository';
import { SessionsService } from './sessions.service';
import { TokenSignatures } from './token-signatures';
import { TokensService } from './tokens.service';

/** Who calls and what they may call. The guards run in this order: identify, judge. */
@Global()
@Module({
  imports: [JwtModule.register({}), PassportModule, OriginsModule],
  controllers: [SessionsController],
  providers: [
    SessionsService,
    SessionsRepository,
    TokensService,
    Callers,
    Senders,
    TokenSignatures,
    JwtStrategy,
    { provide: APP_GUARD, useClass: IdentificationGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [SessionsService, TokensService, Callers],
})
export class SessionsModule {}
