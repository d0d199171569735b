import { Global, Module } from '@nestjs/common';
import { PublicReads } from './public-reads';
import { StampsRepository } from './stamps.repository';

/** For the interceptor of `@PublicRead()`, which any domain's routes may carry. */
@Global()
@Module({ providers: [StampsRepository, PublicReads], exports: [PublicReads] })
export class PublicReadsModule {}
