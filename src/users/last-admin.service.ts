import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { User } from './user.entity';
import { LastAdminError } from './users.errors';
import { isActiveAdmin } from './users.policy';
import { UsersRepository } from './users.repository';

/** A platform without an admin could not be mended over HTTP. */
@Injectable()
export class LastAdminService {
  constructor(
    private readonly users: UsersRepository,
    private readonly clock: Clock,
  ) {}

  /** Before an admin is demoted, banned or deleted, in the same transaction. @throws LastAdminError */
  async keep(user: User): Promise<void> {
    if (!isActiveAdmin(user, this.clock.now())) return;
    const admins = await this.users.activeAdminIds(user.PlatformId);
    if (admins.every((id) => id === user.id)) throw new LastAdminError();
  }
}
