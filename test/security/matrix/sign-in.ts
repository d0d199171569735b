import { createHash } from 'node:crypto';
import { mac } from '#libs/crypto';
import { PASSWORD } from '../../factories/world';
import { TokensService } from '../../../src/sessions/tokens.service';
import { claimsOf } from '../../support/tokens';
import {
  ANYONE,
  execute,
  get,
  type Matrix,
  MISSING,
  newSelf,
  newUser,
  next,
  OF_THE_PLATFORM,
  PLATFORM,
  platformOf,
  post,
  type Records,
  type Row,
  selfWith,
  SIGNED_IN,
  test,
  world,
  USER,
  WHOSE,
  WRITERS,
} from './kit';

const OTP = '042517';
const NEW_PASSWORD = 'battery staple correct';

/** Someone of the platform, of another one, and an address that nobody has. */
const accounts = (values: object = {}): Records => ({
  whose: ['own', 'foreign', 'missing'],
  find: async (_, whose) => {
    const user = await newUser('free', platformOf(whose), values);
    return { id: user.id, key: whose === 'missing' ? 'nobody@people.test' : (user.email ?? '') };
  },
});

/** A code that has been mailed to the user. */
const addCode = (
  user: { id: number; PlatformId: number },
  purpose: 'sign-in' | 'change-email',
  newEmail: string | null = null,
): Promise<unknown> =>
  execute(
    `insert into one_time_codes ("PlatformId", "UserId", purpose, mac, "newEmail", "createdAt", "expiresAt")
     values ($1, $2, $3, $4, $5, $6::timestamptz, $6::timestamptz + interval '10 minutes')`,
    user.PlatformId,
    user.id,
    purpose,
    mac(test.settings.ENCRYPTION_KEY[0] ?? '', 'code', purpose, user.id, OTP),
    newEmail,
    test.clock.now(),
  );

/** Accounts to which a code was mailed. */
const WITH_CODE: Records = {
  whose: ['own', 'foreign', 'missing'],
  find: async (_, whose) => {
    const user = await newUser('free', platformOf(whose));
    await addCode(user, 'sign-in');
    return { id: user.id, key: whose === 'missing' ? 'nobody@people.test' : (user.email ?? '') };
  },
};

/** Codes to the address that the caller wants, and to one that someone else does. */
const NEW_ADDRESS: Records = {
  whose: ['own', 'others'],
  find: async (caller, whose) => {
    const self = await newSelf(caller);
    const user = whose === 'own' ? self?.user : await newUser('free', 'A');
    if (user) await addCode(user, 'change-email', `changed${next()}@people.test`);
    return { id: 0, as: self?.as ?? world.anonymous() };
  },
};

/** A link that has been mailed to someone; whoever has it may use it. */
const RESET: Records = {
  whose: ['own', 'foreign', 'missing'],
  find: async (_, whose) => {
    const key = `link-${next()}`;
    if (whose === 'missing') return { id: MISSING, key };
    const user = await newUser('free', platformOf(whose));
    await execute(
      `insert into password_resets ("PlatformId", "UserId", digest, "createdAt", "expiresAt")
       values ($1, $2, $3, $4::timestamptz, $4::timestamptz + interval '1 hour')`,
      user.PlatformId,
      user.id,
      createHash('sha256').update(key).digest(),
      test.clock.now(),
    );
    return { id: user.id, key };
  },
};

/** Sessions besides the one with which the caller calls. */
const SESSION: Records = {
  whose: WHOSE,
  find: async (caller, whose) => {
    const self = await newSelf(caller);
    const as = self?.as ?? world.anonymous();
    if (whose === 'missing') return { id: 0, key: '3c2f1f6e-3f0e-4d43-9d0c-0c5b3a0f9e11', as };
    const owner = whose === 'own' && self ? self.user : await newUser('free', platformOf(whose));
    const { jti } = claimsOf(await test.get(TokensService).issue(owner, 'password'));
    return { id: 0, key: String(jti), as };
  },
};

const address = (what: string, path: string): Row[] => [
  {
    what,
    record: accounts(),
    call: (client, { key }) => client.post(path, { email: key, PlatformId: world.platformId() }),
    expected: ANYONE,
  },
];

