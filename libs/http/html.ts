import { randomBytes } from 'node:crypto';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** A small page of this service, or the way to another address. */
export type HtmlAnswer = { html: string; nonce: string; frameAncestors?: string[] } | { redirect: string };

/** Lets the page's own style and script run, and nobody else's. */
export const newNonce = (): string => randomBytes(16).toString('base64');

export async function sendHtml(reply: FastifyReply, answer: HtmlAnswer): Promise<void> {
  reply.header('cache-control', 'no-store');
  if ('redirect' in answer) {
    await reply.redirect(answer.redirect, 303);
    return;
  }
  const { html, nonce, frameAncestors = [] } = answer;
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'";
  reply.header(
    'content-security-policy',
    `default-src 'none'; connect-src 'self'; img-src http: https:; media-src http: https:; form-action 'self'; ` +
      `script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors ${ancestors}`,
  );
  // The older header knows only one origin; the policy above says it better.
  reply.removeHeader('x-frame-options');
  await reply.type('text/html; charset=utf-8').send(html);
}

export const ApiHtml = (description: string): MethodDecorator =>
  applyDecorators(
    ApiProduces('text/html'),
    ApiOkResponse({ description, schema: { type: 'string', example: '<!doctype html>…' } }),
  );
