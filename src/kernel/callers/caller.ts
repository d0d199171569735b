import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { UnauthorizedError, ValidationError } from '#libs/errors';
import { isStaffRole, type Role } from './roles';

export type SessionKind = 'password' | 'otp' | 'minted' | 'created' | 'embed';

/** Who calls, as the database knows them at this moment: nothing here comes from the token's claims. */
export interface Caller {
  readonly userId: number;
  readonly platformId: number;
  readonly role: Role;
  readonly pending: boolean;
  readonly banned: boolean;
  readonly sessionId: string;
  readonly kind: SessionKind;
  /** The only thing that an embed session is good for, such as `content:41`. */
  readonly object?: string | null;
  /** An embed session that is good for nothing but to be exchanged, once, for another. */
  readonly ticket?: boolean;
}

/** Who looks at something; null is an anonymous visitor. */
export type Viewer = Caller | null;

/** Staff of a platform are its admins and creators. */
export const isStaff = (viewer: Viewer): boolean => viewer !== null && isStaffRole(viewer.role);
export const isAdmin = (viewer: Viewer): boolean => viewer?.role === 'admin';

/** People change what is theirs, admins everything. */
export const isSelfOrAdmin = (caller: Caller, userId: number | null): boolean =>
  isAdmin(caller) || caller.userId === userId;

/** A member of the platform who is in no group and holds no tag: what they find is there for every member. */
export const anyMember = (platformId: number): Caller => ({
  userId: 0,
  platformId,
  role: 'free',
  pending: false,
  banned: false,
  sessionId: '',
  kind: 'password',
});

/** The viewer as a platform sees them: someone of another platform is a stranger. */
export const viewerOn = (platformId: number, viewer: Viewer): Viewer =>
  viewer?.platformId === platformId ? viewer : null;

/**
 * The platform whose list is asked for: the one that is named, else the viewer's.
 * @throws ValidationError when neither says
 */
export function listedPlatform(viewer: Viewer, named: number | undefined): number {
  const platformId = named ?? viewer?.platformId;
  if (platformId === undefined) throw ValidationError.of('PlatformId', 'is required without a token');
  return platformId;
}

/** The signed-in caller of a route for members. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new UnauthorizedError();
  return caller;
});

/** Whoever looks, signed in or not. */
export const CurrentViewer = createParamDecorator(
  (_: unknown, context: ExecutionContext): Viewer =>
    context.switchToHttp().getRequest<FastifyRequest>().caller ?? null,
);
