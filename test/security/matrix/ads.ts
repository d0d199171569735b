import { ImpressionTokens } from '../../../src/ads/impression-tokens';
import {
  ANYONE,
  authorOf,
  type Caller,
  execute,
  get,
  kept,
  type Matrix,
  MISSING,
  OF_THE_PLATFORM,
  OWN_ONLY,
  PLATFORM,
  platformOf,
  post,
  type Records,
  remove,
  STAFF,
  type Target,
  test,
  type Whose,
  WHOSE,
  world,
} from './kit';

/** Running ads of the caller's or of others, each with a token that was given out for it as its key. */
const AD: Records = {
  whose: WHOSE,
  find: async (caller: Caller, whose: Whose): Promise<Target> => {
    const tokens = test.get(ImpressionTokens);
    if (whose === 'missing') return { id: MISSING, key: tokens.issue(MISSING) };
    const [{ id = 0 } = {}] = await execute<{ id?: number }[]>(
      `insert into ads ("PlatformId", "UserId", title, "titleKey", "linkUrl", placement, status)
       values ($1, $2, 'Ad', 'ad', 'https://example.org/', 'home', 'active') returning id`,
      world.platformId(platformOf(whose)),
      authorOf(caller, whose),
    );
    return { id, key: tokens.issue(id) };
  },
};
const KEPT_AD = kept(AD);

/** Whoever was shown an ad may say so, banned or not, and on whichever platform it was. */
const counted = (done: string) => ({ members: `${done} ${done} ${done} NOT_FOUND` });
const token = ({ key }: Target) => ({ impressionToken: key });

export const ads: Matrix = {
  ads_save: [
    {
      what: 'add',
      call: post(
        () => '/api/ad',
        () => ({ title: 'Added', linkUrl: 'https://example.org/', placement: 'home' }),
      ),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
    {
      what: 'edit',
      record: KEPT_AD,
      call: post(
        () => '/api/ad',
        ({ id }) => ({ id, body: 'Edited' }),
      ),
      expected: { ...STAFF, creator: OWN_ONLY, admin: OF_THE_PLATFORM },
    },
  ],
  ads_list: [
    {
      what: 'on a platform',
      record: PLATFORM,
      call: get((id) => `/api/ads?PlatformId=${id}`),
      expected: ANYONE,
    },
    {
      what: "on the token's platform",
      call: get(() => '/api/ads'),
      expected: { anonymous: 'VALIDATION_ERROR', pending: 'VALIDATION_ERROR', members: 'ok' },
    },
  ],
  ads_countImpression: [
    {
      what: 'seen',
      record: KEPT_AD,
      call: post((id) => `/api/ad/${id}/impression`, token),
      expected: counted('ok'),
    },
  ],
  ads_countClick: [
    {
      what: 'clicked',
      record: KEPT_AD,
      call: post((id) => `/api/ad/${id}/click`, token),
      expected: counted('ok'),
    },
  ],
  ads_listForAdmin: [
    {
      what: 'list',
      call: get(() => '/api/admin/ads'),
      expected: { ...STAFF, creator: 'ok', admin: 'ok' },
    },
  ],
  ads_remove: [
    {
      what: 'delete',
      record: AD,
      call: remove((id) => `/api/ad/${id}`),
      expected: { ...STAFF, creator: OWN_ONLY, admin: OF_THE_PLATFORM },
    },
  ],
};
