import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, confirmedPerson, registeredPerson } from '../support/people.ts';
import {
  deviceOwner,
  newDeviceToken,
  registerDevice,
  registerDevices,
  registeredTokens,
  tokenHash,
  unregisterDevice,
} from '../support/pushes.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('POST /notifications/device-tokens', () => {
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

  test('a token belongs to the user who registered the token last', async () => {
    const [maya, jonas] = [await registeredPerson(opine), await confirmedPerson(opine)];
    const token = newDeviceToken();
    await registerDevice(maya, token);
    expect((await registerDevice(jonas, token)).status).toBe(200);
    expect(await deviceOwner(opine, token)).toBe(jonas.id);
    expect((await unregisterDevice(maya, token)).data).toEqual({ removed: false });
    await logOut(opine, maya.session, { logoutFromAllDevices: true });
    expect(await deviceOwner(opine, token)).toBe(jonas.id);
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

  test('a registration requires level 2', async () => {
    const token = newDeviceToken();
    expect(await registerDevice(await anonymousPerson(opine), token)).toMatchObject(
      refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' }),
    );
    expect(await registerDevice(aGuest(opine), token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await deviceOwner(opine, token)).toBeUndefined();
  });

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

  test('the removal of a token of another user or of nobody answers removed: false', async () => {
    const [maya, other] = [await registeredPerson(opine), await anonymousPerson(opine)];
    const token = newDeviceToken();
    await registerDevice(maya, token);
    expect((await unregisterDevice(other, token)).data).toEqual({ removed: false });
    expect((await unregisterDevice(other, newDeviceToken())).data).toEqual({ removed: false });
    expect(await deviceOwner(opine, token)).toBe(maya.id);
    expect(await unregisterDevice(aGuest(opine), token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});

describe('a user with more than five devices', () => {
  test('a sixth device drops the one that was refreshed longest ago', async () => {
    const maya = await registeredPerson(opine);
    const tokens = await registerDevices(opine, maya, 5);
    expect(await registeredTokens(opine, maya.id, tokens)).toEqual(tokens);
    const [first = '', , ...later] = tokens;
    await registerDevice(maya, first);
    await advanceTime(opine, '1 second');
    const [sixth = ''] = await registerDevices(opine, maya, 1);
    expect(await registeredTokens(opine, maya.id, [...tokens, sixth])).toEqual([first, ...later, sixth]);
  });

  test('twelve concurrent registrations leave five devices', async () => {
    const maya = await registeredPerson(opine);
    const tokens = Array.from({ length: 12 }, newDeviceToken);
    const replies = await Promise.all(tokens.map((token) => registerDevice(maya, token)));
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await registeredTokens(opine, maya.id, tokens)).toHaveLength(5);
  });

  test('a sixth device drops no device of another user', async () => {
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    const [his = ''] = await registerDevices(opine, jonas, 1);
    await registerDevices(opine, maya, 6);
    expect(await deviceOwner(opine, his)).toBe(jonas.id);
  });
});
