import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, expectOk, type Json, NONEXISTENT, refusal } from '../support/client.ts';
import { follow, profileSeenBy } from '../support/graph.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NOT_FOUND = refusal(404, 'USER_NOT_FOUND');

const byId = (viewer: Client, { id }: { id: string }) => viewer.get(`/users/${id}/profile`);
const byName = (viewer: Client, username: string) => viewer.get(`/users/by-username/${username}`);

/** Returns the profile by id and by username. */
async function bothWays(viewer: Client, person: Person): Promise<Json[]> {
  const replies = [await byId(viewer, person), await byName(viewer, person.username)];
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  return replies.map(({ data }) => data);
}

const PATH = '/users/me/profile';
const own = (person: Client): Promise<Json> => expectOk(person.get(PATH));
const change = (person: Client, fields: unknown) => person.patch(PATH, fields);
const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });

describe('GET /users/{userId}/profile and GET /users/by-username/{username}', () => {
  // docs/product.md P6
  test('a guest sees the same public profile by id and by username', async () => {
    const amara = await hubReadyPerson(opine, 'Amara Okafor');
    const profile = {
      id: amara.id,
      name: 'Amara Okafor',
      username: amara.username,
      bio: null,
      profilePhotoUrl: null,
      isAnonymous: false,
      counts: { followers: 0, following: 0 },
      activity: { posts: 0, reposts: 0, comments: 0, votes: 0 },
      adminHubs: [],
      viewer: null,
    };
    expect(await bothWays(aGuest(opine), amara)).toEqual([profile, profile]);
  });

  // docs/product.md P6, P11
  test('a profile contains no phone number, no level and no Hub name', async () => {
    const amara = await hubReadyPerson(opine, 'Amara');
    expect((await amara.patch('/users/me/hub-profile', { displayName: 'Night Owl' })).status).toBe(200);
    const follower = await hubReadyPerson(opine);
    await follow(follower, amara);
    for (const viewer of [aGuest(opine), await anonymousPerson(opine), follower, amara]) {
      const text = JSON.stringify(await bothWays(viewer, amara));
      expect(text).not.toContain(amara.phoneNumber.slice(-7));
      expect(text).not.toContain('Night Owl');
      expect(text).not.toMatch(/phone|level|createdAt|editable|fullName/i);
    }
  });

  test('a username in upper case finds its user', async () => {
    const amara = await registeredPerson(opine, 'Amara');
    const { status, data } = await byName(aGuest(opine), amara.username.toUpperCase());
    expect([status, data.id, data.username]).toEqual([200, amara.id, amara.username]);
  });

  // docs/product.md P1, P2
  test('a former username finds its new owner, and an id its user', async () => {
    const [amara, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    expect((await amara.patch('/users/me/profile', { username: `${amara.username}_2` })).status).toBe(200);
    expect(await byName(aGuest(opine), amara.username)).toMatchObject(NOT_FOUND);
    expect((await jonas.patch('/users/me/profile', { username: amara.username })).status).toBe(200);
    expect((await byName(aGuest(opine), amara.username)).data.id).toBe(jonas.id);
    expect((await profileSeenBy(aGuest(opine), amara)).username).toBe(`${amara.username}_2`);
  });
});

describe('a profile request with an invalid bearer', () => {
  test.each<[string, () => Promise<Client>]>([
    ['a malformed token', async () => clientOf(opine.url, 'no.good.token')],
    ['a long token', async () => clientOf(opine.url, 'ey'.repeat(200))],
    ['a logged-out session', loggedOut],
    ['a deleted account', deleted],
  ])('a bearer of %s gets 401 by id and the view of a guest by username', async (_, aViewer) => {
    const amara = await registeredPerson(opine);
    const viewer = await aViewer();
    for (const person of [amara, NONEXISTENT]) {
      expect(await byId(viewer, person)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    expect(await byName(viewer, amara.username)).toMatchObject({ status: 200, data: { viewer: null } });
  });

  async function loggedOut(): Promise<Client> {
    const viewer = await registeredPerson(opine);
    await logOut(opine, viewer.session);
    return viewer;
  }

  async function deleted(): Promise<Client> {
    const viewer = await registeredPerson(opine);
    await expectOk(viewer.delete('/users/me'));
    return viewer;
  }

  test('an expired bearer gets 401 by id and the view of a guest by username', async () => {
    const [amara, viewer] = [await registeredPerson(opine), await registeredPerson(opine)];
    await advanceTime(opine, '16 minutes');
    expect(await byId(viewer, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await byName(viewer, amara.username)).toMatchObject({ status: 200, data: { viewer: null } });
    expect((await byId(aGuest(opine), amara)).data.viewer).toBeNull();
  });
});

describe('GET /users/me/profile', () => {
  // docs/product.md P9, P11
  test('the own profile is the public one with the fields of its owner', async () => {
    const amara = await confirmedPerson(opine, 'Amara Okafor');
    await change(amara, { bio: 'Gardens.' });
    const { viewer: _, ...seen } = await profileSeenBy(aGuest(opine), amara);
    expect(await own(amara)).toEqual({
      ...seen,
      viewer: expect.anything(),
      fullName: 'Amara Okafor',
      phoneNumber: amara.phoneNumber,
      level: 3,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      editable: {
        fullName: 'Amara Okafor',
        username: amara.username,
        bio: 'Gardens.',
        profileAssetId: null,
      },
    });
  });
});

describe('PATCH /users/me/profile', () => {
  // docs/product.md P9
  test('a change is in the answer, in the own and in the public profile', async () => {
    const amara = await registeredPerson(opine, 'Before');
    const username = `${amara.username}_b`;
    const data = await expectOk(change(amara, { fullName: 'After All', username, bio: 'Since then.' }));
    expect(data).toMatchObject({
      id: amara.id,
      name: 'After All',
      fullName: 'After All',
      username,
      bio: 'Since then.',
      editable: { fullName: 'After All', username, bio: 'Since then.' },
    });
    expect(await own(amara)).toEqual(data);
    expect(await profileSeenBy(aGuest(opine), amara)).toMatchObject({
      name: 'After All',
      username,
      bio: 'Since then.',
    });
  });

  test('a length is counted in characters, and a bio may have lines and quotes', async () => {
    const amara = await registeredPerson(opine);
    for (const fields of [
      { bio: '🌱'.repeat(160) },
      { bio: `<b>"quoted"</b> \\ % '\nLine two.` },
      { fullName: '👍'.repeat(80) },
      { fullName: 'Li' },
    ]) {
      expect((await expectOk(change(amara, fields))).editable).toMatchObject(fields);
    }
    const before = await own(amara);
    for (const [field, value] of [
      ['bio', '🌱'.repeat(161)],
      ['fullName', '👍'.repeat(81)],
      ['fullName', '👍'],
      ['fullName', ' A '],
      ['fullName', null],
      ['username', null],
      ['username', 'amara\n'],
    ] as const) {
      expect(await change(amara, { [field]: value })).toMatchObject(invalid(field));
    }
    expect(await own(amara)).toEqual(before);
  });

  // docs/product.md P2
  test('one of two users who take a username at once gets it', async () => {
    for (const round of Array(10).keys()) {
      const pair = await Promise.all([registeredPerson(opine), registeredPerson(opine)]);
      const replies = await Promise.all(
        pair.map((person) => change(person, { username: `by_both_${round}` })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const handles = await Promise.all(pair.map(async (person) => (await own(person)).username));
      expect(handles.filter((handle) => handle === `by_both_${round}`)).toHaveLength(1);
    }
  });
});
