import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { Database, PlatformRepository, sql } from '#libs/database';
import { NotFoundError } from '#libs/errors';
import { emailKey, searchKey } from '#libs/text';
import { Callers } from '../kernel/callers/callers';
import { User } from './user.entity';

export type NewUser = Pick<User, 'PlatformId' | 'email' | 'name' | 'role'> &
  Partial<Pick<User, 'status' | 'photoUrl' | 'bannerImageUrl' | 'notes' | 'passwordHash'>>;

const DELETED_NAME = 'Deleted user';

@Injectable()
export class UsersRepository extends PlatformRepository<User> {
  constructor(
    db: Database,
    private readonly clock: Clock,
    private readonly callers: Callers,
  ) {
    super(db, User);
  }

  /** @throws NotFoundError for a deleted user too */
  override async get(platformId: number, id: number): Promise<User> {
    return notDeleted(await super.get(platformId, id));
  }

  override async lock(platformId: number, id: number): Promise<User> {
    return notDeleted(await super.lock(platformId, id));
  }

  async findByEmail(platformId: number, email: string): Promise<User | null> {
    const user = await this.db.row<User>(sql`
      select * from users
       where "PlatformId" = ${platformId} and "emailKey" = ${emailKey(email)} and "deletedAt" is null`);
    return user ?? null;
  }

  async create(user: NewUser): Promise<User> {
    const { id } = await this.insert({ ...user, ...keysOf(user) });
    return super.get(user.PlatformId, id);
  }

  async change(user: User, changes: Partial<User>): Promise<User> {
    this.callers.forget(user.id);
    await this.update(user.PlatformId, user.id, {
      ...changes,
      ...keysOf(changes),
      updatedAt: this.clock.now(),
    });
    return super.get(user.PlatformId, user.id);
  }

  /** What is personal goes, the address is free again, and what they wrote stays with a nameless author. */
  async anonymise({ PlatformId, id }: User): Promise<void> {
    this.callers.forget(id);
    const now = this.clock.now();
    await this.update(PlatformId, id, {
      email: null,
      emailKey: null,
      name: DELETED_NAME,
      nameKey: searchKey(DELETED_NAME),
      photoUrl: null,
      bannerImageUrl: null,
      notes: null,
      passwordHash: null,
      banReason: null,
      deletedAt: now,
      updatedAt: now,
    });
    await this.db.execute(sql`delete from one_time_codes where "UserId" = ${id}`);
    await this.voidMailed(id);
  }

  /** Codes and links that were mailed count no longer: the address or the password is another now. */
  async voidMailed(id: number): Promise<void> {
    const now = this.clock.now();
    await this.db.execute(sql`
      update one_time_codes set "usedAt" = ${now} where "UserId" = ${id} and "usedAt" is null`);
    await this.db.execute(sql`
      update password_resets set "usedAt" = ${now} where "UserId" = ${id} and "usedAt" is null`);
  }

  /** Locks the platform's admins, so that of two demotions at once one sees the other. */
  async activeAdminIds(platformId: number): Promise<number[]> {
    const rows = await this.db.rows<{ id: number }>(sql`
      select id from users
       where "PlatformId" = ${platformId} and role = 'admin' and status = 'active'
         and "deletedAt" is null and ("bannedAt" is null or "bannedUntil" <= ${this.clock.now()})
       order by id for update`);
    return rows.map(({ id }) => id);
  }

  async accessTags({ PlatformId, id }: User): Promise<{ id: number; title: string }[]> {
    return this.db.rows(sql`
      select t.id, t.title from user_access_tags ut
        join access_tags t on t.id = ut."AccessTagId"
       where ut."PlatformId" = ${PlatformId} and ut."UserId" = ${id}
         and (ut."expiresAt" is null or ut."expiresAt" > ${this.clock.now()})
       order by t.id`);
  }
}

function notDeleted(user: User): User {
  if (user.deletedAt) throw new NotFoundError();
  return user;
}

const keysOf = ({ email, name }: Partial<User>): Partial<User> => ({
  ...(email != null && { emailKey: emailKey(email) }),
  ...(name !== undefined && { nameKey: searchKey(name) }),
});
