import type { Answer } from '../support/client';
import { bearer, member, test, world } from '../support/mailed-people';

describe('embeds', () => {
  it('exchanges a token in the address for a session of that object alone', async () => {
    const { id } = await world.content({ visibility: 'members' });
    const other = await world.content({ visibility: 'members' });
    const { token } = await member();
    const { body } = await bearer(token).post('/api/auth/embed-token', { scope: 'content', id });
    expect(body).toMatchObject({
      expiresIn: 300,
      url: `https://api.test/embed/content/${id}?token=${body.embedToken}`,
    });
    expect((await bearer(body.embedToken).get('/api/user/me')).status).toBe(401);
    expect((await bearer(body.embedToken).get(`/api/chat?contentId=${id}`)).status).toBe(401);
    const exchanged = await world.anonymous().get(`/embed/content/${id}?token=${body.embedToken}`);
    expect(exchanged.status).toBe(303);
    expect(exchanged.headers.location).toBe(`/embed/content/${id}`);
    const cookie = String(exchanged.headers['set-cookie']);
    expect(cookie).toMatch(
      new RegExp(`^embed_content_${id}=.*Path=/; HttpOnly; Secure; SameSite=None; Partitioned|Partitioned`),
    );
    const session = cookie.split(';', 1)[0] ?? '';
    const page = await world.anonymous().get(`/embed/content/${id}`, { cookie: session });
    expect(page.text).toContain('Its text.');
    const renamed = session.replace(`embed_content_${id}`, `embed_content_${other.id}`);
    const foreign = await world.anonymous().get(`/embed/content/${other.id}`, { cookie: renamed });
    expect(foreign.text).toContain('<h1');
    await bearer(token).post('/api/user/signout');
    const ended = await test.db.dataSource.query(
      `select 1 from sessions where object is not null and "endedAt" is null`,
    );
    expect(ended).toHaveLength(0);
  });
});

