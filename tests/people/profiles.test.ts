import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { block, follow, NO_IDS, NOBODY, profileSeenBy, requestMute } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NOT_FOUND = refusal(404, 'USER_NOT_FOUND');
const STRANGERS = { follows: false, followedBy: false, blocking: false, publicPostsMuted: false };

const byId = (viewer: Client, { id }: { id: string }) => viewer.get(`/users/${id}/profile`);
const byName = (viewer: Client, username: string) => viewer.get(`/users/by-username/${username}`);

/** The same profile, asked for by id and by name. */
async function bothWays(viewer: Client, person: Person): Promise<Json[]> {
  const replies = [await byId(viewer, person), await byName(viewer, person.username)];
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  return replies.map(({ data }) => data);
}

describe('a profile', () => {
  test('is the same by id and by name, and shows a guest what is public', async () => {
    const amara = await aHubReady(opine, 'Amara Okafor');
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

  test.for([anAnonymous, aRegistered, aConfirmed])(
    'tells $name what they are to each other',
    async (aViewer) => {
      const amara = await aConfirmed(opine);
      for (const { viewer } of await bothWays(await aViewer(opine), amara)) expect(viewer).toEqual(STRANGERS);
    },
  );

  test('never holds a phone number, nor what it is in Hubs', async () => {
    const amara = await aHubReady(opine, 'Amara');
    expect((await amara.patch('/users/me/hub-profile', { displayName: 'Night Owl' })).status).toBe(200);
    const follower = await aHubReady(opine);
    await follow(follower, amara);
    for (const viewer of [aGuest(opine), await anAnonymous(opine), follower, amara]) {
      const text = JSON.stringify(await bothWays(viewer, amara));
      expect(text).not.toContain(amara.phoneNumber.slice(-7));
      expect(text).not.toContain('Night Owl');
      expect(text).not.toMatch(/phone|level|createdAt|editable|fullName/i);
    }
  });

  test('of oneself is that of nobody in particular', async () => {
    const amara = await aConfirmed(opine);
    for (const { viewer } of await bothWays(amara, amara)) expect(viewer).toEqual(STRANGERS);
  });

  test('counts posts', async () => {
    const amara = await aConfirmed(opine);
    const [, thought] = [await aSlider(amara), await aThought(amara)];
    expect((await profileSeenBy(await anAnonymous(opine), amara)).activity.posts).toBe(2);
    await amara.delete(`/posts/${thought.id}`);
    expect((await profileSeenBy(aGuest(opine), amara)).activity.posts).toBe(1);
  });

  test('counts votes, others only when nobody can tell any more which results they changed', async () => {
    const [amara, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    const votesSeenBy = async (viewer: Client) => (await profileSeenBy(viewer, jonas)).activity.votes;
    await castVote(jonas, await aSlider(amara));
    expect([await votesSeenBy(jonas), await votesSeenBy(amara), await votesSeenBy(aGuest(opine))]).toEqual([
      1, 0, 0,
    ]);
    await timePasses(opine, '61 minutes');
    expect(await votesSeenBy(aGuest(opine))).toBe(1);
  });

  test('says who follows whom, who is muted, and who is blocked', async () => {
    const [maya, amara, jonas] = [await aRegistered(opine), await aConfirmed(opine), await aConfirmed(opine)];
    await follow(maya, amara);
    await follow(jonas, maya);
    for (const { viewer } of await bothWays(maya, amara))
      expect(viewer).toEqual({ ...STRANGERS, follows: true });
    for (const { viewer } of await bothWays(amara, maya))
      expect(viewer).toEqual({ ...STRANGERS, followedBy: true });
    await follow(amara, maya);
    await requestMute(maya, amara);
    expect((await profileSeenBy(maya, amara)).viewer).toEqual({
      follows: true,
      followedBy: true,
      blocking: false,
      publicPostsMuted: true,
    });
    expect((await profileSeenBy(amara, maya)).viewer.publicPostsMuted).toBe(false);
    await block(maya, jonas);
    for (const { viewer } of await bothWays(maya, jonas))
      expect(viewer).toEqual({ ...STRANGERS, blocking: true });
  });
});

describe('nobody is found', () => {
  test.each(NO_IDS)('by the id "%s"', async (id) => {
    for (const viewer of [aGuest(opine), await anAnonymous(opine)]) {
      expect(await byId(viewer, { id })).toMatchObject(NOT_FOUND);
    }
  });

  test('by an id that nobody has', async () => {
    expect(await byId(aGuest(opine), NOBODY)).toMatchObject(NOT_FOUND);
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
  ])('by the name "%s"', async (username) =>
    expect(await byName(aGuest(opine), username)).toMatchObject(NOT_FOUND),
  );

  test('by a leading @, which no name has', async () => {
    const amara = await aRegistered(opine);
    for (const at of ['@', '%40']) {
      expect(await byName(aGuest(opine), `${at}${amara.username}`)).toMatchObject(NOT_FOUND);
    }
  });

  test('who gave no name yet, not even by themselves', async () => {
    const [maya, other] = [await anAnonymous(opine), await aRegistered(opine)];
    for (const viewer of [aGuest(opine), other, maya]) {
      expect(await byId(viewer, maya)).toMatchObject(NOT_FOUND);
    }
  });

  test('whose account has ended', async () => {
    const [amara, other] = [await aConfirmed(opine), await aRegistered(opine)];
    await amara.delete('/users/me');
    for (const viewer of [aGuest(opine), other]) {
      expect(await byId(viewer, amara)).toMatchObject(NOT_FOUND);
      expect(await byName(viewer, amara.username)).toMatchObject(NOT_FOUND);
    }
  });
});

describe('a name', () => {
  test('is found in upper case', async () => {
    const amara = await aRegistered(opine, 'Amara');
    const { status, data } = await byName(aGuest(opine), amara.username.toUpperCase());
    expect([status, data.id, data.username]).toEqual([200, amara.id, amara.username]);
  });

  test('leads to whoever has it now, an id to whom it always was', async () => {
    const [amara, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    expect((await amara.patch('/users/me/profile', { username: `${amara.username}_2` })).status).toBe(200);
    expect(await byName(aGuest(opine), amara.username)).toMatchObject(NOT_FOUND);
    expect((await jonas.patch('/users/me/profile', { username: amara.username })).status).toBe(200);
    expect((await byName(aGuest(opine), amara.username)).data.id).toBe(jonas.id);
    expect((await profileSeenBy(aGuest(opine), amara)).username).toBe(`${amara.username}_2`);
  });
});

describe('a bearer that is no good', () => {
  const BAD = ['no.good.token', 'x', `${'ey'.repeat(200)}`];

  test.each(BAD)('is refused by id and a guest\'s by name: "%s"', async (token) => {
    const amara = await aRegistered(opine);
    const viewer = clientOf(opine.url, token);
    expect(await byId(viewer, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await byId(viewer, NOBODY)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await byName(viewer, amara.username)).toMatchObject({ status: 200, data: { viewer: null } });
  });

  test('is one without a token', async () => {
    const amara = await aRegistered(opine);
    for (const authorization of ['Bearer', 'Bearer two tokens']) {
      const reply = await aGuest(opine).get(`/users/${amara.id}/profile`, { headers: { authorization } });
      expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });

  test('is one that was logged out', async () => {
    const [amara, viewer] = [await aRegistered(opine), await aRegistered(opine)];
    await follow(viewer, amara);
    await logOut(opine, viewer.session);
    expect(await byId(viewer, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await byName(viewer, amara.username)).toMatchObject({ status: 200, data: { viewer: null } });
  });

  test('is one whose account has ended', async () => {
    const [amara, viewer] = [await aRegistered(opine), await aRegistered(opine)];
    await viewer.delete('/users/me');
    expect(await byId(viewer, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await byName(viewer, amara.username)).toMatchObject({ status: 200, data: { viewer: null } });
  });

  test('is one that is too old', async () => {
    const [amara, viewer] = [await aRegistered(opine), await aRegistered(opine)];
    await timePasses(opine, '16 minutes');
    expect(await byId(viewer, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await byName(viewer, amara.username)).toMatchObject({ status: 200, data: { viewer: null } });
    expect((await byId(aGuest(opine), amara)).data.viewer).toBeNull();
  });
});

test('no cache keeps an answer, whatever it is', async () => {
  const amara = await aRegistered(opine);
  const replies = [
    await byId(aGuest(opine), amara),
    await byId(amara, amara),
    await byId(amara, NOBODY),
    await byId(clientOf(opine.url, 'no.good.token'), amara),
    await byName(amara, amara.username),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 404, 401, 200]);
  for (const { headers } of replies) {
    expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
    expect(headers.get('vary')).toBe('Authorization');
  }
});
