import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { PublicReadsInterceptor } from './public-reads.interceptor';

/**
 * A read whose answers to anonymous readers are kept until something that they show changes on the platform:
 * the one that the path or query names as `PlatformId`, else the one in the answer.
 */
export const PublicRead = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(PublicReadsInterceptor),
    ApiResponse({ status: 304, description: 'What `If-None-Match` names is still right.' }),
  );
