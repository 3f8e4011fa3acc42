import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inSecureStore, type SecureStore } from '../../clients/typescript/src/index.ts';
import { expectOk } from '../support/client.ts';
import { type App, anApp, anAppOf } from '../support/clients.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, newPhoneNumber, registeredPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const REFRESH = '/auth/session/refresh';
const refreshesOf = ({ requestedPaths }: App) => requestedPaths.filter((path) => path === REFRESH).length;
const userIdOf = async (app: App) => (await app.get('/users/me/profile')).id;
const isOver = { name: 'OpineError', status: 401, code: 'UNAUTHORIZED' };

test('a guest reads the feed, signs in by phone, and continues with the new session', async () => {
  const app = anApp(opine);
  expect(await app.get('/posts')).toMatchObject({ items: [], nextCursor: null });
  await expect(userIdOf(app)).rejects.toMatchObject(isOver);
  const phoneNumber = newPhoneNumber();
  await app.post('/auth/otp/request', { body: { phoneNumber } });
  const session = await app.post('/auth/otp/verify', { body: { phoneNumber, code: '4242' } });
  await app.signIn(session);
  expect(await app.get('/users/me/onboarding/status')).toMatchObject({ phoneConfirmed: true, level: 1 });
});

describe('an expired access token', () => {
  test('eight concurrent posts share one refresh and all succeed', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const app = anAppOf(opine, maya);
    await advanceTime(opine, '16 minutes');
    const { promise: allAreRefused, resolve: lastIsRefused } = Promise.withResolvers<void>();
    let refused = 0;
    app.onAnswer = async (path, response) => {
      if (response.status === 401) refused += 1;
      if (refused === 8) lastIsRefused();
      if (path === REFRESH) await allAreRefused;
      return response;
    };
    const texts = Array.from({ length: 8 }, (_, number) => `Thought ${number}`);
    const posts = await Promise.all(
      texts.map((thoughtText) => app.post('/posts', { body: { visibility: 'public', thoughtText } })),
    );
    expect(posts.map(({ thoughtText }) => thoughtText)).toEqual(texts);
    expect(refreshesOf(app)).toBe(1);
    expect(await userIdOf(app)).toBe(maya.id);
    expect(refreshesOf(app)).toBe(1);
  });

  test('a request whose 401 arrives after the refresh does not refresh again', async () => {
    const app = anAppOf(opine, await registeredPerson(opine));
    await advanceTime(opine, '16 minutes');
    const { promise: others, resolve: othersAreDone } = Promise.withResolvers<void>();
    app.onAnswer = async (path, response) => {
      if (path === '/users/me/profile' && response.status === 401) await others;
      return response;
    };
    const late = userIdOf(app);
    await app.get('/notifications');
    othersAreDone();
    await late;
    expect(refreshesOf(app)).toBe(1);
  });

  test('an operation with optional authentication refreshes the token instead of responding as to a guest', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await registeredPerson(opine)];
    const { id: postId } = await aSlider(maya);
    const app = anAppOf(opine, jonas);
    const kept = await app.tokens.read();
    await app.tokens.write(kept && { ...kept, freshUntil: Date.now() });
    await advanceTime(opine, '16 minutes');
    const post = await app.get('/posts/{postId}', { params: { path: { postId } } });
    expect(post.permissions.canVote).toBe(true);
    expect(app.requestedPaths[0]).toBe(REFRESH);
  });
});

describe('a sign-in by phone', () => {
  test('an app whose anonymous session has an expired access token refreshes it, signs in, and merges the session', async () => {
    const [lena, known] = [await registeredPerson(opine, 'Lena'), await confirmedPerson(opine)];
    const app = anAppOf(opine, lena);
    await advanceTime(opine, '16 minutes');
    const { phoneNumber } = known;
    await app.post('/auth/otp/request', { body: { phoneNumber } });
    const session = await app.post('/auth/otp/verify', { body: { phoneNumber, code: '4242' } });
    expect(session).toMatchObject({ merged: true, user: { id: known.id } });
    expect(refreshesOf(app)).toBe(1);
  });

  test('an app whose session has ended learns that, and signs in as a guest with the same code', async () => {
    const lena = await registeredPerson(opine, 'Lena');
    const app = anAppOf(opine, lena);
    await expectOk(lena.delete('/users/me'));
    const body = { phoneNumber: newPhoneNumber(), code: '4242' };
    await app.post('/auth/otp/request', { body: { phoneNumber: body.phoneNumber } });
    await expect(app.post('/auth/otp/verify', { body })).rejects.toMatchObject(isOver);
    expect(await app.tokens.read()).toBeNull();
    expect(await app.post('/auth/otp/verify', { body })).toMatchObject({ merged: false, isNewUser: true });
  });
});

