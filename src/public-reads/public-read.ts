import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

export const PUBLIC_READ = 'public-read';

/**
 * A read whose answers to anonymous readers are kept until something that they show changes on the platform:
 * the one that the path or query names as `PlatformId`, else the one in the answer.
 */
export const PublicRead = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(PUBLIC_READ, true),
    ApiResponse({ status: 304, description: 'What `If-None-Match` names is still right.' }),
  );
