import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi';

const DOCS = '/api/docs';
// The page and its scripts come from this server; Swagger UI styles itself inline.
const DOCS_POLICY =
  "default-src 'none'; connect-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self' 'unsafe-inline'";

/** The document at /api/openapi.json, and a page to read and try it at /api/docs. */
export function serveDocs(app: NestFastifyApplication): void {
  SwaggerModule.setup(DOCS, app, () => openApiDocument(app), {
    jsonDocumentUrl: '/api/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Community Platform Service API',
    swaggerOptions: { persistAuthorization: true, docExpansion: 'none', tagsSorter: 'alpha' },
  });
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.startsWith(DOCS)) reply.header('content-security-policy', DOCS_POLICY);
    done();
  });
}
