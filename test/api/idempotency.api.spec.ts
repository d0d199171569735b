import { randomUUID } from 'node:crypto';
import { UnavailableError } from '#libs/errors';
import { KeptAnswersRepository } from '../../src/kernel/idempotency/kept-answers.repository';
import { KeywordsService } from '../../src/keywords/keywords.service';
import { World } from '../factories/world';
import type { Answer, Client } from '../support/client';
import { TestApp } from '../support/test-app';

const DAY_SECONDS = 24 * 60 * 60;

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await TestApp.start();
  world = await World.create(test);
});
afterAll(() => test.stop());
afterEach(() => {
  jest.restoreAllMocks();
  test.clock.reset();
});

const query = (text: string, values: unknown[] = []): Promise<any[]> =>
  test.db.dataSource.query(text, values);
const count = async (from: string, values: unknown[] = []): Promise<number> =>
  (await query(`select count(*)::int as count from ${from}`, values))[0].count;
const keyed = (client: Client, key: string = randomUUID()): Client => client.with({ 'idempotency-key': key });
const article = (title: string): object => ({ title, type: 'article', visibility: 'public' });
const titled = (title: string): Promise<number> => count('contents where title = $1', [title]);
/** What of an answer is the same each time. */
const told = ({ status, text, headers }: Answer): object => ({
  status,
  text,
  type: headers['content-type'],
  warning: headers['x-warning'],
});
const REPLAYED = expect.objectContaining({ 'idempotency-replayed': 'true' });

/** The second is the answer to the first again. */
function expectRepeated(first: Answer, second: Answer): void {
  expect(first.headers).not.toEqual(REPLAYED);
  expect(second.headers).toEqual(REPLAYED);
  expect(told(second)).toEqual(told(first));
}

describe('a write that is repeated with its key', () => {
  it('is done once, and answered alike', async () => {
    const creator = keyed(world.as('creator'));
    const once = { ...article('Once'), requiredRole: 'basic' };
    const first = await creator.post('/api/content', once);
    expect(first).toMatchObject({ status: 200, headers: { 'x-warning': 'gate-without-effect' } });
    for (let turn = 0; turn < 3; turn++) expectRepeated(first, await creator.post('/api/content', once));
    expect(await titled('Once')).toBe(1);
  });

  it('may be spelled otherwise', async () => {
    const creator = keyed(world.as('creator'));
    const first = await creator.post('/api/content', '{"title":"Spelled","type":"article"}');
    expect(first.status).toBe(200);
    const second = await creator.post('/api/content', ' { "type": "article", "title": "Sp\\u0065lled" } ');
    expectRepeated(first, second);
    expect(await titled('Spelled')).toBe(1);
  });

  it('is done again without a key, and under another one', async () => {
    const creator = world.as('creator');
    await creator.post('/api/content', article('Again'));
    await creator.post('/api/content', article('Again'));
    for (let turn = 0; turn < 2; turn++) await keyed(creator).post('/api/content', article('Again'));
    expect(await titled('Again')).toBe(4);
  });

  it('is another user’s own, and another route’s', async () => {
    const key = randomUUID();
    for (const person of ['creator', 'admin', 'otherCreator'] as const) {
      const { headers } = await keyed(world.as(person), key).post('/api/content', article('Shared key'));
      expect(headers).not.toEqual(REPLAYED);
    }
    const { status, headers } = await keyed(world.as('creator'), key).post('/api/keyword', { title: 'Key' });
    expect([status, headers]).toEqual([200, expect.not.objectContaining({ 'idempotency-replayed': 'true' })]);
    expect(await titled('Shared key')).toBe(3);
  });

  it('works for deletions, for answers without a body, and for other sessions of the user', async () => {
    const { id } = await world.content({ title: 'Deleted once' });
    const admin = keyed(world.as('admin'));
    const gone = await admin.delete(`/api/content/${id}`);
    expect(gone.status).toBe(200);
    expectRepeated(gone, await admin.delete(`/api/content/${id}`));
    expect((await world.as('admin').delete(`/api/content/${id}`)).status).toBe(404);

    const seen = await world.content({ title: 'Seen' });
    const key = randomUUID();
    const view = await keyed(world.as('free'), key).post(`/api/content/${seen.id}/view`, { seconds: 5 });
    const elsewhere = test.client({ authorization: `Bearer ${await world.newToken('free')}` });
    const again = await keyed(elsewhere, key).post(`/api/content/${seen.id}/view`, { seconds: 5 });
    expect([view.status, view.text]).toEqual([204, '']);
    expectRepeated(view, again);
  });

  it('keeps what the answer carries from those who read the database', async () => {
    const admin = keyed(world.as('admin'));
    const person = { email: 'kept@people.test', name: 'Kept', role: 'free', PlatformId: world.platformId() };
    const first = await admin.post('/api/user', { ...person, password: 'correct horse battery' });
    expect(first.body[0].token).toMatch(/^ey/);
    expectRepeated(first, await admin.post('/api/user', { ...person, password: 'correct horse battery' }));
    const stored = JSON.stringify(
      await query('select id, answer, encode(print, $1) from kept_answers', ['escape']),
    );
    for (const secret of [first.body[0].token, 'correct horse', 'kept@people.test']) {
      expect(stored).not.toContain(secret);
    }
    expect(await count(`sessions where "UserId" = $1`, [first.body[0].id])).toBe(1);
  });

  it('sends its mail once', async () => {
    await world.givePassword('basic');
    const basic = keyed(world.as('basic'));
    const change = { email: 'moved@people.test', currentPassword: 'correct horse battery' };
    const before = await count('outbox');
    const first = await basic.post('/api/user/change-email', change);
    expect(first.status).toBe(200);
    const after = await count('outbox');
    expect(after).toBeGreaterThan(before);
    expectRepeated(first, await basic.post('/api/user/change-email', change));
    expect(await count('outbox')).toBe(after);
  });

  it('says once that the answer was too large to keep, instead of doing it again', async () => {
    const creator = keyed(world.as('creator'));
    const large = { ...article('Large'), description: `<p>${'&amp;"'.repeat(30_000)}</p>` };
    const { id } = await world.content(large);
    const others = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => world.content({ ...large, title: `Large ${n}` })),
    );
    const ContentIds = [id, ...others.map((one) => one.id)];
    const collection = { name: 'Large', slug: 'large', ContentIds };
    const first = await creator.post('/api/collection', collection);
    expect([first.status, first.text.length > 1024 * 1024]).toEqual([200, true]);
    const second = await creator.post('/api/collection', collection);
    expect([second.status, second.body.error]).toEqual([
      409,
      expect.objectContaining({ code: 'CONFLICT', message: expect.stringContaining('carried out') }),
    ]);
    expect(await count(`collections where name = 'Large'`)).toBe(1);
  });
});

