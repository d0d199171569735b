import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { completeDocument } from './complete-document';

const DESCRIPTION = `Users and sign-in, content and collections, groups, comments and reactions, for many platforms.

Every record belongs to a platform, named by its integer id. Sign in with \`POST /api/user/signin\` and send the
token as \`Authorization: Bearer …\`. Times are ISO 8601 in UTC. Errors have the body
\`{error: {status, code, message, details?, requestId}}\` unless an operation says otherwise; docs/errors.md lists
the codes. Every answer carries \`X-Request-Id\`.`;

/** The OpenAPI document of the routes that the application has. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Community Platform Service')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' })
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Service-Secret' }, 'serviceSecret');
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${domainOf(controller)}_${method}`,
    autoTagControllers: true,
  });
  return completeDocument(document);
}

/** `ContentReactionsController` → `contentReactions` */
function domainOf(controller: string): string {
  const name = controller.replace(/Controller$/, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
}
