import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ValidationError } from '#libs/errors';
import { errorBody } from './error-shapes';

/** Answers what Node cannot read as a request, so that no hook or filter sees it, and ends the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const requestId = randomUUID();
    const refusal = new ValidationError([], 'The request cannot be read.');
    const body = JSON.stringify(errorBody(refusal, 'shared', requestId));
    const head = [
      'HTTP/1.1 400 Bad Request',
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}
