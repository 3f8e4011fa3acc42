import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aPhone } from '../support/people.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const openAppOn = (deviceId: unknown) => aGuest(opine).post('/auth/anonymous/session', { deviceId });

describe('an install', () => {
  test('is somebody from the first start on', async () => {
    const { status, data } = await openAppOn('install of somebody new');
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

  test('finds its account again, and no other install does', async () => {
    const first = await openAppOn('install that comes back');
    const again = await openAppOn('install that comes back');
    const other = await openAppOn('install of another one');
    expect(again.data.user.id).toBe(first.data.user.id);
    expect(again.data.refreshToken).not.toBe(first.data.refreshToken);
    expect(other.data.user.id).not.toBe(first.data.user.id);
  });

  test('finds the profile that was made on it', async () => {
    const { data } = await openAppOn('install with a profile');
    const profile = { fullName: 'Lena Ortiz', username: 'lena', termsAccepted: true };
    await clientOf(opine.url, data.accessToken).put('/users/me/onboarding/profile-basics', profile);
    const { user } = (await openAppOn('install with a profile')).data;
    expect(user).toEqual({
      id: data.user.id,
      username: 'lena',
      fullName: 'Lena Ortiz',
      isAnonymous: false,
      level: 2,
    });
  });

  test('that opens ten times at once is one account', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => openAppOn('install in a hurry')));
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(opened.map(({ data }) => data.user.id)).size).toBe(1);
  });

  test('no longer opens an account with a verified phone', async () => {
    const deviceId = 'install that got a phone';
    const { data } = await openAppOn(deviceId);
    const phoneNumber = aPhone();
    await requestOtp(aGuest(opine), phoneNumber);
    const verified = await enterCode(clientOf(opine.url, data.accessToken), phoneNumber);
    expect(verified.data.user.id).toBe(data.user.id);
    expect((await openAppOn(deviceId)).data.user.id).not.toBe(data.user.id);
  });

  test.each([16, 200])('has an id of 16 to 200 characters: %i', async (length) => {
    expect((await openAppOn('d'.repeat(length))).status).toBe(200);
  });

  test.each([0, 15, 201])('has no id of %i characters', async (length) => {
    expect(await openAppOn('d'.repeat(length))).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['deviceId'] }] }),
    );
  });

  test('is stored as a keyed hash only', async () => {
    const deviceId = 'install that nobody may know';
    const { data } = await openAppOn(deviceId);
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
