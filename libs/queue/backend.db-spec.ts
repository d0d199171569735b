import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { createTestDatabase, FaultProxy, type TestDatabase } from '#libs/testing';
import { openQueueBackend } from './backend';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('queues and workers whose database was away when they began work once it is there', async () => {
  const proxy = await FaultProxy.before(database.url);
  proxy.refuse();
  const backend = openQueueBackend({ databaseUrl: proxy.url, embedded: database.embedded });
  const { connection, drainDelay } = backend;
  const name = `test-${randomBytes(4).toString('hex')}`;
  const done: unknown[] = [];
  const worker = new Worker(name, async ({ data }) => done.push(data), {
    connection,
    drainDelay,
    runRetryDelay: 50,
  });
  const queue = new Queue(name, { connection });
  worker.on('error', () => undefined);
  queue.on('error', () => undefined);
  await expect(queue.add('early', 'early')).rejects.toThrow();

  proxy.restore();
  const completed = once(worker, 'completed');
  await queue.add('late', 'late');
  await completed;
  expect(done).toEqual(['late']);
  await worker.close();
  await queue.close();
  await backend.close();
  await proxy.close();
});
