import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, type Person, signIn } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const logOut = ({ session }: { session: Json }, refreshToken: string, logoutFromAllDevices = false) =>
  clientOf(opine.url, session.accessToken).post('/auth/logout', { refreshToken, logoutFromAllDevices });

const refresh = (session: Json) =>
  aGuest(opine).post('/auth/session/refresh', { refreshToken: session.refreshToken });

const isAlive = async (session: Json) =>
  (await clientOf(opine.url, session.accessToken).get('/users/me/onboarding/status')).status === 200;

/** `person` on a second device. */
async function onSecondDevice(person: Person): Promise<Json> {
  await timePasses(opine, '1 minute');
  return signIn(opine, person.phoneNumber);
}

describe('logging out', () => {
  test('ends the session at once, both of its tokens', async () => {
    const maya = await anAnonymous(opine);
    const { status, data } = await logOut(maya, maya.session.refreshToken);
    expect([status, data]).toEqual([200, {}]);
    expect(await isAlive(maya.session)).toBe(false);
    expect((await refresh(maya.session)).status).toBe(401);
    expect(await logOut(maya, maya.session.refreshToken)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('makes a guest of its owner where a bearer is optional', async () => {
    const amara = await aConfirmed(opine);
    const post = await aSlider(amara);
    await logOut(amara, amara.session.refreshToken);
    const { status, data } = await amara.get(`/posts/${post.id}`);
    expect([status, data.permissions.canDelete]).toEqual([200, false]);
  });

  test('leaves the other devices signed in', async () => {
    const amara = await aConfirmed(opine);
    const other = await onSecondDevice(amara);
    await logOut(amara, amara.session.refreshToken);
    expect(await isAlive(other)).toBe(true);
    expect((await refresh(other)).status).toBe(200);
  });

  test('from all devices ends every session of the user and nobody else', async () => {
    const [amara, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    const others = [await onSecondDevice(amara), await onSecondDevice(amara)];
    expect((await logOut(amara, amara.session.refreshToken, true)).status).toBe(200);
    for (const session of [amara.session, ...others]) {
      expect(await isAlive(session)).toBe(false);
      expect((await refresh(session)).status).toBe(401);
    }
    expect(await isAlive(jonas.session)).toBe(true);
  });

  test('works with the token that followed by a refresh', async () => {
    const maya = await anAnonymous(opine);
    const { data } = await refresh(maya.session);
    expect((await logOut(maya, data.refreshToken)).status).toBe(200);
    expect(await isAlive(data)).toBe(false);
  });
});

test('a session that is refreshed while it logs out has ended', async () => {
  for (const _ of [1, 2, 3]) {
    const maya = await anAnonymous(opine);
    const [ended, ...refreshed] = await Promise.all([
      logOut(maya, maya.session.refreshToken),
      ...Array.from({ length: 8 }, () => refresh(maya.session)),
    ]);
    expect(ended.status).toBe(200);
    for (const { status, data } of refreshed) {
      expect([200, 401]).toContain(status);
      if (status !== 200) continue;
      expect(await isAlive(data)).toBe(false);
      expect((await refresh(data)).status).toBe(401);
    }
  }
});

describe('nothing ends', () => {
  test.each([false, true])("with a stranger's refresh token (from all devices: %s)", async (everywhere) => {
    const [maya, stranger] = [await anAnonymous(opine), await anAnonymous(opine)];
    const reply = await logOut(stranger, maya.session.refreshToken, everywhere);
    expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    for (const { session } of [maya, stranger]) {
      expect(await isAlive(session)).toBe(true);
      expect((await refresh(session)).status).toBe(200);
    }
  });

  test('with a refresh token that nobody has', async () => {
    const maya = await anAnonymous(opine);
    expect(await logOut(maya, 'a token that nobody has')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await isAlive(maya.session)).toBe(true);
  });

  test('without a bearer', async () => {
    const { session } = await anAnonymous(opine);
    const body = { refreshToken: session.refreshToken, logoutFromAllDevices: true };
    expect(await aGuest(opine).post('/auth/logout', body)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await isAlive(session)).toBe(true);
  });

  test.each([
    ['no refreshToken', { logoutFromAllDevices: false }, 'refreshToken'],
    ['no logoutFromAllDevices', { refreshToken: 'token' }, 'logoutFromAllDevices'],
    ['"true" in quotes', { refreshToken: 'token', logoutFromAllDevices: 'true' }, 'logoutFromAllDevices'],
    ['a short device token', device('x'.repeat(15)), 'notificationDeviceToken'],
    ['a long device token', device('x'.repeat(4097)), 'notificationDeviceToken'],
    ['a device token with a space', device('a token with spaces in it'), 'notificationDeviceToken'],
    ['a device token with a line', device('a-token-with-\n-in-it'), 'notificationDeviceToken'],
  ])('with %s', async (_, body, field) => {
    const maya = await anAnonymous(opine);
    const reply = await maya.post('/auth/logout', body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] }));
    expect(await isAlive(maya.session)).toBe(true);
  });
});

test('a device token may come along', async () => {
  for (const notificationDeviceToken of ['x'.repeat(16), 'x'.repeat(4096)]) {
    const maya = await anAnonymous(opine);
    const { refreshToken } = maya.session;
    const body = { refreshToken, logoutFromAllDevices: false, notificationDeviceToken };
    expect((await maya.post('/auth/logout', body)).status).toBe(200);
  }
});

function device(notificationDeviceToken: string) {
  return { refreshToken: 'token', logoutFromAllDevices: false, notificationDeviceToken };
}
