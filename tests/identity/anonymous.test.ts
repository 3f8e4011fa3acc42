import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, newPhoneNumber } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const startSession = (deviceId: unknown) => aGuest(opine).post('/auth/anonymous/session', { deviceId });

describe('POST /auth/anonymous/session', () => {
  // docs/product.md I1, I2
  test('a new install gets a session of a new anonymous user', async () => {
    const { status, data } = await startSession('install of somebody new');
    expect(status).toBe(200);
    expect(data).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      expiresAt: expect.any(String),
      user: { id: expect.any(String), username: null, fullName: null, isAnonymous: true, level: 1 },
    });
    const { data: onboarding } = await clientOf(opine.url, data.accessToken).get(
      '/users/me/onboarding/status',
    );
    expect(onboarding.level).toBe(1);
  });

  // docs/product.md I13
  test('a known install gets its user with the profile that was created on it', async () => {
    const { data } = await startSession('install with a profile');
    const profile = { fullName: 'Lena Ortiz', username: 'lena', termsAccepted: true };
    await clientOf(opine.url, data.accessToken).put('/users/me/onboarding/profile-basics', profile);
    const { user } = (await startSession('install with a profile')).data;
    expect(user).toEqual({
      id: data.user.id,
      username: 'lena',
      fullName: 'Lena Ortiz',
      isAnonymous: false,
      level: 2,
    });
  });

  test('ten concurrent requests of a new install create one user', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => startSession('install in a hurry')));
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(opened.map(({ data }) => data.user.id)).size).toBe(1);
  });

  test('a device id has 16 to 200 characters', async () => {
    const ofLength = (length: number) => 'abcde'.repeat(40).slice(0, length).padEnd(length, 'f');
    for (const length of [16, 200]) expect((await startSession(ofLength(length))).status).toBe(200);
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['deviceId'] }] });
    for (const length of [0, 15, 201]) expect(await startSession(ofLength(length))).toMatchObject(refused);
  });

  // docs/product.md I13
  test.each([
    '00000000-0000-0000-0000-000000000000',
    '0_0-0.0:0/0 00000000000',
    'unknown-install-4711',
    'UNKNOWN_DEVICE_0123456789',
    ' [unknown] serial 12345',
    '02:00:00:00:00:00',
    '02-00-00-00-00-00',
    '0200.0000.0000--',
    'aaaaaaaaaaaaaaaaaaaa',
    'abcdabcdabcdabcd',
    'ABCDabcdABCDabcd',
    '9774d56d682e549c',
    '9774D56D-682E549C',
  ])('the placeholder %j is no device id, at every operation that takes one', async (deviceId) => {
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['deviceId'] }] });
    const phoneNumber = newPhoneNumber();
    expect(await startSession(deviceId)).toMatchObject(refused);
    expect(await aGuest(opine).post('/auth/otp/request', { phoneNumber, deviceId })).toMatchObject(refused);
    const code = '4242';
    expect(await aGuest(opine).post('/auth/otp/verify', { phoneNumber, code, deviceId })).toMatchObject(
      refused,
    );
  });

  test.each([
    'an unknown install',
    'abcdeabcdeabcdeabcde',
    '00000000-0000-4000-8000-00000000abcd',
    'a0:00:00:00:00:0b:c',
  ])('the device id %j is no placeholder', async (deviceId) => {
    expect((await startSession(deviceId)).status).toBe(200);
  });

  // docs/product.md I13, I21
  test('a device id is stored as a keyed hash only', async () => {
    const deviceId = 'install that nobody may know';
    const { data } = await startSession(deviceId);
    const user = await opine.database.superuser
      .selectFrom('app.users')
      .selectAll()
      .where('id', '=', data.user.id)
      .executeTakeFirstOrThrow();
    expect(user.device_hash).not.toBeNull();
    expect(user.device_hash).not.toEqual(createHash('sha256').update(deviceId).digest());
    expect(JSON.stringify({ ...user, device_hash: user.device_hash?.toString('latin1') })).not.toContain(
      deviceId,
    );
  });
});
