import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor';
import { KeptAnswers } from './kept-answers';
import { KeptAnswersRepository } from './kept-answers.repository';

/** Writes that can be repeated, on every route for signed-in callers. */
@Module({
  providers: [
    KeptAnswersRepository,
    KeptAnswers,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class IdempotencyModule {}
