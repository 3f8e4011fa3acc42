import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, anApp, anAppOf } from '../support/clients.ts';
import { timePasses } from '../support/clock.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aPhone, aRegistered } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const REFRESH = '/auth/session/refresh';
const refreshesOf = ({ asked }: App) => asked.filter((path) => path === REFRESH).length;
const whoIs = async (app: App) => (await app.get('/users/me/profile')).id;
const isOver = { name: 'OpineError', status: 401, code: 'UNAUTHORIZED' };

test('a guest reads, signs in by phone, and goes on as who they are', async () => {
  const app = anApp(opine);
  expect(await app.get('/posts')).toMatchObject({ items: [], nextCursor: null });
  await expect(whoIs(app)).rejects.toMatchObject(isOver);
  const phoneNumber = aPhone();
  await app.post('/auth/otp/request', { body: { phoneNumber } });
  const session = await app.post('/auth/otp/verify', { body: { phoneNumber, code: '4242' } });
  await app.signIn(session);
  expect(await app.get('/users/me/onboarding/status')).toMatchObject({ phoneConfirmed: true, level: 1 });
});

describe('an access token that has expired', () => {
  test('is refreshed once for all requests that meet it, which all succeed, bodies included', async () => {
    const maya = await aConfirmed(opine, 'Maya');
    const app = anAppOf(opine, maya);
    await timePasses(opine, '16 minutes');
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
    expect(await whoIs(app)).toBe(maya.id);
    expect(refreshesOf(app)).toBe(1);
  });

  test('is not refreshed again by a request whose refusal came late', async () => {
    const app = anAppOf(opine, await aRegistered(opine));
    await timePasses(opine, '16 minutes');
    const { promise: others, resolve: othersAreDone } = Promise.withResolvers<void>();
    app.onAnswer = async (path, response) => {
      if (path === '/users/me/profile' && response.status === 401) await others;
      return response;
    };
    const late = whoIs(app);
    await app.get('/notifications');
    othersAreDone();
    await late;
    expect(refreshesOf(app)).toBe(1);
  });

  test('never makes a person a guest where a session is optional', async () => {
    const [maya, jonas] = [await aConfirmed(opine), await aRegistered(opine)];
    const { id: postId } = await aSlider(maya);
    const app = anAppOf(opine, jonas);
    const kept = await app.tokens.read();
    await app.tokens.write(kept && { ...kept, freshUntil: Date.now() });
    await timePasses(opine, '16 minutes');
    const post = await app.get('/posts/{postId}', { params: { path: { postId } } });
    expect(post.permissions.canVote).toBe(true);
    expect(app.asked[0]).toBe(REFRESH);
  });
});

describe('a refresh', () => {
  test('whose answer is lost is asked for again, and the session goes on', async () => {
    const maya = await aRegistered(opine);
    const app = anAppOf(opine, maya);
    await timePasses(opine, '16 minutes');
    app.onAnswer = (path, response) => {
      if (path !== REFRESH || refreshesOf(app) > 1) return response;
      throw new TypeError('The connection is lost.');
    };
    expect(await whoIs(app)).toBe(maya.id);
    expect(refreshesOf(app)).toBe(2);
  });

  test('rotates the token: a thief who comes back with an old one ends the session, and the app knows it', async () => {
    const app = anAppOf(opine, await aRegistered(opine));
    const stolen = (await app.tokens.read())?.refreshToken;
    await timePasses(opine, '16 minutes');
    await app.get('/notifications');
    await timePasses(opine, '61 seconds');
    const theft = await aGuest(opine).post('/auth/session/refresh', { refreshToken: stolen });
    expect(theft.status).toBe(401);
    await expect(whoIs(app)).rejects.toMatchObject(isOver);
    expect(await app.tokens.read()).toBeNull();
    expect((await app.get('/posts')).nextCursor).toBeNull();
  });

  test('of another app with the same tokens is taken over', async () => {
    const maya = await aRegistered(opine);
    const one = anAppOf(opine, maya);
    const other = anApp(opine, { tokens: one.tokens });
    await timePasses(opine, '16 minutes');
    other.onAnswer = async (path, response) => {
      if (path === '/users/me/profile' && response.status === 401) await one.get('/notifications');
      return response;
    };
    expect(await whoIs(other)).toBe(maya.id);
    expect([refreshesOf(one), refreshesOf(other)]).toEqual([1, 0]);
  });
});

test('what one person began is never done as another who signs in meanwhile', async () => {
  const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
  const app = anAppOf(opine, maya);
  await timePasses(opine, '16 minutes');
  const next = await anApp(opine).post('/auth/session/refresh', {
    body: { refreshToken: jonas.session.refreshToken },
  });
  app.onAnswer = async (path, response) => {
    if (path === '/posts' && response.status === 401) await app.signIn(next);
    return response;
  };
  const body = { visibility: 'public', thoughtText: 'Of Maya alone' } as const;
  await expect(app.post('/posts', { body })).rejects.toMatchObject(isOver);
  expect(await whoIs(app)).toBe(jonas.id);
});

test('who signs out is a guest, and the session is over', async () => {
  const app = anAppOf(opine, await aRegistered(opine));
  const kept = await app.tokens.read();
  await app.signOut();
  expect(await app.tokens.read()).toBeNull();
  const again = await aGuest(opine).post('/auth/session/refresh', { refreshToken: kept?.refreshToken });
  expect(again.status).toBe(401);
  await app.signOut();
});
