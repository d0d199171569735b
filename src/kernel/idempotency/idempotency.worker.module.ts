import { Module } from '@nestjs/common';
import { ForgetAnswers } from './forget-answers';
import { KeptAnswersRepository } from './kept-answers.repository';

@Module({ providers: [KeptAnswersRepository, ForgetAnswers] })
export class IdempotencyWorkerModule {}
