import { PlatformsService } from '../../src/platforms/platforms.service';
import { World } from '../factories/world';
import type { Answer } from '../support/client';
import { TestApp } from '../support/test-app';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start({ CORS_ORIGINS: 'https://admin.test,http://localhost:5173' });
  await test.get(PlatformsService).create({
    name: 'Harbour',
    slug: 'harbour',
    homepageUrl: 'https://harbour.test/club',
    premiumToken: 'premium-secret',
    basicToken: 'basic-secret',
    primaryColor: '#0b3d5c',
    timezone: 'Europe/Lisbon',
    hideSignin: true,
    settings: { allowedOrigins: ['https://app.harbour.test:8443'] },
  });
  world = await World.create(test);
});
afterAll(() => test.stop());

describe('GET /api/platform/{platformId}', () => {
  it('answers what everyone may know', async () => {
    const answer = await world.anonymous().get('/api/platform/1');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: 1,
      name: 'Harbour',
      slug: 'harbour',
      description: null,
      upgradeBtn: null,
      heroImage: null,
      favIconImage: null,
      heroBGColor: null,
      heroTextColor: null,
      primaryColor: '#0b3d5c',
      secondaryColor: null,
      darkColor: null,
      lightColor: null,
      heroImgOnly: false,
      fathomAnalytics: null,
      homepageUrl: 'https://harbour.test/club',
      upgradeUrl: null,
      logo: null,
      premiumToken: null,
      basicToken: null,
      hideSignin: true,
      timezone: 'Europe/Lisbon',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.any(String),
      features: { vectorSearch: false, vectorChat: false, transcripts: false, push: false, signup: true },
    });
    expect(answer.text).not.toContain('secret');
  });

  it('answers the same to everybody', async () => {
    const { body } = await world.anonymous().get(`/api/platform/${world.platformId()}`);
    for (const client of [
      world.as('admin'),
      world.as('free', 'B'),
      world.as('banned'),
      world.as('pending'),
    ]) {
      expect((await client.get(`/api/platform/${world.platformId()}`)).body).toEqual(body);
    }
  });

  it.each(['999999', '0', '2147483647', '2147483648', '99999999999999999999', '123456789012345678901'])(
    '%s → 404',
    async (id) => {
      const answer = await world.anonymous().get(`/api/platform/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { error: { status: 404, code: 'NOT_FOUND' } } });
    },
  );

  it.each(['abc', '1.5', '-1', '1e3', '%31x', '1%20', '١'])('%s → 400', async (id) => {
    const answer = await world.anonymous().get(`/api/platform/${encodeURI(decodeURI(id))}`);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          details: [{ field: 'platformId', issue: 'must be an integer' }],
        },
      },
    });
  });

  it.each(['%E0%A4%A', '%', '%00'])('broken encoding %s → 400', async (id) => {
    const answer = await world.anonymous().get(`/api/platform/${id}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  });
});

describe('X1 cross-origin calls', () => {
  const preflight = (origin: string): Promise<Answer> =>
    test.client().request('OPTIONS', '/api/user', undefined, {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });

  it.each([
    ['PUBLIC_URL', 'https://api.test'],
    ['a homepage', 'https://harbour.test'],
    ['an allowedOrigin', 'https://app.harbour.test:8443'],
    ['CORS_ORIGINS', 'https://admin.test'],
    ['CORS_ORIGINS, the second', 'http://localhost:5173'],
  ])('are open to %s', async (_name, origin) => {
    const answer = await world.anonymous().get('/api/version', { origin });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
    });
    expect(String(answer.headers.vary)).toMatch(/\borigin\b/i);
    expect(String(answer.headers['access-control-expose-headers'])).toContain('X-Request-Id');
    const asked = await preflight(origin);
    expect(asked.status).toBe(204);
    expect(asked.headers['access-control-allow-origin']).toBe(origin);
    expect(String(asked.headers['access-control-allow-methods'])).toContain('DELETE');
  });

  it.each([
    'https://evil.test',
    'null',
    'https://harbour.test.evil.test',
    'https://evil-harbour.test',
    'https://harbour.test:8443',
    'http://harbour.test',
    'https://HARBOUR.test',
    'https://harbour.test/club',
    'https://admin.test, https://evil.test',
    '*',
    '',
  ])('are not open to %j: it is never reflected', async (origin) => {
    const answer = await world.anonymous().get('/api/version', { origin });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    const asked = await preflight(origin);
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('follow the homepage when it changes, within seconds', async () => {
    const allowed = async (origin: string): Promise<boolean> =>
      (await world.anonymous().get('/api/version', { origin })).headers['access-control-allow-origin'] ===
      origin;
    expect(await allowed('https://moved.test')).toBe(false);
    await test.db.dataSource.query(
      `update platforms set "homepageUrl" = 'moved.test', "homepageKey" = 'moved.test' where slug = 'harbour'`,
    );
    const later = Date.now() + 6000;
    const now = jest.spyOn(Date, 'now').mockReturnValue(later);
    try {
      expect(await allowed('https://moved.test')).toBe(true);
      expect(await allowed('https://harbour.test')).toBe(false);
    } finally {
      now.mockRestore();
    }
  });
});
