import { PASSWORD } from '../factories/world';
import {
  address,
  call,
  mailsTo,
  member,
  nthMailTo,
  onA,
  query,
  settled,
  test,
  world,
} from '../support/mailed-people';

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

  it('U16 an admin cannot act unseen: what is done to a person or to rights is there with the names of fields', async () => {
    const admin = world.as('admin');
    const PlatformId = world.platformId();
    const rows = async (): Promise<unknown[]> => {
      const seen = await query(
        `select action, "ActorId" as actor, "targetType" || ' ' || "targetId" as target, fields from audit_log
          where id > $1 order by id`,
        [last],
      );
      last = (await query('select max(id) as last from audit_log'))[0].last;
      return seen.map(({ action, actor, target, fields }) => [
        ...[action, actor === world.user('admin').id ? 'admin' : actor, target, fields.toSorted()],
      ]);
    };
    let last = 0;
    await rows();
    const tag = (await admin.post('/api/access-tag', { title: 'A right' })).body.id;
    const { id: group } = await world.group();
    expect(await rows()).toEqual([['group.create', 'admin', `group ${group}`, []]]);

    const person = { email: address(), name: 'Second admin', role: 'admin', PlatformId, AccessTagIds: [tag] };
    const { id } = (await admin.post('/api/user', person)).body[0];
    const names = ['AccessTagIds', 'email', 'name', 'role'];
    expect(await rows()).toEqual([
      ['user.create', 'admin', `user ${id}`, names],
      ['token.create', 'admin', `user ${id}`, []],
    ]);
    for (const [values, fields] of [
      [{ email: address() }, ['email']],
      [{ status: 'pending', name: 'Other' }, ['name', 'status']],
      [{ notes: 'x', photoUrl: 'https://a.test/x.jpg' }, ['notes', 'photoUrl']],
      [{ GroupIds: [group] }, ['GroupIds']],
      [{ AccessTagIds: [] }, ['AccessTagIds']],
    ] as [object, string[]][]) {
      expect((await admin.post('/api/user', { id, ...values })).status).toBe(200);
      expect(await rows()).toEqual([['user.edit', 'admin', `user ${id}`, fields]]);
      // What changes nothing is nothing to tell.
      await admin.post('/api/user', { id, ...values });
      expect(await rows()).toEqual([]);
    }
    await admin.post('/api/user', { id, role: 'free', name: 'Free' });
    expect(await rows()).toEqual([
      ['user.role', 'admin', `user ${id}`, ['role']],
      ['user.edit', 'admin', `user ${id}`, ['name']],
    ]);

    const grant = { userIds: [id, world.user('free').id], expiresAt: '2098-01-01T00:00:00Z' };
    const holder = (user: number): string => `access-tag-holder ${tag}/${user}`;
    for (const expected of [[id, world.user('free').id], []]) {
      await admin.post(`/api/access-tag/${tag}/users`, grant);
      expect(new Set(await rows())).toEqual(
        new Set(expected.map((user) => ['access-tag.grant', 'admin', holder(user), ['expiresAt']])),
      );
    }
    for (const expected of [[id], []]) {
      await admin.delete(`/api/access-tag/${tag}/users`, { userIds: [id] });
      expect(await rows()).toEqual(expected.map((user) => ['access-tag.revoke', 'admin', holder(user), []]));
    }

    const rights = { id: group, AccessTagIds: [tag], joinPolicy: 'request', name: 'A group' };
    await admin.post('/api/group', rights);
    expect(await rows()).toEqual([['group.edit', 'admin', `group ${group}`, ['AccessTagIds', 'joinPolicy']]]);
    await admin.post('/api/group', rights);
    expect(await rows()).toEqual([]);
    await world.as('basic').post(`/api/group/${group}/join`);
    await admin.post(`/api/group/${group}/requests/${world.user('basic').id}`, { decision: 'approve' });
    await world.as('premium').post(`/api/group/${group}/join`);
    await admin.post(`/api/group/${group}/requests/${world.user('premium').id}`, { decision: 'reject' });
    expect(await rows()).toEqual([
      ['group-member.approve', 'admin', `group-member ${group}/${world.user('basic').id}`, []],
      ['group-member.reject', 'admin', `group-member ${group}/${world.user('premium').id}`, []],
    ]);

    const post = await world.post('creator');
    for (const [verb, field] of [
      ['pin', 'pinned'],
      ['lock', 'locked'],
    ] as const) {
      for (const expected of [[[`post.${verb}`, 'admin', `content ${post.id}`, [field]]], []]) {
        await admin.post(`/api/post/${post.id}/${verb}`, { [field]: true });
        expect(await rows()).toEqual(expected);
      }
    }
    await admin.post('/api/auth/embed-token', { scope: 'content', id: post.id });
    expect(await rows()).toEqual([['token.embed', 'admin', `content ${post.id}`, []]]);
    const all = JSON.stringify(await query('select * from audit_log'));
    for (const word of ['@people.test', 'Second admin', 'a.test']) expect(all).not.toContain(word);
  });

  it('has who signed up, and whom the operator added', async () => {
    const email = address();
    await call('signup', { email, name: 'Visitor' });
    await nthMailTo(email);
    const [{ id }] = await query('select id from users where "emailKey" = $1', [email]);
    const seen = await query(
      `select action, "ActorId" from audit_log where "targetType" = 'user' and "targetId" in ($1, $2) order by id`,
      [String(id), String(world.user('free').id)],
    );
    expect(seen.slice(0, 1)).toEqual([{ action: 'user.create', ActorId: null }]);
    expect(seen.at(-1)).toEqual({ action: 'user.sign-up', ActorId: null });
  });

  it('U17 an address that an admin changes is told so, once it is another', async () => {
    const one = await member();
    const fresh = address();
    const respelt = one.email.replace('member', 'Member');
    const admin = world.as('admin').with({ 'accept-language': 'de' });
    await admin.post('/api/user', { id: one.id, name: 'Renamed', email: respelt });
    await admin.post('/api/user', { id: one.id, email: fresh });
    const mail = await nthMailTo(respelt);
    expect(mail.subject).toBe('Deine E-Mail-Adresse wurde geändert');
    expect(mail.text).not.toContain(fresh);
    await settled();
    expect(mailsTo(respelt)).toHaveLength(1);
    expect(mailsTo(one.email)).toEqual([]);
    expect(mailsTo(fresh)).toEqual([]);
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
