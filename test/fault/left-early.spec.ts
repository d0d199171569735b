import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Controller, Get } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { register } from 'prom-client';
import { eventually } from '#libs/testing';
import { bareApp } from '../support/bare-app';

/** Many more than there are places. */
const CLIENTS = 150;

let handled = 0;
let asked = 0;
let tell: () => void;
const told = new Promise<void>((resolve) => (tell = resolve));

@Controller()
class Echo {
  @Get()
  read(): object {
    handled++;
    return {};
  }
}

let app: NestFastifyApplication;
let port: number;

beforeAll(async () => {
  app = await bareApp(Echo, { MAX_CONNECTIONS_PER_ADDRESS: '0' }, async () => {
    asked++;
    await told;
    return true;
  });
  await app.listen(0, '127.0.0.1');
  port = (app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => app.close());

async function asking(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const valueOf = async (name: string): Promise<number | undefined> =>
  (await register.getSingleMetric(name)?.get())?.values[0]?.value;

it('who leaves while the request is being looked at holds no place', async () => {
  const request = 'GET / HTTP/1.1\r\nhost: x\r\norigin: https://page.test\r\n\r\n';
  const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => asking(request)));
  await eventually(() => asked === CLIENTS);
  for (const socket of sockets) socket.resetAndDestroy();
  const open = (): Promise<number> =>
    new Promise((resolve) =>
      app.getHttpServer().getConnections((_: unknown, count: number) => resolve(count)),
    );
  await eventually(async () => (await open()) === 0);
  tell();
  const [next] = (await once(await asking('GET / HTTP/1.1\r\nhost: x\r\n\r\n'), 'data')) as [Buffer];
  expect(next.toString()).toMatch(/^HTTP\/1.1 200/);
  expect(handled).toBe(1);
  await eventually(async () => (await valueOf('http_requests_at_work')) === 0);
});

it('a request behind another on a connection that ends leaves nothing behind', async () => {
  const two = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2);
  const body = 'x'.repeat(100_000);
  const post = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 200000\r\n\r\n${body}`;
  const socket = await asking(two + post);
  await eventually(async () => ((await valueOf('http_bodies_in_hand_bytes')) ?? 0) > 0);
  socket.resetAndDestroy();
  await eventually(async () => (await valueOf('http_bodies_in_hand_bytes')) === 0);
  expect(await valueOf('http_requests_at_work')).toBe(0);
});
