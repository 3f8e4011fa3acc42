import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const refresh = (refreshToken: string) => aGuest(opine).post('/auth/session/refresh', { refreshToken });

const useOf = async ({ accessToken }: Json) =>
  (await clientOf(opine.url, accessToken).get('/users/me/onboarding/status')).status;

/** Refreshes and returns the new session. */
async function successorOf({ refreshToken }: Json): Promise<Json> {
  const { status, data } = await refresh(refreshToken);
  expect(status).toBe(200);
  return data;
}

describe('a refresh', () => {
  test('goes on with the session, whose user it tells as they are now', async () => {
    const maya = await aRegistered(opine, 'Maya');
    const { status, data } = await refresh(maya.session.refreshToken);
    expect(status).toBe(200);
    expect(data).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      expiresAt: expect.any(String),
      user: { id: maya.id, username: maya.username, fullName: 'Maya', isAnonymous: false, level: 2 },
    });
    expect(data.refreshToken).not.toBe(maya.session.refreshToken);
    expect(await useOf(data)).toBe(200);
  });

  test('gives a token that lasts from then on', async () => {
    const { session } = await anAnonymous(opine);
    await timePasses(opine, '14 minutes 30 seconds');
    const next = await successorOf(session);
    await timePasses(opine, '1 minute');
    expect(await useOf(session)).toBe(401);
    expect(await useOf(next)).toBe(200);
  });

  test('goes on and on', async () => {
    let { session } = await aConfirmed(opine);
    for (const _ of [1, 2, 3]) {
      await timePasses(opine, '50 days');
      session = await successorOf(session);
    }
    expect(await useOf(session)).toBe(200);
  });

  test('twenty times at once gives the same token twenty times', async () => {
    const { session } = await anAnonymous(opine);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ data }) => data.refreshToken)).size).toBe(1);
    expect(await Promise.all(answers.map(({ data }) => useOf(data)))).toEqual(Array(20).fill(200));
    const [first] = answers;
    expect((await refresh(first?.data.refreshToken)).status).toBe(200);
  });
});

describe('a token that was used', () => {
  test('gives the same successor for a minute, as after a lost answer', async () => {
    const { session } = await anAnonymous(opine);
    const next = await successorOf(session);
    await timePasses(opine, '50 seconds');
    const again = await successorOf(session);
    expect(again.refreshToken).toBe(next.refreshToken);
    expect(await useOf(again)).toBe(200);
  });

  test('does so also where the successor was used within that minute', async () => {
    const { session } = await anAnonymous(opine);
    const next = await successorOf(session);
    await timePasses(opine, '20 seconds');
    const third = await successorOf(next);
    expect((await successorOf(session)).refreshToken).toBe(next.refreshToken);
    expect((await successorOf(next)).refreshToken).toBe(third.refreshToken);
  });

  test('ends the whole session when it comes back later', async () => {
    const { session } = await anAnonymous(opine);
    const next = await successorOf(session);
    await timePasses(opine, '61 seconds');
    expect(await useOf(next)).toBe(200);
    expect(await refresh(session.refreshToken)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await refresh(next.refreshToken)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect([await useOf(session), await useOf(next)]).toEqual([401, 401]);
  });

  test('ends it however many refreshes ago that was, and no other session', async () => {
    const deviceId = 'install of two sessions';
    const openApp = async () => (await aGuest(opine).post('/auth/anonymous/session', { deviceId })).data;
    const [stolen, other] = [await openApp(), await openApp()];
    let latest = await successorOf(stolen);
    for (const _ of [1, 2, 3]) {
      await timePasses(opine, '2 minutes');
      latest = await successorOf(latest);
    }
    expect((await refresh(stolen.refreshToken)).status).toBe(401);
    expect((await refresh(latest.refreshToken)).status).toBe(401);
    expect(await useOf(other)).toBe(200);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });
});

describe('no session comes from', () => {
  test.each([
    ['an unknown token', 'pX3n0b5sZ0u3b6v5m1m4rWk2b9n0c8d7e6f5a4b3c2d'],
    ['a word', 'token'],
    ['a token that is not text', 'töken \u0000 \ud800'],
  ])('%s', async (_, refreshToken) => {
    expect([401, 422]).toContain((await refresh(refreshToken)).status);
  });

  test('an access token', async () => {
    const { session } = await anAnonymous(opine);
    expect(await refresh(session.accessToken)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('a token after 60 days', async () => {
    const [early, late] = [await anAnonymous(opine), await anAnonymous(opine)];
    await timePasses(opine, '59 days 23 hours');
    expect((await refresh(early.session.refreshToken)).status).toBe(200);
    await timePasses(opine, '1 hour');
    expect(await refresh(late.session.refreshToken)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('a session that logged out', async () => {
    const { session, ...maya } = await anAnonymous(opine);
    await maya.post('/auth/logout', { refreshToken: session.refreshToken, logoutFromAllDevices: false });
    expect(await refresh(session.refreshToken)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});

test('refresh tokens are stored as SHA-256', async () => {
  const { session } = await anAnonymous(opine);
  const stored = await opine.database.superuser
    .selectFrom('app.refresh_tokens')
    .selectAll()
    .where('token_hash', '=', createHash('sha256').update(session.refreshToken).digest())
    .execute();
  expect(stored).toHaveLength(1);
  expect(JSON.stringify(stored)).not.toContain(session.refreshToken);
});
