import { hash } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi';

const DOCS = '/api/docs';
const DOCUMENT = '/api/openapi.json';
/** What is made of the document; scripts and styles of the page are files, with tags of their own. */
const MADE_OF_IT = [DOCUMENT, DOCS, `${DOCS}/`, `${DOCS}/index.html`, `${DOCS}/swagger-ui-init.js`];
// The page and its scripts come from this server; Swagger UI styles itself inline.
const DOCS_POLICY =
  "default-src 'none'; connect-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self' 'unsafe-inline'";

interface ServedDocument {
  text: string;
  etag: string;
}

/** The document at /api/openapi.json, and a page to read and try it at /api/docs. Both stay as they are. */
export function serveDocs(app: NestFastifyApplication): void {
  SwaggerModule.setup(DOCS, app, () => openApiDocument(app), {
    raw: false,
    customSiteTitle: 'Community Platform Service API',
    swaggerOptions: { persistAuthorization: true, docExpansion: 'none', tagsSorter: 'alpha' },
  });
  let made: ServedDocument | undefined;
  const served = (): ServedDocument => (made ??= servedDocument(app));
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.addHook('preHandler', ({ routeOptions }, reply, done) => {
    if (MADE_OF_IT.includes(routeOptions.url ?? ''))
      reply.headers({ etag: served().etag, 'cache-control': 'no-cache' });
    done();
  });
  fastify.get(DOCUMENT, (_request, reply) => reply.type('application/json').send(served().text));
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (request.url.startsWith(DOCS)) reply.header('content-security-policy', DOCS_POLICY);
    done();
  });
}

function servedDocument(app: NestFastifyApplication): ServedDocument {
  const text = JSON.stringify(openApiDocument(app));
  return { text, etag: `W/"${hash('sha1', text, 'base64url').slice(0, 22)}"` };
}
