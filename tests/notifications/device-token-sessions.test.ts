import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json } from '../support/client.ts';
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
} from '../support/pushes.ts';
import { enterCode, logOut, requestOtp } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const refresh = ({ refreshToken }: Json) => aGuest(opine).post('/auth/session/refresh', { refreshToken });

/** Signs `person` in on a second device. */
async function onSecondDevice(person: Person): Promise<Json> {
  await advanceTime(opine, '1 minute');
  return signIn(opine, person.phoneNumber);
}

describe('POST /auth/logout', () => {
  test('a log-out of one device removes the tokens of that session only', async () => {
    const maya = await confirmedPerson(opine);
    const other = await onSecondDevice(maya);
    const [here, there] = [newDeviceToken(), newDeviceToken()];
    await registerDevice(maya, here);
    await registerDevice(clientOf(opine.url, other.accessToken), there);
    await logOut(opine, maya.session);
    expect(await registeredTokens(opine, maya.id, [here, there])).toEqual([there]);
  });

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

  test('a log-out from all devices removes every token of the caller and of nobody else', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    const other = await onSecondDevice(maya);
    const [here, there, his] = [newDeviceToken(), newDeviceToken(), newDeviceToken()];
    await registerDevice(maya, here);
    await registerDevice(clientOf(opine.url, other.accessToken), there);
    await registerDevice(jonas, his);
    await logOut(opine, maya.session, { logoutFromAllDevices: true });
    expect(await registeredTokens(opine, maya.id, [here, there])).toEqual([]);
    expect(await deviceOwner(opine, his)).toBe(jonas.id);
  });

  test('a log-out removes the named token of the caller but no token of another user', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    const other = await onSecondDevice(maya);
    const [named, kept, his] = [newDeviceToken(), newDeviceToken(), newDeviceToken()];
    for (const token of [named, kept]) await registerDevice(clientOf(opine.url, other.accessToken), token);
    await registerDevice(jonas, his);
    expect((await logOut(opine, maya.session, { notificationDeviceToken: named })).status).toBe(200);
    expect(await registeredTokens(opine, maya.id, [named, kept])).toEqual([kept]);
    expect((await logOut(opine, other, { notificationDeviceToken: his })).status).toBe(200);
    expect(await deviceOwner(opine, his)).toBe(jonas.id);
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

test('a device that was not refreshed for 60 days is pruned', async () => {
  const prune = () => sql`select app.prune_device_tokens()`.execute(opine.database.superuser);
  const maya = await registeredPerson(opine);
  const [stale, fresh] = [newDeviceToken(), newDeviceToken()];
  await registerDevice(maya, stale);
  await registerDevice(maya, fresh);
  await advanceTime(opine, '59 days 23 hours');
  const { data } = await refresh(maya.session);
  await registerDevice(clientOf(opine.url, data.accessToken), fresh);
  await prune();
  expect(await registeredTokens(opine, maya.id, [stale, fresh])).toEqual([stale, fresh]);
  await advanceTime(opine, '1 hour');
  await prune();
  expect(await registeredTokens(opine, maya.id, [stale, fresh])).toEqual([fresh]);
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

  test('a merge moves the devices to the known user, who keeps the five newest', async () => {
    const [known, maya] = [await confirmedPerson(opine), await registeredPerson(opine)];
    const [first = '', ...others] = await registerDevices(opine, known, 4);
    const brought = await registerDevices(opine, maya, 3);
    await registerDevice(known, first);
    const { user } = await verify(maya, known.phoneNumber);
    expect(user.id).toBe(known.id);
    expect(await registeredTokens(opine, known.id, [first, ...others, ...brought])).toEqual([
      first,
      others.at(-1),
      ...brought,
    ]);
    expect(await registeredTokens(opine, maya.id, brought)).toEqual([]);
  });

  test('a log-out after a merge removes the devices of the merged user', async () => {
    const [known, maya] = [await confirmedPerson(opine), await registeredPerson(opine)];
    const [hers = ''] = await registerDevices(opine, known, 1);
    const brought = await registerDevices(opine, maya, 2);
    await logOut(opine, await verify(maya, known.phoneNumber));
    expect(await registeredTokens(opine, known.id, [hers, ...brought])).toEqual([hers]);
  });
});
