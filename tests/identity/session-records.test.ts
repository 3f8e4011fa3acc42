import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json } from '../support/client.ts';
import { timeIn, timePasses } from '../support/clock.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anAnonymous, aPhone } from '../support/people.ts';
import { requestOtp } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

interface SessionRecord {
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly device_kind: string;
}

async function recordOf({ accessToken }: Json): Promise<SessionRecord | undefined> {
  const { session_id } = decodeJwt(accessToken);
  const { rows } = await sql<SessionRecord>`
    select created_at, last_used_at, device_kind from app.sessions where id = ${session_id}
  `.execute(opine.database.superuser);
  return rows[0];
}

const use = async ({ accessToken }: Json) => {
  const { status } = await clientOf(opine.url, accessToken).get('/users/me/onboarding/status');
  expect(status).toBe(200);
};
const refresh = async ({ refreshToken }: Json, headers: Record<string, string> = {}) => {
  const { status, data } = await aGuest(opine).post('/auth/session/refresh', { refreshToken }, { headers });
  expect(status).toBe(200);
  return data;
};

describe('a session is recorded', () => {
  test('with when it began', async () => {
    const before = await timeIn(opine);
    const { session } = await anAnonymous(opine);
    const after = await timeIn(opine);
    const { created_at } = (await recordOf(session)) ?? {};
    expect(created_at?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(created_at?.getTime()).toBeLessThanOrEqual(after.getTime());
  });

  test('with when it was refreshed last, not with each use', async () => {
    const { session } = await anAnonymous(opine);
    const first = await recordOf(session);
    await timePasses(opine, '5 minutes');
    await use(session);
    expect(await recordOf(session)).toEqual(first);

    const before = await timeIn(opine);
    const next = await refresh(session);
    const after = await timeIn(opine);
    const { created_at, last_used_at } = (await recordOf(next)) ?? {};
    expect(created_at).toEqual(first?.created_at);
    expect(last_used_at?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(last_used_at?.getTime()).toBeLessThanOrEqual(after.getTime());

    await timePasses(opine, '5 minutes');
    await use(next);
    expect((await recordOf(next))?.last_used_at).toEqual(last_used_at);
    await refresh(next);
    expect((await recordOf(next))?.last_used_at?.getTime()).toBeGreaterThanOrEqual(after.getTime() + 300_000);
  });

  test('and goes when it ends', async () => {
    const { session, ...maya } = await anAnonymous(opine);
    const { refreshToken } = session;
    await maya.post('/auth/logout', { refreshToken, logoutFromAllDevices: false });
    expect(await recordOf(session)).toBeUndefined();
  });
});

describe('the kind of a device is known by what it calls itself', () => {
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
  ])('%s', async (userAgent, kind) => {
    const headers = { 'user-agent': userAgent };
    const deviceId = `an install called ${userAgent.slice(0, 100)}`;
    const { status, data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId }, { headers });
    expect(status).toBe(200);
    expect((await recordOf(data))?.device_kind).toBe(kind);
  });

  test('nothing', async () => {
    const session = await openAppWithoutUserAgent('an install that says nothing');
    expect((await recordOf(session))?.device_kind).toBe('other');
  });

  test('with a phone as well', async () => {
    const phoneNumber = aPhone();
    await requestOtp(aGuest(opine), phoneNumber);
    const body = { phoneNumber, code: '4242' };
    const headers = { 'user-agent': 'okhttp/4.12.0' };
    const { data } = await aGuest(opine).post('/auth/otp/verify', body, { headers });
    expect((await recordOf(data))?.device_kind).toBe('android');
  });

  test('when it signs in, not later', async () => {
    const headers = { 'user-agent': 'okhttp/4.12.0' };
    const body = { deviceId: 'an install that changes its name' };
    const { data } = await aGuest(opine).post('/auth/anonymous/session', body, { headers });
    const next = await refresh(data, { 'user-agent': 'curl/8.11.0' });
    expect((await recordOf(next))?.device_kind).toBe('android');
  });
});

/** Opens the app as a client that sends no `User-Agent`; fetch always sends one. */
async function openAppWithoutUserAgent(deviceId: string): Promise<Json> {
  const headers = { 'content-type': 'application/json' };
  const reply = await new Promise<Json>((resolve, reject) => {
    const url = `${opine.url}/api/v1/auth/anonymous/session`;
    request(url, { method: 'POST', headers }, (incoming) => resolve(json(incoming)))
      .on('error', reject)
      .end(JSON.stringify({ deviceId }));
  });
  return reply.data;
}
