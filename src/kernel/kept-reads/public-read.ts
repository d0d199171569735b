import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { LARGE, PublicReadsInterceptor } from './public-reads.interceptor';

/**
 * A read whose answers to anonymous readers are kept until something that they show changes on the platform:
 * the one that the path or query names as `PlatformId`, else the one in the answer.
 * @param size `large` when an answer may have many megabytes: few of them are made at a time, for whomever
 */
export const PublicRead = (size?: 'large'): MethodDecorator =>
  applyDecorators(
    SetMetadata(LARGE, size === 'large'),
    UseInterceptors(PublicReadsInterceptor),
    ApiResponse({ status: 304, description: 'What `If-None-Match` names is still right.' }),
  );