describe('another person', () => {
  const body = { visibility: 'public', thoughtText: 'Mine.' } as const;

  test('a post that is sent again after a lost connection never goes out as who signs in meanwhile', async () => {
    const [lena, otto] = [await confirmedPerson(opine, 'Lena'), await confirmedPerson(opine, 'Otto')];
    const app = anAppOf(opine, lena);
    app.onAnswer = async (path, response) => {
      if (path !== '/posts' || (await app.tokens.read())?.userId === otto.id) return response;
      await app.tokens.write(await anAppOf(opine, otto).tokens.read());
      throw new TypeError('The connection is lost.');
    };
    await expect(app.post('/posts', { body })).rejects.toMatchObject(isOver);
    expect(await userIdOf(app)).toBe(otto.id);
    const { items } = await app.get('/users/{userId}/feed', { params: { path: { userId: otto.id } } });
    expect(items).toEqual([]);
  });

  test('a post whose session has ended fails at once, and is not sent again', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const app = anAppOf(opine, lena);
    await logOut(opine, lena.session);
    await expect(app.post('/posts', { body })).rejects.toMatchObject(isOver);
    expect(app.requestedPaths).toEqual(['/posts', REFRESH]);
  });
});

describe('a refresh', () => {
  test('a refresh whose response is lost is retried, and the session continues', async () => {
    const maya = await registeredPerson(opine);
    const app = anAppOf(opine, maya);
    await advanceTime(opine, '16 minutes');
    app.onAnswer = (path, response) => {
      if (path !== REFRESH || refreshesOf(app) > 1) return response;
      throw new TypeError('The connection is lost.');
    };
    expect(await userIdOf(app)).toBe(maya.id);
    expect(refreshesOf(app)).toBe(2);
  });

  test('the reuse of a stolen refresh token ends the session, and the app deletes its tokens', async () => {
    const app = anAppOf(opine, await registeredPerson(opine));
    const stolen = (await app.tokens.read())?.refreshToken;
    await advanceTime(opine, '16 minutes');
    await app.get('/notifications');
    await advanceTime(opine, '61 seconds');
    const theft = await aGuest(opine).post('/auth/session/refresh', { refreshToken: stolen });
    expect(theft.status).toBe(401);
    await expect(userIdOf(app)).rejects.toMatchObject(isOver);
    expect(await app.tokens.read()).toBeNull();
    expect((await app.get('/posts')).nextCursor).toBeNull();
  });

  test('an app adopts the refresh of another app with the same token store', async () => {
    const maya = await registeredPerson(opine);
    const one = anAppOf(opine, maya);
    const other = anApp(opine, { tokens: one.tokens });
    await advanceTime(opine, '16 minutes');
    other.onAnswer = async (path, response) => {
      if (path === '/users/me/profile' && response.status === 401) await one.get('/notifications');
      return response;
    };
    expect(await userIdOf(other)).toBe(maya.id);
    expect([refreshesOf(one), refreshesOf(other)]).toEqual([1, 0]);
  });
});

test('a pending request of one user is never retried as another user who signs in meanwhile', async () => {
  const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
  const app = anAppOf(opine, maya);
  await advanceTime(opine, '16 minutes');
  const next = await anApp(opine).post('/auth/session/refresh', {
    body: { refreshToken: jonas.session.refreshToken },
  });
  app.onAnswer = async (path, response) => {
    if (path === '/posts' && response.status === 401) await app.signIn(next);
    return response;
  };
  const body = { visibility: 'public', thoughtText: 'Of Maya alone' } as const;
  await expect(app.post('/posts', { body })).rejects.toMatchObject(isOver);
  expect(await userIdOf(app)).toBe(jonas.id);
});

test('signing out deletes the tokens and ends the session', async () => {
  const app = anAppOf(opine, await registeredPerson(opine));
  const kept = await app.tokens.read();
  await app.signOut();
  expect(await app.tokens.read()).toBeNull();
  const again = await aGuest(opine).post('/auth/session/refresh', { refreshToken: kept?.refreshToken });
  expect(again.status).toBe(401);
  await app.signOut();
});

test('an app that starts again continues the session from the keychain, which it reads once', async () => {
  const items = new Map<string, string>();
  const reads: string[] = [];
  const keychain: SecureStore = {
    getItemAsync: async (key) => {
      reads.push(key);
      return items.get(key) ?? null;
    },
    setItemAsync: async (key, value) => void items.set(key, value),
    deleteItemAsync: async (key) => void items.delete(key),
  };
  const maya = await registeredPerson(opine);
  const { refreshToken } = maya.session;
  const session = await anApp(opine).post('/auth/session/refresh', { body: { refreshToken } });
  await anApp(opine, { tokens: inSecureStore(keychain) }).signIn(session);
  const restarted = anApp(opine, { tokens: inSecureStore(keychain) });
  expect([await userIdOf(restarted), await userIdOf(restarted)]).toEqual([maya.id, maya.id]);
  expect(reads).toEqual(['opine.session']);
  await restarted.signOut();
  expect(items.size).toBe(0);
});

test.each(['', '{', '[]', '{"accessToken":"of an older version"}'])(
  'an app is a guest when the keychain holds %j',
  async (item) => {
    const keychain = {
      getItemAsync: async () => item,
      setItemAsync: async () => {},
      deleteItemAsync: async () => {},
    };
    expect(await inSecureStore(keychain).read()).toBeNull();
  },
);
