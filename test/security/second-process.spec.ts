import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger } from '#libs/logging';
import { openQueueBackend } from '#libs/queue';
import { eventually, testLogFile } from '#libs/testing';
import { createApp } from '../../src/http-app';
import { openDatabaseOf } from '../../src/resources';
import { World } from '../factories/world';
import { TestApp } from '../support/test-app';

/** A second API on the same database, with a memory of its own, as another process has. */
let test: TestApp;
let world: World;
let second: NestFastifyApplication;
let close: () => Promise<void>;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
  const { settings, database } = test;
  const opened = await openDatabaseOf(settings, () => undefined, { migrate: false });
  const queue = openQueueBackend({
    redisUrl: settings.REDIS_URL,
    databaseUrl: database.url,
    embedded: database.embedded,
  });
  second = await createApp(
    { settings, database: opened, queue },
    createLogger(settings.LOG_LEVEL, testLogFile()),
  );
  await second.init();
  await second.getHttpAdapter().getInstance().ready();
  close = async () => {
    await second.close();
    await queue.close();
    await opened.close();
  };
});
afterAll(async () => {
  await close();
  await test.stop();
});

const there = async (token: string): Promise<{ status: number; role?: string }> => {
  const response = await second.inject({
    url: '/api/user/me',
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.statusCode, role: (JSON.parse(response.payload) as { role?: string }).role };
};
const here = (token: string) => test.client({ authorization: `Bearer ${token}` });

describe('S2 what happens in one process is felt in another within a second', () => {
  const within = async (token: string, felt: (answer: { status: number; role?: string }) => boolean) => {
    const begun = Date.now();
    await eventually(async () => felt(await there(token)), 3000);
    // A second, and what one request takes on a busy machine.
    expect(Date.now() - begun).toBeLessThan(1500);
  };

  it('a sign-out', async () => {
    const token = await world.newToken('basic');
    expect((await there(token)).status).toBe(200);
    await here(token).post('/api/user/signout');
    expect((await here(token).get('/api/user/me')).status).toBe(401);
    await within(token, ({ status }) => status === 401);
  });

  it('a role that changed', async () => {
    const token = await world.newToken('free');
    expect(await there(token)).toMatchObject({ status: 200, role: 'free' });
    await world.as('admin').post('/api/user', { id: world.user('free').id, role: 'basic' });
    expect((await here(token).get('/api/user/me')).body.role).toBe('basic');
    await within(token, ({ role }) => role === 'basic');
  });

  it('a ban that ends the sessions, and a deletion', async () => {
    const banned = await world.newToken('premium');
    expect((await there(banned)).status).toBe(200);
    const ban = { reason: 'Enough', endSessions: true };
    await world.as('admin').post(`/api/user/${world.user('premium').id}/ban`, ban);
    expect((await here(banned).get('/api/user/me')).status).toBe(401);
    await within(banned, ({ status }) => status === 401);
    const deleted = await world.newToken('otherFree');
    expect((await there(deleted)).status).toBe(200);
    await here(deleted).delete(`/api/user/${world.user('otherFree').id}`);
    expect((await here(deleted).get('/api/user/me')).status).toBe(401);
    await within(deleted, ({ status }) => status === 401);
  });
});