describe('another request under the same key', () => {
  it.each([
    ['another body', '/api/content', article('Other')],
    ['a field more', '/api/content', { ...article('First'), featured: true }],
    ['another query', '/api/content?x=1', article('First')],
    ['no body', '/api/content', undefined],
  ])('with %s is 422', async (_, url, body) => {
    const creator = keyed(world.as('creator'));
    expect((await creator.post('/api/content', article('First'))).status).toBe(200);
    const before = await count('contents');
    const { status, body: refusal, headers } = await creator.post(url, body);
    expect([status, refusal.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect(headers).not.toEqual(REPLAYED);
    expect(await count('contents')).toBe(before);
  });

  it('with another id in the path is 422', async () => {
    const [one, other] = [await world.content(), await world.content()];
    const admin = keyed(world.as('admin'));
    expect((await admin.delete(`/api/content/${one.id}`)).status).toBe(200);
    expect((await admin.delete(`/api/content/${other.id}`)).status).toBe(422);
    expect((await world.as('admin').get(`/api/content/${other.id}`)).status).toBe(200);
  });
});

describe('a refusal', () => {
  it('is kept as well, to the request id, also when its reason is gone', async () => {
    const { id } = world.user('otherFree');
    const admin = keyed(world.as('admin'));
    const first = await admin.delete(`/api/user/${id}/ban`);
    expect(first.status).toBe(404);
    await world.as('admin').post(`/api/user/${id}/ban`, { reason: 'Enough' });
    const second = await admin.delete(`/api/user/${id}/ban`);
    expectRepeated(first, second);
    expect(second.headers['x-request-id']).not.toBe(second.body.error.requestId);
    expect((await world.as('admin').delete(`/api/user/${id}/ban`)).status).toBe(200);
  });

  it.each([
    ['of the shape', 400, '/api/content', { type: 'poem' }],
    ['of what cannot be read', 400, '/api/content', '{"title":'],
    ['of a taken address', 400, '/api/user', null],
    ['of the record', 404, '/api/chat', { contentId: 2_000_000_000, message: 'To nobody' }],
  ])('%s is kept', async (_, status, url, body) => {
    const taken = { email: 'free.A@people.test', name: 'Twin', role: 'free', PlatformId: world.platformId() };
    const { email } = world.user('free');
    const sent = body ?? { ...taken, email };
    const admin = keyed(world.as('admin'));
    const first = await admin.post(url, sent);
    expect(first.status).toBe(status);
    expectRepeated(first, await admin.post(url, sent));
  });

  it('leaves what was counted before it, and counts it once', async () => {
    const { id } = world.user('premium');
    await query(
      `insert into one_time_codes ("PlatformId", "UserId", purpose, mac, "newEmail", "createdAt", "expiresAt")
       values ($1, $2, 'change-email', '\\x00', 'next@people.test', now(), now() + interval '10 minutes')`,
      [world.platformId(), id],
    );
    const tries = async (): Promise<object> =>
      (
        await query(
          `select tries, (select codes from sign_in_failures where "UserId" = $1) as codes
             from one_time_codes where "UserId" = $1`,
          [id],
        )
      )[0];
    const premium = keyed(world.as('premium'));
    const first = await premium.post('/api/user/change-email/verify', { otp: '000000' });
    expect([first.status, first.body.error.code]).toEqual([401, 'INVALID_OTP']);
    expect(await tries()).toEqual({ tries: 1, codes: 1 });
    expectRepeated(first, await premium.post('/api/user/change-email/verify', { otp: '000000' }));
    expect(await tries()).toEqual({ tries: 1, codes: 1 });
  });

  it('by who calls comes before any kept answer, and is not kept', async () => {
    const key = randomUUID();
    const creator = keyed(world.as('otherCreator'), key);
    const first = await creator.post('/api/keyword', { title: 'Before the ban' });
    expect(first.status).toBe(200);
    const { id } = world.user('otherCreator');
    await world.as('admin').post(`/api/user/${id}/ban`, { reason: 'Enough' });
    const banned = await creator.post('/api/keyword', { title: 'Before the ban' });
    expect([banned.status, banned.body.error.code]).toEqual([403, 'BANNED']);
    await world.as('admin').delete(`/api/user/${id}/ban`);
    expectRepeated(first, await creator.post('/api/keyword', { title: 'Before the ban' }));
    expect((await keyed(test.client(), key).post('/api/keyword', { title: 'Before the ban' })).status).toBe(
      401,
    );
  });
});

describe('a failure', () => {
  const failsOnce = (error: Error): void => {
    jest.spyOn(test.get(KeptAnswersRepository), 'keep').mockRejectedValueOnce(error);
  };

  it.each([
    [503, new UnavailableError()],
    [500, new Error('a fault on purpose')],
  ])('of %s is forgotten with all that was done', async (status, error) => {
    const creator = keyed(world.as('creator'));
    const title = `Failed ${status}`;
    const before = await count('kept_answers');
    failsOnce(error);
    expect((await creator.post('/api/content', article(title))).status).toBe(status);
    expect([await titled(title), await count('kept_answers')]).toEqual([0, before]);
    const first = await creator.post('/api/content', article(title));
    expect(first.status).toBe(200);
    expectRepeated(first, await creator.post('/api/content', article(title)));
    expect(await titled(title)).toBe(1);
  });

  it('for which the database wants it again is none of the key’s, and is done when it is asked for again', async () => {
    const creator = keyed(world.as('creator'));
    await query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'on purpose' using errcode = '40001'; end $$`);
    await query('create trigger refuse before insert on keywords for each row execute function refuse()');
    try {
      expect((await creator.post('/api/keyword', { title: 'Serialized' })).status).toBe(409);
    } finally {
      await query('drop function refuse cascade');
    }
    const first = await creator.post('/api/keyword', { title: 'Serialized' });
    expect(first.status).toBe(200);
    expectRepeated(first, await creator.post('/api/keyword', { title: 'Serialized' }));
  });

  it('of the handler after its work is too', async () => {
    const creator = keyed(world.as('creator'));
    const service = test.get(KeywordsService);
    const save = service.save.bind(service);
    jest.spyOn(service, 'save').mockImplementationOnce(async (...parameters) => {
      await save(...parameters);
      throw new UnavailableError();
    });
    expect((await creator.post('/api/keyword', { title: 'Half done' })).status).toBe(503);
    expect(await count(`keywords where title = 'Half done'`)).toBe(0);
    expect((await creator.post('/api/keyword', { title: 'Half done' })).status).toBe(200);
  });
});

describe('while the first is at work', () => {
  /** Holds the next keyword's save until it is let go, before or after its transaction. */
  function held(when: 'before' | 'after'): { begun: Promise<void>; release: () => void } {
    const service = test.get(KeywordsService);
    const save = service.save.bind(service);
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    jest.spyOn(service, 'save').mockImplementationOnce(async (...parameters) => {
      const result = when === 'after' ? await save(...parameters) : undefined;
      begun.resolve();
      await released.promise;
      return result ?? save(...parameters);
    });
    return { begun: begun.promise, release: released.resolve };
  }

  it.each(['before', 'after'] as const)('(%s its write) the same is 409', async (when) => {
    const creator = keyed(world.as('creator'));
    const keyword = { title: `Held ${when}` };
    const { begun, release } = held(when);
    const first = creator.post('/api/keyword', keyword);
    await begun;
    const { status, body, headers } = await creator.post('/api/keyword', keyword);
    release();
    expect([status, body.error.code, headers['retry-after']]).toEqual([409, 'CONFLICT', '1']);
    expect(headers).not.toEqual(REPLAYED);
    expectRepeated(await first, await creator.post('/api/keyword', keyword));
  });
});

describe('the key', () => {
  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['not printable', 'k\x07'],
    ['not ASCII', 'clé'],
  ])('that is %s is 400', async (_, key) => {
    const { status, body } = await keyed(world.as('creator'), key).post('/api/keyword', { title: 'No' });
    expect([status, body.error.details]).toEqual([
      400,
      [{ field: 'Idempotency-Key', issue: 'must be 1 to 255 printable characters' }],
    ]);
    expect(await count(`keywords where title = 'No'`)).toBe(0);
  });

  it('may have 255 of any printable characters', async () => {
    const creator = keyed(
      world.as('creator'),
      `${'k'.repeat(200)} "{}'\\; --%00${'~'.repeat(40)}`.slice(0, 255),
    );
    const first = await creator.post('/api/keyword', { title: 'Long key' });
    expect(first.status).toBe(200);
    expectRepeated(first, await creator.post('/api/keyword', { title: 'Long key' }));
  });

  it('means nothing on reads, to visitors and at sign-in', async () => {
    const { id } = await world.content({ title: 'Read' });
    const before = await count('kept_answers');
    const ill = 'k'.repeat(300);
    expect((await world.as('free').get(`/api/content/${id}`, { 'idempotency-key': ill })).status).toBe(200);
    for (const key of [ill, 'k', 'k']) {
      const visitor = keyed(test.client(), key);
      expect((await visitor.post(`/api/content/${id}/view`, {})).status).toBe(204);
      const address = { email: 'nobody@people.test', PlatformId: world.platformId() };
      const wrong = await visitor.post('/api/user/signin', { ...address, password: 'wrong horse battery' });
      expect([wrong.status, wrong.headers]).toEqual([
        401,
        expect.not.objectContaining({ 'idempotency-replayed': 'true' }),
      ]);
    }
    expect(await count('kept_answers')).toBe(before);
  });

  it('may be sent by a browser’s page, which may read that it was a repetition', async () => {
    await query(
      `update platforms set settings = settings || '{"allowedOrigins":["https://app.test"]}' where id = $1`,
      [world.platformId()],
    );
    const { headers } = await test.client().request('OPTIONS', '/api/content', undefined, {
      origin: 'https://app.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    });
    expect(headers['access-control-allow-headers']).toContain('idempotency-key');
    const answer = await keyed(world.as('creator'))
      .with({ origin: 'https://app.test' })
      .post('/api/keyword', { title: 'From a page' });
    expect(answer.headers['access-control-expose-headers']).toContain('Idempotency-Replayed');
  });
});

describe('after 24 hours', () => {
  it('the key is free again', async () => {
    const creator = keyed(world.as('creator'));
    test.clock.set(test.clock.now());
    const first = await creator.post('/api/content', article('Daily'));
    expect(first.status).toBe(200);
    test.clock.advance(DAY_SECONDS - 1);
    expectRepeated(first, await creator.post('/api/content', article('Daily')));
    test.clock.advance(1);
    const second = await creator.post('/api/content', article('Daily'));
    expect([second.status, second.body[0].id === first.body[0].id]).toEqual([200, false]);
    expectRepeated(second, await creator.post('/api/content', article('Daily')));
    expect(await titled('Daily')).toBe(2);
  });

  it('answers are forgotten, a few at a time, by any number who do so', async () => {
    await query(`delete from kept_answers`);
    await query(
      `insert into kept_answers (id, print, answer, "keptUntil")
       select decode(md5(n::text), 'hex'), '', '', now() + case when n <= 1200 then interval '-1 s' else interval '1 h' end
         from generate_series(1, 1210) n`,
    );
    const answers = test.get(KeptAnswersRepository);
    const pruned = await Promise.all([answers.prune(), answers.prune()]);
    expect(pruned.reduce((one, other) => one + other)).toBe(1200);
    expect(await answers.prune()).toBe(0);
    expect(await count('kept_answers')).toBe(10);
  });
});

it('costs nothing without the key', async () => {
  const statements = await test.queriesOf(() => world.as('creator').post('/api/keyword', { title: 'Plain' }));
  expect(
    statements.filter((text) => /kept_answers|savepoint|advisory_xact_lock\(\$1::bigint/.test(text)),
  ).toEqual([]);
});
