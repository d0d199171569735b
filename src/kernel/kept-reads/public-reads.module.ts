import { Global, Module } from '@nestjs/common';
import { PublicReads } from './public-reads';
import { StampCheck } from './stamp-check';
import { StampsRepository } from './stamps.repository';

/** For the interceptor of `@PublicRead()`, which any domain's routes may carry. */
@Global()
@Module({ providers: [StampsRepository, StampCheck, PublicReads], exports: [PublicReads] })
export class PublicReadsModule {}
