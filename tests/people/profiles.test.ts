import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  expectOk,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
} from '../support/client.ts';
import { follow, profileSeenBy } from '../support/graph.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';
import { castVote } from '../support/votes.ts';

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

  test('a profile counts a vote for others only when no result can reveal it', async () => {
    const [amara, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    const votesSeenBy = async (viewer: Client) => (await profileSeenBy(viewer, jonas)).activity.votes;
    await castVote(jonas, await aSlider(amara));
    expect([await votesSeenBy(jonas), await votesSeenBy(amara), await votesSeenBy(aGuest(opine))]).toEqual([
      1, 0, 0,
    ]);
    await advanceTime(opine, '61 minutes');
    expect(await votesSeenBy(aGuest(opine))).toBe(1);
  });

  test.each([...MALFORMED_IDS, NONEXISTENT.id])('the id "%s" gets 404', async (id) => {
    for (const viewer of [aGuest(opine), await anonymousPerson(opine)]) {
      expect(await byId(viewer, { id })).toMatchObject(NOT_FOUND);
    }
  });

  test.each([
    'ab',
    'x'.repeat(31),
    'no_such_person',
    '@somebody',
    '%40',
    '%25',
    '___%25',
    '🙂',
    'a.b',
    '%00',
  ])('the username "%s" gets 404', async (username) =>
    expect(await byName(aGuest(opine), username)).toMatchObject(NOT_FOUND),
  );

  test('a username with a leading @ gets 404', async () => {
    const amara = await registeredPerson(opine);
    for (const at of ['@', '%40']) {
      expect(await byName(aGuest(opine), `${at}${amara.username}`)).toMatchObject(NOT_FOUND);
    }
  });

  test('a username in upper case finds its user', async () => {
    const amara = await registeredPerson(opine, 'Amara');
    const { status, data } = await byName(aGuest(opine), amara.username.toUpperCase());
    expect([status, data.id, data.username]).toEqual([200, amara.id, amara.username]);
  });

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

  test('an Authorization header without one token gets 401', async () => {
    const amara = await registeredPerson(opine);
    for (const authorization of ['Bearer', 'Bearer two tokens']) {
      const reply = await aGuest(opine).get(`/users/${amara.id}/profile`, { headers: { authorization } });
      expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });

  test('an expired bearer gets 401 by id and the view of a guest by username', async () => {
    const [amara, viewer] = [await registeredPerson(opine), await registeredPerson(opine)];
    await advanceTime(opine, '16 minutes');
    expect(await byId(viewer, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await byName(viewer, amara.username)).toMatchObject({ status: 200, data: { viewer: null } });
    expect((await byId(aGuest(opine), amara)).data.viewer).toBeNull();
  });
});

test('no cache stores an answer with or without a profile', async () => {
  const amara = await registeredPerson(opine);
  const replies = [
    await byId(aGuest(opine), amara),
    await byId(amara, amara),
    await byId(amara, NONEXISTENT),
    await byId(clientOf(opine.url, 'no.good.token'), amara),
    await byName(amara, amara.username),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 404, 401, 200]);
  for (const { headers } of replies) {
    expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
    expect(headers.get('vary')).toBe('Authorization');
  }
});

describe('GET /users/me/profile', () => {
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

  test('a guest or a logged-out user can neither read nor change a profile', async () => {
    expect(await aGuest(opine).get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await change(aGuest(opine), { bio: 'Mine.' })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const amara = await registeredPerson(opine);
    await logOut(opine, amara.session);
    expect(await amara.get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await change(amara, { bio: 'Mine.' })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await profileSeenBy(aGuest(opine), amara)).bio).toBeNull();
  });
});

describe('PATCH /users/me/profile', () => {
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

  test('a change to the current values changes nothing', async () => {
    const amara = await registeredPerson(opine, 'Amara');
    const before = await own(amara);
    expect(await expectOk(change(amara, { username: amara.username, fullName: 'Amara' }))).toEqual(before);
  });

  test.each([null, '', '   '])('the bio %j clears the bio', async (bio) => {
    const amara = await registeredPerson(opine);
    await expectOk(change(amara, { bio: 'For now.' }));
    expect((await expectOk(change(amara, { bio }))).bio).toBeNull();
    expect((await profileSeenBy(aGuest(opine), amara)).bio).toBeNull();
  });

  test.each([
    { bio: '🌱'.repeat(160) },
    { bio: 'Line one.\nLine two.' },
    { bio: `<b>"quoted"</b> \\ % '` },
    { fullName: 'Li' },
    { fullName: '👍'.repeat(80) },
    { username: 'abc' },
    { username: `a${'_'.repeat(29)}` },
  ])('the change %j is accepted', async (fields) => {
    const amara = await registeredPerson(opine);
    expect(await expectOk(change(amara, fields))).toMatchObject(fields);
    expect((await own(amara)).editable).toMatchObject(fields);
  });

  test.each([
    ['bio', '🌱'.repeat(161)],
    ['bio', 1],
    ['bio', 'Not\u0000this.'],
    ['fullName', 'A'],
    ['fullName', ' A '],
    ['fullName', '👍'.repeat(81)],
    ['fullName', null],
    ['username', null],
    ['username', 'ab'],
    ['username', 'a'.repeat(31)],
    ['username', 'Amara'],
    ['username', '@amara'],
    ['username', 'am ara'],
    ['username', 'ämara'],
    ['username', 'amara\n'],
    ['profileAssetId', 'no-uuid'],
    ['profileAssetId', 7],
  ])('the %s %j is refused', async (field, value) => {
    const amara = await registeredPerson(opine);
    const before = await own(amara);
    expect(await change(amara, { [field]: value })).toMatchObject(invalid(field));
    expect(await own(amara)).toEqual(before);
  });

  test('a change without fields or with unknown fields is refused', async () => {
    const amara = await registeredPerson(opine);
    for (const fields of [
      {},
      { phoneNumber: newPhoneNumber() },
      { bio: 'So.', level: 4 },
      { id: amara.id },
      [],
    ]) {
      expect(await change(amara, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    expect((await own(amara)).bio).toBeNull();
  });

  test('a user without a profile gets 403 with the next step', async () => {
    const maya = await anonymousPerson(opine);
    expect(await change(maya, { bio: 'Me.' })).toMatchObject(
      refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' }),
    );
  });

  test('a username of another user gets 409 and changes nothing', async () => {
    const [amara, jonas] = [await registeredPerson(opine, 'Amara'), await registeredPerson(opine)];
    const reply = await change(amara, { username: jonas.username, fullName: 'Jonas Too' });
    expect(reply).toMatchObject(refusal(409, 'HANDLE_TAKEN'));
    expect(await own(amara)).toMatchObject({ name: 'Amara', username: amara.username });
  });

  test('a reserved username gets the issue "reserved"', async () => {
    const amara = await registeredPerson(opine);
    expect(await change(amara, { username: '_o_pine_' })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['username'], code: 'reserved' }] }),
    );
  });

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
