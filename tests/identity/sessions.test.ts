import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, expectOk, type Json, refusal } from '../support/client.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
  signIn,
} from '../support/people.ts';
import { newDeviceToken, registerDevice, registeredTokens } from '../support/pushes.ts';
import { logOut, requestOtp } from '../support/sign-in.ts';
import { expectReconnect, openReadyStream } from '../support/streams.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const STATUS = '/users/me/onboarding/status';
const SESSIONS = '/users/me/sessions';
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');
const NOT_FOUND = refusal(404, 'SESSION_NOT_FOUND');

const idOf = ({ accessToken }: Json) => String(decodeJwt(accessToken).session_id);
const isAlive = async ({ accessToken }: Json) =>
  (await clientOf(opine.url, accessToken).get(STATUS)).status === 200;
const refresh = ({ refreshToken }: Json, headers: Record<string, string> = {}) =>
  aGuest(opine).post('/auth/session/refresh', { refreshToken }, { headers });

/** Signs `person` in on another device. */
async function onAnotherDevice(person: Person): Promise<Person> {
  await advanceTime(opine, '1 minute');
  const session = await signIn(opine, person.phoneNumber);
  return { ...person, ...clientOf(opine.url, session.accessToken), session };
}

describe('POST /auth/session/refresh', () => {
  // docs/product.md I2, L4
  test('a refresh answers the session with new tokens and the current user', async () => {
    const maya = await registeredPerson(opine, 'Maya');
    const { status, data } = await refresh(maya.session);
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
    expect(await isAlive(data)).toBe(true);
  });

  // docs/product.md I5
  test('20 concurrent refreshes with one token answer the same successor', async () => {
    const { session } = await anonymousPerson(opine);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(session)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ data }) => data.refreshToken)).size).toBe(1);
    expect(await Promise.all(answers.map(({ data }) => isAlive(data)))).toEqual(Array(20).fill(true));
    const [first] = answers;
    expect((await refresh(first?.data)).status).toBe(200);
  });

  // docs/product.md I5
  test('a refresh token is stored as its SHA-256', async () => {
    const { session } = await anonymousPerson(opine);
    const stored = await opine.database.superuser
      .selectFrom('app.refresh_tokens')
      .selectAll()
      .where('token_hash', '=', createHash('sha256').update(session.refreshToken).digest())
      .execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(session.refreshToken);
  });
});

