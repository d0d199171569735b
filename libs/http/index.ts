/**
 * What every route shares: who may call it (`Access`), what its input must be (`fields`, `RequestPipe`), how
 * lists are paged, how errors are answered (`ErrorFilter`), how much one client may ask (`RateLimits`), and the
 * OpenAPI document that tells of all this. `createHttpApp` puts it together over Fastify.
 */
import './request';

export { Access, ACCESS, type AccessRule } from './access';
export { AccessCheck } from './access-check';
export { type AddedOrEdited, ApiAddedOrEdited } from './add-or-edit';
export { refuseUnreadableBody } from './body-parser';
export { addressKey, shortenedIp } from './client-address';
export { ClearsCookie } from './clears-cookie';
export { DeletedDto } from './deleted.dto';
export type { Sender } from './count-requests';
export { type Cursor, cursorText, IsCursor } from './cursor';
export { Deprecated } from './deprecated';
export { Entrance } from './entrance';
export { MadeRefusal, refusalBody, refusalOf } from './error.filter';
export { UseErrorShapes } from './error-shapes';
export * from './fields';
export { ApiHtml, type HtmlAnswer, newNonce, sendHtml } from './html';
export { type Filters, IsFilters } from './filters';
export { createHttpApp } from './http-app';
export { IDEMPOTENCY_KEY, IDEMPOTENCY_REPLAYED } from './idempotency-headers';
export { InHand } from './in-hand';
export { NamedDto, TitledDto } from './named.dto';
export { openApiDocument } from './openapi';
export { offsetOf, type Page, PageDto, pageOf, PageQuery } from './page.query';
export { IdPath } from './path';
export { beginStream } from './places';
export { RateLimit, RateLimits } from './rate-limits';
export { Refuses } from './refuses';
export { warn } from './reply-headers';
export { currentIp, currentRequest } from './request-context';
export { ApiWildcard } from './wildcard';
export { IsNested } from './read-dto';
export { required } from './required';
export { SizedAnswers } from './sized-answers';
export { SuccessDto } from './success.dto';
export { validated } from './validation.pipe';
export { writeJson, type WrittenJson } from './write-json';
