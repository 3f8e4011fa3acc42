import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json, refusal } from '../support/client.ts';
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
import {
  deviceOwner,
  newDeviceToken,
  registerDevice,
  registerDevices,
  registeredTokens,
  tokenHash,
  unregisterDevice,
} from '../support/pushes.ts';
import { enterCode, logOut, requestOtp } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('POST /notifications/device-tokens', () => {
  // docs/product.md N21
  test.each(['android', 'ios'])('an owner registers the same %s token repeatedly', async (platform) => {
    const maya = await registeredPerson(opine);
    const token = newDeviceToken();
    for (const _ of [1, 2, 3]) {
      const { status, data } = await registerDevice(maya, token, platform);
      expect([status, data]).toEqual([200, { registered: true }]);
    }
    expect(await deviceOwner(opine, token)).toBe(maya.id);
  });

  test('ten concurrent registrations of one token all succeed', async () => {
    const maya = await registeredPerson(opine);
    const token = newDeviceToken();
    const replies = await Promise.all(Array.from({ length: 10 }, () => registerDevice(maya, token)));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await registeredTokens(opine, maya.id, [token])).toEqual([token]);
  });

  test('a token that two users register at once belongs to exactly one of them', async () => {
    for (const _ of Array(10).keys()) {
      const pair = await Promise.all([registeredPerson(opine), registeredPerson(opine)]);
      const token = newDeviceToken();
      const replies = await Promise.all(pair.map((person) => registerDevice(person, token)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(pair.map(({ id }) => id)).toContain(await deviceOwner(opine, token));
      const removed = await Promise.all(pair.map((person) => unregisterDevice(person, token)));
      expect(removed.filter(({ data }) => data.removed)).toHaveLength(1);
    }
  });

  // docs/product.md N21
  test('the table stores the hash of a token and never the token or its bytes', async () => {
    const token = newDeviceToken();
    await registerDevice(await registeredPerson(opine), token);
    const { rows } = await sql<{ row: string }>`select t::text as row from app.device_tokens as t`.execute(
      opine.database.superuser,
    );
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored).toContain(tokenHash(token).toString('hex'));
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(Buffer.from(token).toString('hex'));
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  });
});

describe('validation of a token', () => {
  test.each([
    ['16 characters', 'x'.repeat(16)],
    ['4096 characters', 'x'.repeat(4096)],
    ['punctuation', 'd:APA91b-_:%/+=~'],
  ])('a token with %s is accepted', async (_, token) => {
    const maya = await registeredPerson(opine);
    expect((await registerDevice(maya, token)).status).toBe(200);
    expect((await unregisterDevice(maya, token)).data).toEqual({ removed: true });
  });

  test.each([
    ['15 characters', 'x'.repeat(15)],
    ['4097 characters', 'x'.repeat(4097)],
    ['a space', 'a token with spaces in it'],
    ['a line feed', 'a-token-with-\n-in-it'],
    ['a tab at its end', `${'x'.repeat(20)}\t`],
    ['a no-break space', `a-token-with-\u00a0-in-it`],
    ['a NUL', `a-token-with-\u0000-in-it`],
    ['a bell', `a-token-with-\u0007-in-it`],
    ['a DEL', `a-token-with-\u007f-in-it`],
    ['a control character of Latin-1', `a-token-with-\u0085-in-it`],
    ['a number for a string', 1234567890123456],
    ['no value', undefined],
  ])('a token with %s is 422', async (_, token) => {
    const maya = await registeredPerson(opine);
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['token'] }] });
    expect(await registerDevice(maya, token)).toMatchObject(refused);
    expect(await unregisterDevice(maya, token)).toMatchObject(refused);
  });

  test.each(['windows', 'iOS', '', null, undefined, 1])('the platform %j is 422', async (platform) => {
    // `registerDevice` would replace `undefined` by its default.
    const body = { token: newDeviceToken(), platform };
    const reply = await (await registeredPerson(opine)).post('/notifications/device-tokens', body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['platform'] }] }));
  });
});