describe('POST /auth/logout', () => {
  // docs/product.md I6, W2
  test('a logout ends both tokens of the session', async () => {
    const maya = await anonymousPerson(opine);
    const { status, data } = await logOut(opine, maya.session);
    expect([status, data]).toEqual([200, {}]);
    expect(await isAlive(maya.session)).toBe(false);
    expect((await refresh(maya.session)).status).toBe(401);
    expect(await logOut(opine, maya.session)).toMatchObject(UNAUTHORIZED);
  });

  test('a device token has 16 to 4,096 characters without white space', async () => {
    const logOutWith = async (notificationDeviceToken: string) => {
      const maya = await anonymousPerson(opine);
      const { refreshToken } = maya.session;
      return maya.post('/auth/logout', {
        refreshToken,
        logoutFromAllDevices: false,
        notificationDeviceToken,
      });
    };
    for (const token of ['x'.repeat(16), 'x'.repeat(4096)])
      expect((await logOutWith(token)).status).toBe(200);
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['notificationDeviceToken'] }] });
    for (const token of [
      'x'.repeat(15),
      'x'.repeat(4097),
      'a token with spaces in it',
      'a-token-with-\n-in-it',
    ])
      expect(await logOutWith(token)).toMatchObject(refused);
  });

  test('concurrent refreshes do not revive a session that logs out', async () => {
    for (const _ of [1, 2, 3]) {
      const maya = await anonymousPerson(opine);
      const [ended, ...refreshed] = await Promise.all([
        logOut(opine, maya.session),
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
});

// docs/product.md I7
describe('GET /users/me/sessions', () => {
  test('the list shows id, device kind, times and the current session', async () => {
    const headers = { 'user-agent': 'okhttp/4.12.0' };
    const body = { deviceId: 'an install that is looked at' };
    const { data } = await aGuest(opine).post('/auth/anonymous/session', body, { headers });
    const maya = clientOf(opine.url, data.accessToken);
    expect(await expectOk(maya.get(SESSIONS))).toEqual({
      items: [
        {
          id: idOf(data),
          kind: 'android',
          createdAt: expect.stringMatching(/Z$/),
          lastUsedAt: expect.stringMatching(/Z$/),
          isCurrent: true,
        },
      ],
      nextCursor: null,
    });
    expect(await aGuest(opine).get(SESSIONS)).toMatchObject(UNAUTHORIZED);
  });
});

describe('DELETE /users/me/sessions/{sessionId}', () => {
  // docs/product.md I4, I7
  test('ending another own session ends its tokens, its stream and its push messages, and no other session', async () => {
    const maya = await confirmedPerson(opine);
    const home = await onAnotherDevice(maya);
    const [here, there] = [newDeviceToken(), newDeviceToken()];
    await registerDevice(maya, here);
    await registerDevice(home, there);
    const [hers, lost] = [await openReadyStream(opine, maya), await openReadyStream(opine, home)];
    const { status, data } = await endSession(maya, idOf(home.session));
    expect([status, data]).toEqual([200, {}]);
    expect(await isAlive(home.session)).toBe(false);
    expect((await refresh(home.session)).status).toBe(401);
    expect(await registeredTokens(opine, maya.id, [here, there])).toEqual([here]);
    expect(await isAlive(maya.session)).toBe(true);
    expect((await refresh(maya.session)).status).toBe(200);
    await expectReconnect(lost);
    expect(hers.ending).toBeUndefined();
  });

  test('one of two concurrent requests ends a session, the other gets 404', async () => {
    const maya = await confirmedPerson(opine);
    const home = await onAnotherDevice(maya);
    const replies = await Promise.all([
      endSession(maya, idOf(home.session)),
      endSession(maya, idOf(home.session)),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await endSession(maya, idOf(home.session))).toMatchObject(NOT_FOUND);
  });

  test('concurrent refreshes do not revive a session that is ended', async () => {
    const maya = await confirmedPerson(opine);
    const home = await onAnotherDevice(maya);
    const [ended, ...refreshed] = await Promise.all([
      endSession(maya, idOf(home.session)),
      refresh(home.session),
      refresh(home.session),
    ]);
    expect(ended.status).toBe(200);
    for (const { status, data } of refreshed) {
      expect([200, 401]).toContain(status);
      if (status === 200) expect(await isAlive(data)).toBe(false);
    }
    expect((await refresh(home.session)).status).toBe(401);
  });

  test('two sessions that end each other answer 200 or 401', async () => {
    const maya = await confirmedPerson(opine);
    const home = await onAnotherDevice(maya);
    const replies = await Promise.all([
      endSession(maya, idOf(home.session)),
      endSession(home, idOf(maya.session)),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
  });

  test('a session can end itself, by its id in upper case', async () => {
    const maya = await anonymousPerson(opine);
    expect(await endSession(maya, idOf(maya.session).toUpperCase())).toMatchObject({ status: 200, data: {} });
    expect(await isAlive(maya.session)).toBe(false);
    expect((await refresh(maya.session)).status).toBe(401);
    expect(await endSession(maya, idOf(maya.session))).toMatchObject(UNAUTHORIZED);
  });
});

const endSession = (person: Client, id: string) => person.delete(`${SESSIONS}/${id}`);

describe('the record of a session', () => {
  interface SessionRecord {
    readonly created_at: Date;
    readonly last_used_at: Date | null;
    readonly device_kind: string;
  }

  async function recordOf(session: Json): Promise<SessionRecord | undefined> {
    const { rows } = await sql<SessionRecord>`
      select created_at, last_used_at, device_kind from app.sessions where id = ${idOf(session)}
    `.execute(opine.database.superuser);
    return rows[0];
  }

  test.each([
    ['Opine/12 CFNetwork/1494.0.7 Darwin/23.4.0', 'ios'],
    ['Opine/1.4 (iPhone; iOS 18.2; Scale/3.00)', 'ios'],
    ['okhttp/4.12.0', 'android'],
    ['Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A.230803.041)', 'android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'web'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.2 Safari/605.1.15',
      'web',
    ],
    ['curl/8.11.0', 'other'],
    ['x'.repeat(4000), 'other'],
    [' ', 'other'],
  ])('the User-Agent "%s" is the device kind %s', async (userAgent, kind) => {
    const headers = { 'user-agent': userAgent };
    const deviceId = `an install called ${userAgent.slice(0, 100)}`;
    const { status, data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId }, { headers });
    expect(status).toBe(200);
    expect((await recordOf(data))?.device_kind).toBe(kind);
  });

  test('a request without User-Agent has the device kind other', async () => {
    const session = await startSessionWithoutUserAgent('an install that says nothing');
    expect((await recordOf(session))?.device_kind).toBe('other');
  });

  test('a sign-in by phone records the device kind', async () => {
    const phoneNumber = newPhoneNumber();
    await requestOtp(aGuest(opine), phoneNumber);
    const body = { phoneNumber, code: '4242' };
    const headers = { 'user-agent': 'okhttp/4.12.0' };
    const { data } = await aGuest(opine).post('/auth/otp/verify', body, { headers });
    expect((await recordOf(data))?.device_kind).toBe('android');
  });
});

/** Opens the app as a client that sends no `User-Agent`; fetch always sends one. */
async function startSessionWithoutUserAgent(deviceId: string): Promise<Json> {
  const headers = { 'content-type': 'application/json' };
  const reply = await new Promise<Json>((resolve, reject) => {
    const url = `${opine.url}/api/v1/auth/anonymous/session`;
    request(url, { method: 'POST', headers }, (incoming) => resolve(json(incoming)))
      .on('error', reject)
      .end(JSON.stringify({ deviceId }));
  });
  return reply.data;
}
