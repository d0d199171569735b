import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS } from './access';

const ROUTE_PATH = 'path';

/** A route that does not say who may call it stops the application from starting. */
@Injectable()
export class AccessCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype, instance }) =>
      this.scanner
        .getAllMethodNames(Object.getPrototypeOf(instance) as object)
        .map((name) => ({
          name: `${metatype?.name}.${name}`,
          handler: (instance as Record<string, object>)[name],
        }))
        .filter(
          ({ handler }) =>
            handler && Reflect.hasMetadata(ROUTE_PATH, handler) && !Reflect.hasMetadata(ACCESS, handler),
        ),
    );
    if (open.length > 0) {
      throw new Error(`Routes without @Access: ${open.map(({ name }) => name).join(', ')}`);
    }
  }
}
