import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aDeviceToken, keptFor, ownerOf, register, registerMany } from '../support/devices.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aConfirmed,
  aGuest,
  anAnonymous,
  aPhone,
  aRegistered,
  type Person,
  signIn,
} from '../support/people.ts';
import { enterCode, logOut, requestOtp } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const refresh = ({ refreshToken }: Json) => aGuest(opine).post('/auth/session/refresh', { refreshToken });

/** Signs `person` in on a second device. */
async function onSecondDevice(person: Person): Promise<Json> {
  await timePasses(opine, '1 minute');
  return signIn(opine, person.phoneNumber);
}

describe('POST /auth/logout', () => {
  test('a log-out of one device removes the tokens of that session only', async () => {
    const maya = await aConfirmed(opine);
    const other = await onSecondDevice(maya);
    const [here, there] = [aDeviceToken(), aDeviceToken()];
    await register(maya, here);
    await register(clientOf(opine.url, other.accessToken), there);
    await logOut(opine, maya.session);
    expect(await keptFor(opine, maya.id, [here, there])).toEqual([there]);
  });

  test('a log-out keeps a device that another session has registered since', async () => {
    const maya = await aConfirmed(opine);
    const other = await onSecondDevice(maya);
    const token = aDeviceToken();
    await register(maya, token);
    await register(clientOf(opine.url, other.accessToken), token);
    await logOut(opine, maya.session);
    expect(await ownerOf(opine, token)).toBe(maya.id);
    await logOut(opine, other);
    expect(await ownerOf(opine, token)).toBeUndefined();
  });

  test('a log-out from all devices removes every token of the caller and of nobody else', async () => {
    const [maya, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    const other = await onSecondDevice(maya);
    const [here, there, his] = [aDeviceToken(), aDeviceToken(), aDeviceToken()];
    await register(maya, here);
    await register(clientOf(opine.url, other.accessToken), there);
    await register(jonas, his);
    await logOut(opine, maya.session, { logoutFromAllDevices: true });
    expect(await keptFor(opine, maya.id, [here, there])).toEqual([]);
    expect(await ownerOf(opine, his)).toBe(jonas.id);
  });

  test('a log-out removes the named token of the caller but no token of another user', async () => {
    const [maya, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    const other = await onSecondDevice(maya);
    const [named, kept, his] = [aDeviceToken(), aDeviceToken(), aDeviceToken()];
    for (const token of [named, kept]) await register(clientOf(opine.url, other.accessToken), token);
    await register(jonas, his);
    expect((await logOut(opine, maya.session, { notificationDeviceToken: named })).status).toBe(200);
    expect(await keptFor(opine, maya.id, [named, kept])).toEqual([kept]);
    expect((await logOut(opine, other, { notificationDeviceToken: his })).status).toBe(200);
    expect(await ownerOf(opine, his)).toBe(jonas.id);
  });

  test('a refused log-out removes no token', async () => {
    const [maya, other] = [await aRegistered(opine), await anAnonymous(opine)];
    const token = aDeviceToken();
    await register(maya, token);
    const { accessToken } = maya.session;
    const { refreshToken } = other.session;
    const reply = await logOut(opine, { accessToken, refreshToken }, { notificationDeviceToken: token });
    expect(reply.status).toBe(401);
    expect(await ownerOf(opine, token)).toBe(maya.id);
  });
});

test('a reused refresh token removes the device tokens of its session', async () => {
  const maya = await aConfirmed(opine);
  const other = await onSecondDevice(maya);
  const [stolen, safe] = [aDeviceToken(), aDeviceToken()];
  await register(maya, stolen);
  await register(clientOf(opine.url, other.accessToken), safe);
  await refresh(maya.session);
  expect(await keptFor(opine, maya.id, [stolen, safe])).toEqual([stolen, safe]);
  await timePasses(opine, '61 seconds');
  expect((await refresh(maya.session)).status).toBe(401);
  expect(await keptFor(opine, maya.id, [stolen, safe])).toEqual([safe]);
});

test('a device that was not refreshed for 60 days is pruned', async () => {
  const prune = () => sql`select app.prune_device_tokens()`.execute(opine.database.superuser);
  const maya = await aRegistered(opine);
  const [stale, fresh] = [aDeviceToken(), aDeviceToken()];
  await register(maya, stale);
  await register(maya, fresh);
  await timePasses(opine, '59 days 23 hours');
  const { data } = await refresh(maya.session);
  await register(clientOf(opine.url, data.accessToken), fresh);
  await prune();
  expect(await keptFor(opine, maya.id, [stale, fresh])).toEqual([stale, fresh]);
  await timePasses(opine, '1 hour');
  await prune();
  expect(await keptFor(opine, maya.id, [stale, fresh])).toEqual([fresh]);
});

describe('an anonymous user who verifies a phone', () => {
  async function verify(person: Person, phoneNumber: string): Promise<Json> {
    await timePasses(opine, '1 minute');
    await requestOtp(person, phoneNumber);
    const { status, data } = await enterCode(person, phoneNumber);
    expect(status).toBe(200);
    return data;
  }

  test('an anonymous user keeps their devices when the phone is new', async () => {
    const maya = await aRegistered(opine);
    const tokens = await registerMany(opine, maya, 2);
    const { user } = await verify(maya, aPhone());
    expect(await keptFor(opine, user.id, tokens)).toEqual(tokens);
  });

  test('a merge moves the devices to the known user, who keeps the five newest', async () => {
    const [known, maya] = [await aConfirmed(opine), await aRegistered(opine)];
    const [first = '', ...others] = await registerMany(opine, known, 4);
    const brought = await registerMany(opine, maya, 3);
    await register(known, first);
    const { user } = await verify(maya, known.phoneNumber);
    expect(user.id).toBe(known.id);
    expect(await keptFor(opine, known.id, [first, ...others, ...brought])).toEqual([
      first,
      others.at(-1),
      ...brought,
    ]);
    expect(await keptFor(opine, maya.id, brought)).toEqual([]);
  });

  test('a log-out after a merge removes the devices of the merged user', async () => {
    const [known, maya] = [await aConfirmed(opine), await aRegistered(opine)];
    const [hers = ''] = await registerMany(opine, known, 1);
    const brought = await registerMany(opine, maya, 2);
    await logOut(opine, await verify(maya, known.phoneNumber));
    expect(await keptFor(opine, known.id, [hers, ...brought])).toEqual([hers]);
  });
});
