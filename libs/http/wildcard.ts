import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiParam } from '@nestjs/swagger';

export const WILDCARD_EXTENSION = 'x-wildcard';
/** What the document generator calls a wildcard. */
export const GENERATED_WILDCARD = 'path';

/** Names the rest of the path, slashes included, that a route ending in `*` takes. */
export const ApiWildcard = (name: string, example: string): MethodDecorator =>
  applyDecorators(
    ApiExtension(WILDCARD_EXTENSION, name),
    ApiParam({ name: GENERATED_WILDCARD, type: String, example }),
  );
