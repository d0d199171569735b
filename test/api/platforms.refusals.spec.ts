import { bearer, member, query, world } from '../support/mailed-people';

describe('platforms', () => {
  const faults: [string, unknown][] = [
    ...['red', '#12', '#12345', '#1234567', 'url(x)', '#fff;', 5].map((value): [string, unknown] => [
      'primaryColor',
      value,
    ]),
    ...['Mars/Olympus', '', 'UTC+1 or so', '+05:30', 5, null].map((value): [string, unknown] => [
      'timezone',
      value,
    ]),
    ...['A', 'a', 'with space', 'ä-b', 'x'.repeat(61), '../a', 'a\n', null].map(
      (value): [string, unknown] => ['slug', value],
    ),
    ...['javascript:alert(1)', 'ftp://a.test/x', '//a.test', 'data:text/html,x', 'a.test/x', 5].map(
      (value): [string, unknown] => ['logo', value],
    ),
    ...[
      'javascript:alert(1)',
      'https://user:secret@a.test',
      'a b.test',
      'https://a.test/?next=',
      'https://a.test/#top',
      'https://a.0x',
      '0x1ffffffff',
      'https://a.test:99999',
      `a.test/${'x'.repeat(2048)}`,
    ].map((value): [string, unknown] => ['homepageUrl', value]),
    ...['', ' ', null, 'x'.repeat(101)].map((value): [string, unknown] => ['name', value]),
    ...[0, -1, 1.5, '1', 2_147_483_648].map((value): [string, unknown] => ['id', value]),
  ];
  it.each(faults)('%s %j → 400', async (field, value) => {
    const answer = await world.as('admin').post('/api/platform', { [field]: value });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field }] } },
    });
  });

  it('another’s slug and homepage are taken, and nobody saves a platform that is not theirs', async () => {
    await world.as('admin', 'B').post('/api/platform', { homepageUrl: 'https://Club.test/home/' });
    const admin = world.as('admin');
    for (const [field, value] of [
      ['slug', 'platform-b'],
      ['homepageUrl', 'http://club.TEST/home'],
      ['homepageUrl', 'club.test/home///'],
    ] as const) {
      const answer = await admin.post('/api/platform', { [field]: value });
      expect(answer.body.error.details).toEqual([{ field, issue: 'taken' }]);
    }
    for (const id of [world.platformId('B'), 2_000_000_000]) {
      const answer = await admin.post('/api/platform', { id, name: 'Taken over' });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    const [saved] = (await admin.post('/api/platform', { id: world.platformId(), upgradeBtn: 'Join' })).body;
    expect(saved).toMatchObject({ id: world.platformId(), name: 'Platform A', upgradeBtn: 'Join' });
    const other = await world.anonymous().get(`/api/platform/${world.platformId('B')}`);
    expect(other.body).toMatchObject({ id: world.platformId('B'), name: 'Platform B' });
    expect((await world.as('creator').post('/api/platform', { name: 'x' })).status).toBe(403);
    expect((await world.anonymous().post('/api/platform', { name: 'x' })).status).toBe(401);
  });

  it.each([
    'xn--bcher-kva.example',
    'https://xn--bcher-kva.example/',
    'http://bu\u0308cher.example',
    'https://BÜCHER.example',
    'https://bücher.example:443',
    'http://bücher.example:80/',
    'https://bücher.example/.',
    'https://bücher.example/club/..',
  ])('a homepage is taken however it is spelled: %s', async (spelling) => {
    await world.as('admin', 'B').post('/api/platform', { homepageUrl: 'https://bücher.example' });
    const answer = await world.as('admin').post('/api/platform', { homepageUrl: spelling });
    expect(answer.body.error.details).toEqual([{ field: 'homepageUrl', issue: 'taken' }]);
    for (const asked of [spelling, encodeURIComponent(spelling), `${spelling}//`, 'bücher.example.']) {
      const { body } = await world.anonymous().get(`/api/platform/homepage/${asked}`);
      expect(body.id).toBe(world.platformId('B'));
    }
  });

  const settings: [string, unknown][] = [
    ...[
      'null',
      '*',
      'https://*',
      'https://*.a.test',
      'https://a.test/',
      'https://a.test;script-src',
      5,
    ].flatMap((value): [string, unknown][] => [
      ['embedOrigins', [value]],
      ['allowedOrigins', [value]],
    ]),
    ...[
      'https://a.test,https://b.test',
      'https://a.test https://b.test',
      'HTTPS://a.test',
      'ftp://a.test',
    ].map((value): [string, unknown] => ['embedOrigins', [value]]),
    ['embedOrigins', 'https://a.test'],
    ['embedOrigins', Array.from({ length: 51 }, (_, index) => `https://a${index}.test`)],
    ['signup', 'no'],
    ['signup', null],
    ['defaultVisibility', 'everyone'],
    ['commentEditMinutes', -1],
    ['commentEditMinutes', 1.5],
    ['blockedWords', ['']],
    ['blockedWords', ['x'.repeat(101)]],
    ['ai', null],
    ['ai.monthlyTokenCap', { enabled: true, monthlyTokenCap: -1 }],
  ];
  it.each(settings)('setting %s %j → 400', async (name, value) => {
    const field = name.split('.')[0] ?? '';
    const path = `/api/platform/${world.platformId()}/settings`;
    const before = (await world.as('admin').get(path)).body;
    const answer = await world.as('admin').post(path, { showTeasers: false, [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].field).toMatch(new RegExp(`^${field}`));
    expect((await world.as('admin').get(path)).body).toEqual(before);
  });

  it('unknown settings are dropped, and privileged parts do not pass', async () => {
    const path = `/api/platform/${world.platformId()}/settings`;
    const { body } = await world.as('admin').post(path, {
      push: { connected: true, projectId: 'mine' },
      premiumToken: 'x',
      unknown: 1,
    });
    expect(body.push).toEqual({ connected: false, projectId: null });
    const [row] = await query('select settings from platforms where id = $1', [world.platformId()]);
    expect(row.settings).not.toHaveProperty('push');
    expect(row.settings).not.toHaveProperty('unknown');
  });

  it.each([
    ['empty', ''],
    ['NUL', 'a%00.test'],
    ['over-long', 'x'.repeat(5000)],
    ['a wildcard', '%25'],
    ['SQL', `'%20or%20'1'='1`],
    ['only slashes', '%2F%2F%2F'],
    ['up the path', '..%2F..%2Fetc%2Fpasswd'],
    ['another port', 'club.test:81/home'],
    ['part of one', 'club.test'],
  ])('no platform has a homepage that is %s', async (_name, url) => {
    const { status, body } = await world.anonymous().get(`/api/platform/homepage/${url}`);
    expect([400, 404, 414]).toContain(status);
    expect(body.error).toBeDefined();
  });

  it.each(['a%ZZ', 'a%ff.test'])('the homepage %s is 400: it cannot be read', async (url) => {
    const { status, body } = await world.anonymous().get(`/api/platform/homepage/${url}?x=1`);
    expect([status, body]).toEqual([400, { error: 'The request cannot be read.' }]);
  });

  it('a platform without a homepage is not found by an empty one', async () => {
    const id = world.platformId();
    await world.as('admin').post('/api/platform', { homepageUrl: null });
    for (const url of ['', '%20', 'null', 'https:%2F%2F']) {
      const { status } = await world.anonymous().get(`/api/platform/homepage/${url}`);
      expect(status).toBeGreaterThanOrEqual(400);
    }
    expect((await world.anonymous().get(`/api/platform/${id}`)).body.homepageUrl).toBeNull();
  });

  it('codes of tiers: other platforms’, empty and long ones raise nobody', async () => {
    await world.as('admin', 'B').post('/api/platform', { premiumToken: 'gold-of-b' });
    await world.as('admin').post('/api/platform', { premiumToken: '', basicToken: null });
    const one = await member();
    for (const code of ['gold-of-b', 'null', 'undefined']) {
      const { body } = await bearer(one.token).post('/api/user/redeem-token', { code });
      expect([body[0].role, body[1]]).toEqual(['free', false]);
    }
    for (const code of ['', ' ', null, 5, {}, 'x'.repeat(201)]) {
      expect((await bearer(one.token).post('/api/user/redeem-token', { code })).status).toBe(400);
    }
    await world.as('admin').post('/api/platform', { premiumToken: 'gold-of-a' });
    const staff = await world.as('creator').post('/api/user/redeem-token', { code: 'gold-of-a' });
    expect([staff.body[0].role, staff.body[1]]).toEqual(['creator', false]);
  });
});
