import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ResponseCheck } from '#libs/testing';

export interface Answer<Body = any> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: Body;
  text: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** Someone who calls the API. Every answer is held against openapi.json, and every one carries a request id. */
export class Client {
  constructor(
    private readonly app: NestFastifyApplication,
    private readonly check: ResponseCheck,
    private readonly headers: Record<string, string>,
  ) {}

  get<Body = any>(url: string, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.request('GET', url, undefined, headers);
  }

  post<Body = any>(url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    return this.request('POST', url, body, headers);
  }

  delete<Body = any>(url: string, body?: unknown): Promise<Answer<Body>> {
    return this.request('DELETE', url, body);
  }

  /** @param body sent as JSON, unless it is text or bytes already */
  async request<Body = any>(
    method: Method,
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const raw = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await this.app.inject({
      method,
      url,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      payload: body === undefined ? undefined : raw ? body : JSON.stringify(body),
    });
    const type = String(response.headers['content-type'] ?? '');
    const text = response.payload;
    const parsed =
      type.startsWith('application/json') && text !== '' ? (JSON.parse(text) as Body) : (text as Body);
    if (!response.headers['x-request-id']) throw new Error(`${method} ${url} answered without a request id`);
    this.check.check(method, url, response.statusCode, parsed);
    return { status: response.statusCode, headers: response.headers, body: parsed, text };
  }

  /** The same caller with more headers. */
  with(headers: Record<string, string>): Client {
    return new Client(this.app, this.check, { ...this.headers, ...headers });
  }
}
