import type { RequestListener } from 'node:http';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { type INestApplicationContext, type Type, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '#libs/config';
import { RateLimitedError } from '#libs/errors';
import { type Logger, NestLogger } from '#libs/logging';
import { useJsonBodies, BODY_LIMIT } from './body-parser';
import { ErrorFilter } from './error.filter';
import { serveDocs } from './docs';
import { Entrance } from './entrance';
import { answerUnreadable } from './answer-unreadable';
import { amongAddresses } from './address-ranges';
import { ConnectionBounds } from './connection-bounds';
import { countRequests, type Sender } from './count-requests';
import { answerNotModified } from './not-modified';
import { countInHand, InHand, sendInSlices } from './in-hand';
import { observeRequests } from './observe-requests';
import { parseQuery, refuseLongQueries } from './query-string';
import { RateLimits } from './rate-limits';
import { keepRequestContext, requestContexts } from './request-context';
import { keepDeadline } from './request-deadline';
import { requestIdOf } from './request-id';
import { shedLoad } from './shed-load';
import { keepShapesOfUnrouted } from './unrouted-shapes';
import { RequestPipe } from './validation.pipe';
import { writeLargeInTurns } from './write-large';

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-Warning',
  'X-Notification-Id',
  'Location',
  'ETag',
  'Retry-After',
  'Idempotency-Replayed',
  'Deprecation',
  'Link',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

interface HttpAppOptions {
  settings: Settings;
  logger: Logger;
  /** One that listens already, or else the application's own. */
  entrance?: Entrance;
  /** Whom the rates count a request for, by what it carries. */
  senderOf: (app: INestApplicationContext, request: FastifyRequest) => Sender;
  /**
   * Whether a browser page of this origin may read the answer to the request. It is asked before the caller is known,
   * of whom nothing is told by then, and again when there is something to tell.
   */
  allowsOrigin: (app: INestApplicationContext, origin: string, request?: FastifyRequest) => Promise<boolean>;
}

/** The API over Fastify, ready to listen, with every limit in place. */
export async function createHttpApp(
  module: Type | DynamicModule,
  options: HttpAppOptions,
): Promise<NestFastifyApplication> {
  const { settings, logger, entrance = new Entrance() } = options;
  const filter = new ErrorFilter();
  const isProxy = amongAddresses(settings.TRUST_PROXY);
  const inContext = requestContexts(isProxy);
  const standsForMany = amongAddresses([...settings.TRUST_PROXY, ...settings.RATE_LIMIT_EXEMPT]);
  const connections = new ConnectionBounds(settings.MAX_CONNECTIONS_PER_ADDRESS, standsForMany);
  const refusing =
    (request: FastifyRequest, reply: FastifyReply) =>
    (error: unknown): void => {
      if (error instanceof RateLimitedError) connections.refused(request.raw.socket);
      filter.answer(error, request, reply);
    };
  const adapter = new FastifyAdapter({
    skipMiddie: true,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handler: RequestListener) => entrance.leadingTo(handler),
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512, querystringParser: parseQuery },
    genReqId: requestIdOf,
    // Refusals of the router itself, such as a path with broken percent-encoding.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
      request.errorShapes = shapesOfUnrouted(request);
      const refuse = refusing(request, reply);
      inContext(request, reply, () => void count(request, reply).then(() => refuse(error), refuse));
    },
    clientErrorHandler: answerUnreadable,
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  const shapesOfUnrouted = keepShapesOfUnrouted(fastify);
  fastify.addHook('onReady', (done) => {
    entrance.admit();
    done();
  });
  fastify.addHook('preClose', () => entrance.drain());
  connections.guard(fastify.server);
  observeRequests(fastify, logger);
  keepRequestContext(fastify, inContext);
  keepDeadline(fastify, settings.REQUEST_DEADLINE_MS, filter);
  const inHand = app.get(InHand);
  useJsonBodies(fastify, inHand);
  answerNotModified(fastify);
  countInHand(fastify, inHand, filter);
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    referrerPolicy: { policy: 'no-referrer' },
  });
  const count = countRequests(app.get(RateLimits), (request) =>
    isPreflight(request) ? null : options.senderOf(app, request),
  );
  const countWhere = (applies: (request: FastifyRequest) => boolean): void =>
    void fastify.addHook('onRequest', (request, reply, done) => {
      if (applies(request)) count(request, reply).then(() => done(), refusing(request, reply));
      else done();
    });
  // The plug-in answers these by itself, and of their refusal a page reads nothing.
  countWhere(isPreflight);
  await fastify.register(cors, {
    // Called for each request: a page's origin is allowed or simply gets no header.
    origin: async (origin: string | undefined) =>
      origin !== undefined && (await options.allowsOrigin(app, origin)),
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  });
  withholdFromForeignPages(fastify, (origin, request) => options.allowsOrigin(app, origin, request));
  await fastify.register(cookie, { secret: settings.COOKIE_SECRET });
  // After CORS, so that pages can read the refusal, and before anything of the body is read.
  countWhere((request) => !isPreflight(request));
  await fastify.register(compress, {
    threshold: 1024,
    encodings: ['gzip', 'identity'],
    globalDecompression: false,
  });
  writeLargeInTurns(fastify);
  sendInSlices(fastify);
  await shedLoad(fastify, settings, filter, inHand);
  refuseLongQueries(fastify, filter);
  app.useGlobalFilters(filter);
  app.useGlobalPipes(new RequestPipe());
  serveDocs(app);
  return app;
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

const ALLOWED_ORIGIN = 'access-control-allow-origin';
const CORS_HEADERS = [
  ALLOWED_ORIGIN,
  'access-control-allow-credentials',
  'access-control-expose-headers',
] as const;

/** A preflight carries no credential and an early refusal tells nothing; what is made for a caller is for their pages. */
function withholdFromForeignPages(
  fastify: FastifyInstance,
  mayRead: (origin: string, request: FastifyRequest) => Promise<boolean>,
): void {
  fastify.addHook('onSend', async (request, reply) => {
    const { origin } = request.headers;
    if (origin === undefined || !reply.hasHeader(ALLOWED_ORIGIN)) return;
    // The answer stands, also when it cannot be found out who may read it.
    if (await mayRead(origin, request).catch(() => false)) return;
    for (const name of CORS_HEADERS) reply.removeHeader(name);
  });
}