describe('people and platforms', () => {
  it('bans, which lets read and not write, and lifts the ban', async () => {
    const { id, token } = await member();
    const banned = await world
      .as('admin')
      .post(`/api/user/${id}/ban`, { reason: 'Advertising', until: null });
    expect(banned.body[1]).toBe(true);
    const { id: contentId } = await world.content();
    expect((await bearer(token).post('/api/chat', { contentId, message: 'x' })).body.error.code).toBe(
      'BANNED',
    );
    expect((await bearer(token).get(`/api/content/${contentId}`)).status).toBe(200);
    const lift = () => world.as('admin').delete(`/api/user/${id}/ban`);
    expect(await lift()).toMatchObject({ status: 200, body: { message: 'Ban lifted.', id } });
    expect(await lift()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expect((await bearer(token).post('/api/chat', { contentId, message: 'x' })).status).toBe(200);
    expect((await world.as('creator').post(`/api/user/${id}/ban`, { reason: 'x' })).status).toBe(403);
    expect((await world.as('admin', 'B').post(`/api/user/${id}/ban`, { reason: 'x' })).status).toBe(404);
  });

  it('raises a tier by code, never lowers it', async () => {
    await world.as('admin').post('/api/platform', { premiumToken: 'gold-code', basicToken: 'silver-code' });
    const { token } = await member();
    const me = bearer(token);
    expect((await me.post('/api/user/redeem-token', { code: 'nope' })).body[1]).toBe(false);
    expect((await me.post('/api/user/redeem-token', { code: 'gold-code' })).body).toEqual([
      expect.objectContaining({ role: 'premium' }),
      true,
    ]);
    expect((await me.post('/api/user/redeem-token', { code: 'silver-code' })).body[0].role).toBe('premium');
    const shown = await world.anonymous().get(`/api/platform/${world.platformId()}`);
    expect(shown.body).toMatchObject({ premiumToken: null, basicToken: null });
  });

  it('takes a code as it was meant, with blanks around it and however it is composed', async () => {
    const saved = await world
      .as('admin')
      .post('/api/platform', { premiumToken: ' Cafe\u0301-gold\n', basicToken: '\tsilver code ' });
    expect(saved.body[0]).toMatchObject({ premiumToken: 'Caf\u00e9-gold', basicToken: 'silver code' });
    const { token } = await member();
    for (const [code, role] of [
      ['silver code\n', 'basic'],
      [' Cafe\u0301-gold', 'premium'],
    ]) {
      const { body } = await bearer(token).post('/api/user/redeem-token', { code });
      expect([body[0].role, body[1]]).toEqual([role, true]);
    }
    await world.as('admin').post('/api/platform', { premiumToken: '  ' });
    const other = await member();
    expect((await bearer(other.token).post('/api/user/redeem-token', { code: ' ' })).status).toBe(400);
    await world.as('admin').post('/api/platform', { premiumToken: 'gold-code' });
  });

  it('shows profiles to members and records to admins', async () => {
    const { id } = world.user('basic');
    const profile = await world.as('free').get(`/api/user/${id}`);
    expect(profile.body).not.toHaveProperty('email');
    expect((await world.as('admin').get(`/api/user/${id}`)).body.email).toBe('basic@people.test');
    expect((await world.as('admin', 'B').get(`/api/user/${id}`)).status).toBe(404);
    const found = await world.as('free').get('/api/users/lookup?q=BAS');
    expect(found.body.items.map(({ id: one }: { id: number }) => one)).toEqual([id]);
    const admins = await world.as('free').get(`/api/platform/${world.platformId()}/admins`);
    expect(admins.body).toMatchObject({ total: 1, page: 1, limit: 20 });
    expect(admins.body.admins[0]).not.toHaveProperty('email');
    expect((await world.as('free', 'B').get(`/api/platform/${world.platformId()}/admins`)).status).toBe(403);
  });

  it('lists the users of the platform for staff, filtered', async () => {
    const { body } = await world.as('creator').get('/api/users?filters=role:premium&sort=name:desc');
    expect(body.items.every(({ role }: { role: string }) => role === 'premium')).toBe(true);
    expect(body.items[0]).not.toHaveProperty('email');
    const banned = await world.as('admin').get('/api/users?filters=banned:true');
    expect(banned.body.items).toEqual([
      expect.objectContaining({ name: 'banned of A', email: 'banned@people.test' }),
    ]);
    const group = await world.group();
    await world.as('admin').post('/api/user', { id: world.user('basic').id, GroupIds: [group.id] });
    const inGroup = await world.as('admin').get(`/api/users?filters=GroupId:${group.id},role:basic`);
    expect(inGroup.body.items.map(({ id }: { id: number }) => id)).toEqual([world.user('basic').id]);
    expect((await world.as('free').get('/api/users')).status).toBe(403);
    expect((await world.as('admin').get('/api/users?filters=passwordHash:x')).status).toBe(400);
    const queries = await test.queriesOf(() => world.as('admin').get('/api/users?itemsPerPage=3'));
    expect(queries.length).toBeLessThanOrEqual(3);
  });

  it('looks up only those who may read an item, each by the rule for readers', async () => {
    const open = await world.content({ visibility: 'members' });
    const gated = await world.content({ visibility: 'members', requiredRole: 'premium' });
    const closed = await world.content({ visibility: 'private' });
    const foreign = await world.content({}, 'B');
    const lookup = (person: 'free' | 'premium' | 'creator', contentId: number): Promise<Answer> =>
      world.as(person).get(`/api/users/lookup?q=of&contentId=${contentId}&limit=100`);
    const found = async (...of: Parameters<typeof lookup>): Promise<string[]> =>
      (await lookup(...of)).body.items.map(({ name }: { name: string }) => name);
    expect(await found('free', open.id)).toEqual(
      expect.arrayContaining(['free of A', 'basic of A', 'admin of A']),
    );
    const premium = await found('premium', gated.id);
    expect(premium).toEqual(expect.arrayContaining(['premium of A', 'creator of A', 'admin of A']));
    expect(premium).not.toEqual(expect.arrayContaining(['free of A']));
    expect(premium).not.toEqual(expect.arrayContaining(['basic of A']));
    expect((await found('creator', closed.id)).toSorted()).toEqual([
      'admin of A',
      'creator of A',
      'otherCreator of A',
    ]);
    // Who may not read it, or only its teaser, is not told who may.
    for (const { id } of [gated, closed, foreign]) expect((await lookup('free', id)).status).toBe(404);
  });

  it('finds a platform by its homepage, however that is written', async () => {
    const id = world.platformId();
    await world.as('admin').post('/api/platform', { homepageUrl: 'https://Harbour.test:8080/club/' });
    for (const written of [
      'harbour.test:8080/club',
      'HARBOUR.test:8080/club/',
      'harbour.test%3A8080%2Fclub',
    ]) {
      const { body } = await world.anonymous().get(`/api/platform/homepage/${written}`);
      expect(body).toMatchObject({ id, premiumToken: null });
    }
    const asAdmin = await world.as('admin').get('/api/platform/homepage/harbour.test:8080/club');
    expect(asAdmin.body.premiumToken).toBe('gold-code');
    const missing = await world.anonymous().get('/api/platform/homepage/nowhere.test');
    expect(missing).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    for (const unreadable of ['%ED%A0%80', '%zz', '%00', 'x'.repeat(3000)]) {
      const answer = await world.anonymous().get(`/api/platform/homepage/${unreadable}`);
      expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    }
    const taken = await world
      .as('admin', 'B')
      .post('/api/platform', { homepageUrl: 'http://harbour.TEST:8080/club' });
    expect(taken.body.error.details).toEqual([{ field: 'homepageUrl', issue: 'taken' }]);
    const slug = await world.anonymous().get('/api/platform-by-slug/platform-a');
    expect(slug.body.id).toBe(id);
  });

  it('keeps the settings to the admins of the platform', async () => {
    const id = world.platformId();
    const { body } = await world.as('admin').get(`/api/platform/${id}/settings`);
    expect(body).toMatchObject({
      signup: true,
      showTeasers: true,
      push: { connected: false, projectId: null },
    });
    for (const person of ['creator', 'free'] as const) {
      expect((await world.as(person).get(`/api/platform/${id}/settings`)).status).toBe(403);
    }
    expect(
      (await world.as('admin', 'B').post(`/api/platform/${id}/settings`, { signup: false })).status,
    ).toBe(403);
  });
});

describe('audit', () => {
  it('holds what happened, without names, and cannot be changed', async () => {
    const { id } = await member();
    await world.as('admin').post('/api/user', { id, role: 'basic' });
    const { body } = await world.as('admin').get('/api/admin/audit?itemsPerPage=5');
    expect(body.items[0]).toMatchObject({
      action: 'user.role',
      actorId: world.user('admin').id,
      targetType: 'user',
      targetId: String(id),
      fields: ['role'],
      ip: '127.0.0.0/24',
    });
    expect(JSON.stringify(body)).not.toContain('@people.test');
    expect((await world.as('admin', 'B').get('/api/admin/audit')).body.items).not.toContainEqual(
      expect.objectContaining({ targetId: String(id) }),
    );
    for (const statement of [
      `update audit_log set action = 'x'`,
      'delete from audit_log',
      'truncate audit_log',
      'truncate audit_log_default',
    ]) {
      await expect(test.db.dataSource.query(statement)).rejects.toThrow('append-only');
    }
  });
});
