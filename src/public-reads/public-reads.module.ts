import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { PublicReads } from './public-reads';
import { PublicReadsInterceptor } from './public-reads.interceptor';
import { StampsRepository } from './stamps.repository';

@Module({
  providers: [StampsRepository, PublicReads, { provide: APP_INTERCEPTOR, useClass: PublicReadsInterceptor }],
})
export class PublicReadsModule {}
