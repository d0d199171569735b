import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';

/**
 * Documents when a route refuses for a reason of its own. What every route can answer, or what follows from
 * its access and its input, the document says by itself.
 */
export const Refuses = (
  reasons: Partial<Record<400 | 401 | 403 | 404 | 409 | 503, string>>,
): MethodDecorator =>
  applyDecorators(
    ...Object.entries(reasons).map(([status, description]) =>
      ApiResponse({ status: Number(status), description }),
    ),
  );
