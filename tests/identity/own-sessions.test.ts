import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aDeviceToken, keptFor, register } from '../support/devices.ts';
import { granted, NO_IDS, NOBODY } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, type Person, signIn } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { isToReconnect, listening } from '../support/streams.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const SESSIONS = '/users/me/sessions';
const NOT_FOUND = refusal(404, 'SESSION_NOT_FOUND');
const idOf = ({ session }: Pick<Person, 'session'>) => String(decodeJwt(session.accessToken).session_id);
const sessionsOf = async (person: Client): Promise<Json[]> => (await granted(person.get(SESSIONS))).items;
const end = (person: Client, id: string) => person.delete(`${SESSIONS}/${id}`);
const isAlive = async (person: Client) => (await person.get('/users/me/onboarding/status')).status === 200;
const refresh = ({ session }: Person) =>
  aGuest(opine).post('/auth/session/refresh', { refreshToken: session.refreshToken });

/** `person` on a second device. */
async function elsewhere(person: Person): Promise<Person> {
  await timePasses(opine, '1 minute');
  const session = await signIn(opine, person.phoneNumber);
  return { ...person, ...clientOf(opine.url, session.accessToken), session };
}

describe('where one is signed in', () => {
  test('is shown by what helps to recognise it, and nothing else', async () => {
    const headers = { 'user-agent': 'okhttp/4.12.0' };
    const body = { deviceId: 'an install that is looked at' };
    const { data } = await aGuest(opine).post('/auth/anonymous/session', body, { headers });
    const maya = clientOf(opine.url, data.accessToken);
    expect(await granted(maya.get(SESSIONS))).toEqual({
      items: [
        {
          id: idOf({ session: data }),
          kind: 'android',
          createdAt: expect.stringMatching(/Z$/),
          lastUsedAt: expect.stringMatching(/Z$/),
          isCurrent: true,
        },
      ],
      nextCursor: null,
    });
  });

  test('comes last used first, and says which one asks', async () => {
    const maya = await aConfirmed(opine);
    const [home, work] = [await elsewhere(maya), await elsewhere(maya)];
    const seenBy = async (person: Client) =>
      (await sessionsOf(person)).map(({ id, isCurrent }) => [id, isCurrent]);
    expect(await seenBy(home)).toEqual([
      [idOf(work), false],
      [idOf(home), true],
      [idOf(maya), false],
    ]);
    await timePasses(opine, '1 minute');
    await refresh(maya);
    expect((await seenBy(work)).map(([id]) => id)).toEqual([idOf(maya), idOf(work), idOf(home)]);
  });

  test('is not where one has logged out, nor where somebody else is', async () => {
    const [maya, jonas] = [await aConfirmed(opine), await anAnonymous(opine)];
    const home = await elsewhere(maya);
    await logOut(opine, home.session);
    expect((await sessionsOf(maya)).map(({ id }) => id)).toEqual([idOf(maya)]);
    expect((await sessionsOf(jonas)).map(({ id }) => id)).toEqual([idOf(jonas)]);
    expect(await home.get(SESSIONS)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await aGuest(opine).get(SESSIONS)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});

describe('a session is ended from another', () => {
  test('at once: both of its tokens, its stream, and its push messages, and no other', async () => {
    const maya = await aConfirmed(opine);
    const home = await elsewhere(maya);
    const [here, there] = [aDeviceToken(), aDeviceToken()];
    await register(maya, here);
    await register(home, there);
    const [hers, lost] = [await listening(opine, maya), await listening(opine, home)];
    const { status, data } = await end(maya, idOf(home));
    expect([status, data]).toEqual([200, {}]);
    expect(await isAlive(home)).toBe(false);
    expect((await refresh(home)).status).toBe(401);
    expect(await keptFor(opine, maya.id, [here, there])).toEqual([here]);
    expect(await isAlive(maya)).toBe(true);
    expect((await refresh(maya)).status).toBe(200);
    await isToReconnect(lost);
    expect(hers.ending).toBeUndefined();
  });

  test('once', async () => {
    const maya = await aConfirmed(opine);
    const home = await elsewhere(maya);
    const replies = await Promise.all([end(maya, idOf(home)), end(maya, idOf(home))]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await end(maya, idOf(home))).toMatchObject(NOT_FOUND);
  });

  test('while it refreshes', async () => {
    const maya = await aConfirmed(opine);
    const home = await elsewhere(maya);
    const [ended, ...refreshed] = await Promise.all([end(maya, idOf(home)), refresh(home), refresh(home)]);
    expect(ended.status).toBe(200);
    for (const { status, data } of refreshed) {
      expect([200, 401]).toContain(status);
      if (status === 200) expect(await isAlive(clientOf(opine.url, data.accessToken))).toBe(false);
    }
    expect((await refresh(home)).status).toBe(401);
  });

  test('each by the other', async () => {
    const maya = await aConfirmed(opine);
    const home = await elsewhere(maya);
    const replies = await Promise.all([end(maya, idOf(home)), end(home, idOf(maya))]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
  });
});

test('a session ends itself', async () => {
  const maya = await anAnonymous(opine);
  expect(await end(maya, idOf(maya).toUpperCase())).toMatchObject({ status: 200, data: {} });
  expect(await isAlive(maya)).toBe(false);
  expect((await refresh(maya)).status).toBe(401);
  expect(await end(maya, idOf(maya))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
});

test('nobody ends what is not theirs', async () => {
  const [maya, jonas] = [await anAnonymous(opine), await anAnonymous(opine)];
  for (const id of [idOf(jonas), jonas.id, NOBODY.id, ...NO_IDS]) {
    expect(await end(maya, id)).toMatchObject(NOT_FOUND);
  }
  expect(await end(aGuest(opine), idOf(jonas))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  expect(await isAlive(jonas)).toBe(true);
});
