import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import { addRouteConfig } from './route-config';

/** Who may call a route. The guards enforce it and the OpenAPI document shows it. */
export interface AccessRule {
  /**
   * `public`: no credential is needed and a bad one is ignored · `optional`: a good one adds data, a bad one
   * is refused · `member`: signed in · `secret`: the service secret.
   */
  readonly who: 'public' | 'optional' | 'member' | 'secret';
  /** One of these roles is needed; any role when absent. */
  readonly roles?: readonly string[];
  /** With this query parameter the route is for anyone, as if it were `optional`. */
  readonly optionalWith?: string;
  /** A page about one object, to which a token in the query or the object's own cookie counts too. */
  readonly embed?: 'content' | 'collection';
  /** A public route whose answer depends on who asks, so that a good credential counts. */
  readonly caller?: boolean;
  /** Not counted against the request rates: what operators' machines ask for. */
  readonly unmetered?: boolean;
  /** Stays open to a member whose address is not verified yet. */
  readonly pending?: boolean;
  /** A write that stays open to a banned member. */
  readonly banned?: boolean;
}

export const ACCESS = 'access';
export const ACCESS_EXTENSION = 'x-access';

const access = (rule: AccessRule, ...docs: MethodDecorator[]): MethodDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, rule),
    addRouteConfig({ access: rule }),
    ApiExtension(ACCESS_EXTENSION, rule),
    ...docs,
  );

// Made anew for each route: the decorators remember where they stood before.
const anonymousOrBearer = (): MethodDecorator[] => [ApiSecurity({}), ApiBearerAuth()];

/** One of these stands on every route; the application does not start without. */
export const Access = {
  public: (options: Pick<AccessRule, 'caller' | 'unmetered'> = {}): MethodDecorator =>
    access({ who: 'public', ...options }, ...(options.caller ? anonymousOrBearer() : [])),
  /** A page about the object of this kind whose id is in the path. */
  embed: (embed: AccessRule['embed']): MethodDecorator =>
    access({ who: 'public', caller: true, embed }, ...anonymousOrBearer()),
  optional: (options: Pick<AccessRule, 'banned'> = {}): MethodDecorator =>
    access({ who: 'optional', ...options }, ...anonymousOrBearer()),
  /** Signed in, save for requests with the query parameter. */
  memberUnless: (optionalWith: string): MethodDecorator =>
    access({ who: 'member', optionalWith }, ...anonymousOrBearer()),
  member: (options: Pick<AccessRule, 'pending' | 'banned'> = {}): MethodDecorator =>
    access({ who: 'member', ...options }, ApiBearerAuth()),
  role: (...roles: string[]): MethodDecorator => access({ who: 'member', roles }, ApiBearerAuth()),
  serviceSecret: (): MethodDecorator => access({ who: 'secret' }, ApiSecurity('serviceSecret')),
};
