import { PASSWORD } from '../factories/world';
import type { Answer } from '../support/client';
import { bearer, call, codeFor, member, query, test, world } from '../support/mailed-people';

describe('bans', () => {
  const ban = (id: number, values: object = {}): Promise<Answer> =>
    world.as('admin').post(`/api/user/${id}/ban`, { reason: 'Advertising', ...values });

  it('the last admin, oneself included, is not banned', async () => {
    const { id } = world.user('admin');
    expect((await ban(id)).body.error.code).toBe('LAST_ADMIN');
    const second = await member({ role: 'admin' });
    const until = new Date(test.clock.now().getTime() + 60_000).toISOString();
    expect((await ban(second.id, { until })).status).toBe(200);
    expect((await ban(id)).body.error.code).toBe('LAST_ADMIN');
    const unban = await bearer(second.token).delete(`/api/user/${second.id}/ban`);
    expect(unban.body.error.code).toBe('BANNED');
    test.clock.advance(61);
    const answers = await Promise.all([
      ban(second.id),
      bearer(second.token).post(`/api/user/${id}/ban`, { reason: 'x' }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await query(`update users set "bannedAt" = null, "bannedUntil" = null where id = any($1)`, [
      [id, second.id],
    ]);
    await world.as('admin').delete(`/api/user/${second.id}`);
  });

  it('ends at its time, and ends sessions when asked', async () => {
    const one = await member();
    const { id: contentId } = await world.content();
    const say = (): Promise<Answer> => bearer(one.token).post('/api/chat', { contentId, message: 'x' });
    const until = new Date(test.clock.now().getTime() + 60_000).toISOString();
    await ban(one.id, { until });
    expect((await say()).body.error.code).toBe('BANNED');
    test.clock.advance(61);
    expect((await say()).status).toBe(200);
    await ban(one.id, { endSessions: true });
    expect((await say()).status).toBe(401);
    const again = await call('signin', { email: one.email, password: PASSWORD });
    expect(again.status).toBe(200);
    expect((await bearer(again.body.token).post('/api/chat', { contentId, message: 'x' })).status).toBe(403);
  });

  it.each([
    ['no reason', { reason: undefined }],
    ['an empty one', { reason: ' ' }],
    ['an impossible date', { until: '2026-02-30T00:00:00Z' }],
    ['no date', { until: 'tomorrow' }],
    ['a past instant', { until: '2020-01-01T00:00:00Z' }],
    ['a word', { endSessions: 'yes' }],
  ])('%s → 400', async (_name, values) => {
    const { id } = world.user('basic');
    expect((await ban(id, values)).body.error.code).toBe('VALIDATION_ERROR');
    const rows = await query('select "bannedAt" from users where id = $1', [id]);
    expect(rows).toEqual([{ bannedAt: null }]);
  });

  it('a ban does not end when it begins, nor before', async () => {
    const { id } = await member();
    const at = (ms: number): string => new Date(test.clock.now().getTime() + ms).toISOString();
    const begins = at(0);
    test.clock.set(begins);
    const answer = await ban(id, { until: begins });
    expect([answer.status, answer.body.error.details]).toEqual([
      400,
      [{ field: 'until', issue: 'is in the past' }],
    ]);
    expect((await ban(id, { until: at(1) })).status).toBe(200);
  });

  it('U13 privileged fields do not pass through the routes of one’s own', async () => {
    const one = await member();
    const { email } = one;
    const fields = { role: 'admin', status: 'active', PlatformId: world.platformId('B'), bannedAt: null };
    await ban(one.id);
    const me = bearer(one.token);
    await me.post('/api/user/change-password', {
      ...fields,
      currentPassword: PASSWORD,
      password: 'another long password',
    });
    await call('verify-otp', { ...fields, PlatformId: world.platformId(), email, otp: await codeFor(one) });
    const [row] = await query(
      'select role, "PlatformId", "bannedAt" is not null as banned from users where id = $1',
      [one.id],
    );
    expect(row).toEqual({ role: 'free', PlatformId: world.platformId(), banned: true });
  });
});
