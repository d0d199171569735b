import { currentRequest } from './request-context';

/**
 * Tells the client, in the header `X-Warning`, of something that is accepted but probably not meant. Several are
 * separated by commas, and none is there twice. Work outside of a request warns nobody.
 */
export function warn(code: string): void {
  const reply = currentRequest()?.reply;
  if (!reply) return;
  const before = String(reply.getHeader('x-warning') ?? '');
  const codes = new Set([...before.split(', ').filter(Boolean), code]);
  reply.header('x-warning', [...codes].join(', '));
}