describe('the removal of a device token', () => {
  // docs/product.md N23
  test('a repeated removal succeeds and answers removed: false', async () => {
    const maya = await registeredPerson(opine);
    const [token, kept] = [newDeviceToken(), newDeviceToken()];
    await registerDevice(maya, token);
    await registerDevice(maya, kept);
    const first = await unregisterDevice(maya, token);
    expect([first.status, first.data]).toEqual([200, { removed: true }]);
    const again = await unregisterDevice(maya, token);
    expect([again.status, again.data]).toEqual([200, { removed: false }]);
    expect(await registeredTokens(opine, maya.id, [token, kept])).toEqual([kept]);
  });
});

describe('a user with more than five devices', () => {
  test('twelve concurrent registrations leave five devices', async () => {
    const maya = await registeredPerson(opine);
    const tokens = Array.from({ length: 12 }, newDeviceToken);
    const replies = await Promise.all(tokens.map((token) => registerDevice(maya, token)));
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await registeredTokens(opine, maya.id, tokens)).toHaveLength(5);
  });
});

const refresh = ({ refreshToken }: Json) => aGuest(opine).post('/auth/session/refresh', { refreshToken });

/** Signs `person` in on a second device. */
async function onSecondDevice(person: Person): Promise<Json> {
  await advanceTime(opine, '1 minute');
  return signIn(opine, person.phoneNumber);
}

describe('POST /auth/logout', () => {
  test('a log-out keeps a device that another session has registered since', async () => {
    const maya = await confirmedPerson(opine);
    const other = await onSecondDevice(maya);
    const token = newDeviceToken();
    await registerDevice(maya, token);
    await registerDevice(clientOf(opine.url, other.accessToken), token);
    await logOut(opine, maya.session);
    expect(await deviceOwner(opine, token)).toBe(maya.id);
    await logOut(opine, other);
    expect(await deviceOwner(opine, token)).toBeUndefined();
  });

  test('a refused log-out removes no token', async () => {
    const [maya, other] = [await registeredPerson(opine), await anonymousPerson(opine)];
    const token = newDeviceToken();
    await registerDevice(maya, token);
    const { accessToken } = maya.session;
    const { refreshToken } = other.session;
    const reply = await logOut(opine, { accessToken, refreshToken }, { notificationDeviceToken: token });
    expect(reply.status).toBe(401);
    expect(await deviceOwner(opine, token)).toBe(maya.id);
  });
});

test('a reused refresh token removes the device tokens of its session', async () => {
  const maya = await confirmedPerson(opine);
  const other = await onSecondDevice(maya);
  const [stolen, safe] = [newDeviceToken(), newDeviceToken()];
  await registerDevice(maya, stolen);
  await registerDevice(clientOf(opine.url, other.accessToken), safe);
  await refresh(maya.session);
  expect(await registeredTokens(opine, maya.id, [stolen, safe])).toEqual([stolen, safe]);
  await advanceTime(opine, '61 seconds');
  expect((await refresh(maya.session)).status).toBe(401);
  expect(await registeredTokens(opine, maya.id, [stolen, safe])).toEqual([safe]);
});

describe('an anonymous user who verifies a phone', () => {
  async function verify(person: Person, phoneNumber: string): Promise<Json> {
    await advanceTime(opine, '1 minute');
    await requestOtp(person, phoneNumber);
    const { status, data } = await enterCode(person, phoneNumber);
    expect(status).toBe(200);
    return data;
  }

  test('an anonymous user keeps their devices when the phone is new', async () => {
    const maya = await registeredPerson(opine);
    const tokens = await registerDevices(opine, maya, 2);
    const { user } = await verify(maya, newPhoneNumber());
    expect(await registeredTokens(opine, user.id, tokens)).toEqual(tokens);
  });
});
