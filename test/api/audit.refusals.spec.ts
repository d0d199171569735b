import { PASSWORD } from '../factories/world';
import { call, member, onA, query, test, world } from '../support/mailed-people';

describe('audit', () => {
  it('has a row for each act, with shortened addresses and without values', async () => {
    const admin = world.as('admin').with({ 'x-forwarded-for': '2001:db8:1:2:3::4' });
    const one = await member();
    const visitor = world.anonymous().with({ 'x-forwarded-for': '203.0.113.77' });
    const secret = { 'x-service-secret': test.settings.SERVICE_SECRET[0] ?? '' };
    await visitor.post('/api/user/signin', onA({ email: one.email, password: PASSWORD }));
    const mint = { email: one.email, platformId: world.platformId() };
    await visitor.post('/api/auth/token-for-email', mint, secret);
    await admin.post('/api/user', { id: one.id, role: 'basic' });
    await admin.post(`/api/user/${one.id}/ban`, { reason: 'A private reason' });
    await admin.delete(`/api/user/${one.id}/ban`);
    await admin.post('/api/platform', { premiumToken: 'a-secret-code', name: 'A private name' });
    await admin.post(`/api/platform/${world.platformId()}/settings`, { blockedWords: ['a-blocked-word'] });
    await admin.delete(`/api/user/${one.id}`);
    const { body } = await admin.get('/api/admin/audit?itemsPerPage=8');
    const rows = body.items.map(({ action, actorId, targetId, fields, ip }: Record<string, unknown>) => [
      ...[action, actorId === one.id ? 'self' : actorId, targetId, (fields as string[]).toSorted(), ip],
    ]);
    const { id } = world.user('admin');
    const [target, platform, six, four] = [
      ...[String(one.id), String(world.platformId()), '2001:db8:1::/48', '203.0.113.0/24'],
    ];
    const ban = ['banReason', 'bannedAt', 'bannedUntil'];
    expect(rows).toEqual([
      ['user.delete', id, target, [], six],
      ['platform.settings', id, platform, ['blockedWords'], six],
      ['platform.edit', id, platform, ['name', 'premiumToken'], six],
      ['user.unban', id, target, ban, six],
      ['user.ban', id, target, ban, six],
      ['user.role', id, target, ['role'], six],
      ['token.mint', null, target, [], four],
      ['user.sign-in', 'self', target, [], four],
    ]);
    const all = JSON.stringify(await query('select * from audit_log'));
    for (const word of ['@people.test', 'private', 'a-secret-code', 'a-blocked-word', PASSWORD]) {
      expect(all).not.toContain(word);
    }
  });

  it('names the fields of a platform that changed, not all that were sent', async () => {
    const admin = world.as('admin');
    const { id } = world.platforms.A;
    const ai = { monthlyTokenCap: null, enabled: true };
    const rows = (): Promise<any[]> =>
      query(`select fields from audit_log where action like 'platform.%' order by id desc limit 2`);
    const { body } = await admin.post('/api/platform', { upgradeBtn: 'Join' });
    await admin.post('/api/platform', {
      ...body[0],
      name: body[0].name,
      upgradeBtn: 'Join us',
      description: null,
    });
    await admin.post(`/api/platform/${id}/settings`, { ai, signup: true, commentEditMinutes: 0 });
    const expected = [{ fields: ['ai'] }, { fields: ['upgradeBtn'] }];
    expect(await rows()).toEqual(expected);
    const settings = (await admin.get(`/api/platform/${id}/settings`)).body;
    await admin.post(`/api/platform/${id}/settings`, { ...settings, ai });
    expect(await rows()).toEqual(expected);
  });

  it('has no row for what was refused', async () => {
    const count = async (): Promise<number> =>
      (await query('select count(*)::int as count from audit_log'))[0].count;
    const before = await count();
    await call('signin', { email: 'free@people.test', password: 'wrong horse' });
    await world.as('admin').post(`/api/user/${world.user('admin').id}/ban`, { reason: 'x' });
    await world.as('admin').post('/api/platform', { slug: 'platform-b' });
    expect(await count()).toBe(before);
  });
});
