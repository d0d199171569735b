import { applyDecorators, Header } from '@nestjs/common';

// When the interface marked its old names (RFC 9745: a date as seconds since 1970).
const SINCE = '@1767225600';

/** An old name of a route: the answer names the one to use. `@deprecated` in the handler's comment documents it. */
export const Deprecated = (successor: string): MethodDecorator =>
  applyDecorators(Header('deprecation', SINCE), Header('link', `<${successor}>; rel="successor-version"`));
