import { Processor } from '@nestjs/bullmq';
import { handle, type Handlers, JobProcessor, JobRunner } from '#libs/queue';
import { SEND_CHANGE_EMAIL, SEND_CODE, SEND_FIRST_CODE, SEND_RESET, SIGN_UP } from './auth.queue';
import { AccountService } from './account.service';
import { ResetService } from './reset.service';
import { SignUpService } from './sign-up.service';

@Processor(SEND_CODE.queue, { concurrency: 4 })
export class AuthProcessor extends JobProcessor {
  readonly handlers: Handlers = new Map([
    handle(SEND_CODE, (address) => this.signUp.sendCode(address)),
    handle(SEND_RESET, (address) => this.resets.send(address)),
    handle(SEND_CHANGE_EMAIL, (wish) => this.account.sendCode(wish)),
    handle(SEND_FIRST_CODE, (signUps) => this.signUp.sendFirstCodes(signUps)),
    handle(SIGN_UP, (address) => this.signUp.complete(address)),
  ]);

  constructor(
    runner: JobRunner,
    private readonly signUp: SignUpService,
    private readonly resets: ResetService,
    private readonly account: AccountService,
  ) {
    super(runner);
  }
}