/** Signing in and out, sessions, and what one proves an address or a password with. */
export const signIn: Matrix = {
  auth_mint: [
    {
      what: 'without the service secret',
      record: USER,
      call: (client, { key }) =>
        client.post('/api/auth/token-for-email', { email: key, platformId: world.platformId() }),
      expected: { members: 'UNAUTHORIZED' },
    },
    {
      what: 'with the service secret, on one platform',
      record: USER,
      call: (client, { key }) =>
        client
          .with({ 'x-service-secret': test.settings.SERVICE_SECRET[0] ?? '' })
          .post('/api/auth/token-for-email', { email: key, platformId: world.platformId() }),
      expected: { anonymous: OF_THE_PLATFORM, members: OF_THE_PLATFORM },
    },
  ],
  auth_signIn: [
    {
      what: 'with the right password',
      record: accounts({ password: PASSWORD }),
      call: (client, { key }) =>
        client.post('/api/user/signin', { email: key, password: PASSWORD, PlatformId: world.platformId() }),
      expected: { members: 'ok UNAUTHORIZED UNAUTHORIZED' },
    },
  ],
  auth_signOut: [
    {
      what: 'ends the own session',
      record: { whose: ['own'], find: USER.find },
      call: (client) => client.post('/api/user/signout'),
      expected: { anonymous: 'UNAUTHORIZED', members: 'ok' },
    },
  ],
  auth_requestCode: address('for an address', '/api/user/signin-otp'),
  auth_forgotPassword: address('for an address', '/api/user/forgot-password'),
  auth_verifyCode: [
    {
      what: 'with the right code, on one platform',
      record: WITH_CODE,
      call: (client, { key }) =>
        client.post('/api/user/verify-otp', { email: key, PlatformId: world.platformId(), otp: OTP }),
      expected: { members: 'ok INVALID_OTP INVALID_OTP' },
    },
  ],
  auth_signUp: [
    {
      what: 'on a platform',
      record: { ...PLATFORM, whose: ['own', 'foreign'] },
      call: post(
        () => '/api/user/signup',
        ({ id }) => ({ email: `signed${next()}@people.test`, name: 'Signed Up', PlatformId: id }),
      ),
      expected: ANYONE,
    },
  ],
  auth_resetPassword: [
    {
      what: 'with a link',
      record: RESET,
      call: (client, { key }) =>
        client.post('/api/user/reset-password', { token: key, password: NEW_PASSWORD }),
      expected: { members: 'ok ok INVALID_TOKEN' },
    },
  ],
  account_changePassword: [
    {
      what: 'soon after a sign-in by code',
      record: selfWith('otp'),
      call: post(
        () => '/api/user/change-password',
        () => ({ password: NEW_PASSWORD }),
      ),
      expected: { ...SIGNED_IN, members: 'ok' },
    },
    {
      what: 'with nothing to show for it',
      record: selfWith('minted'),
      call: post(
        () => '/api/user/change-password',
        () => ({ password: NEW_PASSWORD }),
      ),
      expected: { ...SIGNED_IN, members: 'FORBIDDEN' },
    },
  ],
  account_changeEmail: [
    {
      what: 'soon after a sign-in by code',
      record: selfWith('otp'),
      call: post(
        () => '/api/user/change-email',
        () => ({ email: `changed${next()}@people.test` }),
      ),
      expected: { ...WRITERS, members: 'ok' },
    },
    {
      what: 'with nothing to show for it',
      record: selfWith('minted'),
      call: post(
        () => '/api/user/change-email',
        () => ({ email: `changed${next()}@people.test` }),
      ),
      expected: { ...WRITERS, members: 'FORBIDDEN' },
    },
  ],
  account_verifyEmail: [
    {
      what: 'with a code',
      record: NEW_ADDRESS,
      call: post(
        () => '/api/user/change-email/verify',
        () => ({ otp: OTP }),
      ),
      expected: { ...WRITERS, members: 'ok INVALID_OTP' },
    },
  ],
  sessions_list: [
    { what: 'list', call: get(() => '/api/user/sessions'), expected: { ...SIGNED_IN, members: 'ok' } },
  ],
  sessions_end: [
    {
      what: 'end',
      record: SESSION,
      call: (client, { key }) => client.delete(`/api/user/sessions/${key}`),
      expected: { ...SIGNED_IN, members: 'ok NOT_FOUND NOT_FOUND NOT_FOUND' },
    },
  ],
  sessions_endAll: [
    {
      what: "end one's own",
      record: selfWith('password'),
      call: post(
        () => '/api/user/signout-all',
        () => ({ keepCurrent: false }),
      ),
      expected: { ...SIGNED_IN, members: 'ok' },
    },
  ],
};
