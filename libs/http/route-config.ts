import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';

/** Adds to what is known of a route while no guard has seen the request: in hooks, and when it is refused there. */
export const addRouteConfig =
  (config: Partial<FastifyContextConfig>): MethodDecorator =>
  (target, key, descriptor: PropertyDescriptor) => {
    const before = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, descriptor.value as object) as
      object | undefined;
    RouteConfig({ ...before, ...config })(target, key, descriptor);
  };
