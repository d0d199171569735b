import { Injectable } from '@nestjs/common';
import { NotFoundError } from '#libs/errors';
import type { Caller } from '../kernel/callers/caller';
import type { EndedSessionDto, EndedSessionsDto, SessionDto, SignOutAllDto } from './dto/session.dto';
import type { Session } from './session.entity';
import { SessionsRepository } from './sessions.repository';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where someone is signed in. */
@Injectable()
export class SessionsService {
  constructor(private readonly sessions: SessionsRepository) {}

  async list(caller: Caller): Promise<SessionDto[]> {
    const open = await this.sessions.openOf(caller.userId);
    return open.map((session) => present(session, caller.sessionId));
  }

  async end({ userId }: Caller, id: string): Promise<EndedSessionDto> {
    if (!UUID.test(id) || !(await this.sessions.endOf(userId, id))) throw new NotFoundError();
    return { message: 'Session ended.', id };
  }

  async endAll({ userId, sessionId }: Caller, { keepCurrent }: SignOutAllDto): Promise<EndedSessionsDto> {
    const count = await this.sessions.endAllOf(userId, keepCurrent ? sessionId : null);
    return { message: 'Signed out.', count };
  }

  /** Ends a session whose holder is known, and those that were made from it. */
  async signOut(id: string, userId: number): Promise<void> {
    await this.sessions.end(id, userId);
  }

  /** @param exceptId a session that goes on, and with it those that were made from it */
  async endAllOf(userId: number, exceptId: string | null = null): Promise<void> {
    await this.sessions.endAllOf(userId, exceptId);
  }

  openedAt(id: string): Promise<Date | null> {
    return this.sessions.openedAt(id);
  }

  /** From where the user was signed in is known no longer. */
  async forgetPlacesOf(userId: number): Promise<void> {
    await this.sessions.forgetPlacesOf(userId);
  }
}

const present = (session: Session, currentId: string): SessionDto => ({
  id: session.id,
  kind: session.kind,
  createdAt: session.createdAt,
  lastSeenAt: session.lastSeenAt,
  ip: session.ip,
  userAgent: session.userAgent,
  current: session.id === currentId,
  expiresAt: session.expiresAt,
});
