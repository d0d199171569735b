import { Injectable } from '@nestjs/common';
import { Periodic } from '#libs/queue';
import { KeptAnswersRepository } from './kept-answers.repository';

/** Forgets kept answers once their time is over. */
@Injectable()
export class ForgetAnswers extends Periodic {
  protected override readonly everyMs = 60_000;

  constructor(private readonly answers: KeptAnswersRepository) {
    super();
  }

  protected override async work(): Promise<void> {
    await this.answers.prune();
  }
}
