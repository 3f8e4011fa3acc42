import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countIn, untilGone } from '../support/account-deletions.ts';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { chooseForDefaultFeed, homeFeed, homePages } from '../support/feeds.ts';
import {
  aPersonNamed,
  block,
  follow,
  followedBy,
  followersOf,
  found,
  idsOf,
  profileSeenBy,
  unblock,
} from '../support/graph.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
/** What Amara has published before she blocks Jonas, and what he has. */
let hers: Json;
let his: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, jonas] = [await aConfirmed(opine, 'Amara'), await aConfirmed(opine, 'Jonas')];
  [hers, his] = [await aSlider(amara), await aSlider(jonas)];
});

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const readsOf = ({ id }: Json) => [
  `/posts/${id}`,
  `/posts/${id}/vote/summary`,
  `/posts/${id}/vote/distribution`,
];

/** Whom a block between Amara and Jonas does not concern, and who hold no good bearer though one of them did. */
const bystanders = async (): Promise<Client[]> => [
  aGuest(opine),
  clientOf(opine.url, 'no.good.token'),
  await anAnonymous(opine),
  await aRegistered(opine),
];

describe.each(['the blocker', 'the blocked'])('%s', (who) => {
  let viewer: Person;
  let other: Person;
  let post: Json;

  beforeEach(() => {
    [viewer, other, post] = who === 'the blocker' ? [amara, jonas, his] : [jonas, amara, hers];
  });

  test('does not find the post of the other, and everybody else does', async () => {
    await block(amara, jonas);
    for (const path of readsOf(post)) expect(await viewer.get(path)).toMatchObject(HIDDEN);
    for (const bystander of [...(await bystanders()), other]) {
      for (const path of readsOf(post)) expect((await bystander.get(path)).status).toBe(200);
    }
  });

  test('does not find what the other publishes later either', async () => {
    await block(amara, jonas);
    const later = await aThought(other);
    expect(await viewer.get(`/posts/${later.id}`)).toMatchObject(HIDDEN);
    await unblock(amara, jonas);
    expect((await viewer.get(`/posts/${later.id}`)).data.author.id).toBe(other.id);
  });

  test('cannot vote on it', async () => {
    await block(amara, jonas);
    expect(await castVote(viewer, post)).toMatchObject(HIDDEN);
    expect(await myVote(viewer, post)).toMatchObject(HIDDEN);
    expect(await countsOf(other, post)).toEqual([]);
    await unblock(amara, jonas);
    expect((await castVote(viewer, post)).status).toBe(201);
  });

  test('has voted on it: the vote stays, and is not shown', async () => {
    await castVote(viewer, post, 'right');
    await block(amara, jonas);
    expect(await castVote(viewer, post)).toMatchObject(HIDDEN);
    expect(await myVote(viewer, post)).toMatchObject(HIDDEN);
    expect(await countsOf(aGuest(opine), post)).toEqual([0, 0, 0, 1, 0]);
    await unblock(amara, jonas);
    expect((await myVote(viewer, post)).data.hasVoted).toBe(true);
  });

  test('cannot delete it, as if it were not there', async () => {
    expect((await viewer.delete(`/posts/${post.id}`)).status).toBe(403);
    await block(amara, jonas);
    expect(await viewer.delete(`/posts/${post.id}`)).toMatchObject(HIDDEN);
    expect((await other.get(`/posts/${post.id}`)).status).toBe(200);
  });

  test('has it no more in the feed of followed people', async () => {
    await follow(viewer, other);
    const own = await aThought(viewer);
    expect(await homeFeed(viewer)).toContain(post.id);
    await block(amara, jonas);
    expect(await homeFeed(viewer)).not.toContain(post.id);
    expect(await homeFeed(viewer)).toContain(own.id);
    await unblock(amara, jonas);
    expect(await homeFeed(viewer)).not.toContain(post.id);
  });

  test('does not find the other by a search', async () => {
    const { username } = other;
    for (const q of [username, username.slice(0, -1), (await profileSeenBy(viewer, other)).name]) {
      expect(await found(viewer, q)).toContain(other.id);
    }
    await block(amara, jonas);
    for (const q of [username, username.slice(0, -1)]) {
      expect(await found(viewer, q)).not.toContain(other.id);
      for (const bystander of await bystanders()) expect(await found(bystander, q)).toContain(other.id);
    }
    await unblock(amara, jonas);
    expect(await found(viewer, username)).toContain(other.id);
  });

  test('does not find the other in lists, where everybody else does', async () => {
    const lena = await aRegistered(opine, 'Lena');
    await follow(lena, amara, jonas);
    await follow(amara, lena);
    await follow(jonas, lena);
    await block(amara, jonas);
    expect(await followersOf(viewer, lena)).toEqual([viewer.id]);
    expect(await followedBy(viewer, lena)).toEqual([viewer.id]);
    for (const bystander of [lena, await anAnonymous(opine)]) {
      expect(await followersOf(bystander, lena)).toEqual([jonas.id, amara.id]);
      expect(await followedBy(bystander, lena)).toEqual([jonas.id, amara.id]);
    }
    expect((await profileSeenBy(viewer, lena)).counts).toEqual({ followers: 2, following: 2 });
  });

  test('keeps what is their own', async () => {
    await block(amara, jonas);
    const own = who === 'the blocker' ? hers : his;
    expect((await viewer.get(`/posts/${own.id}`)).data.permissions.canDelete).toBe(true);
    expect((await castVote(viewer, own)).status).toBe(201);
    expect(await homeFeed(viewer)).toEqual([own.id]);
    expect((await viewer.delete(`/posts/${own.id}`)).status).toBe(200);
  });
});

describe('a profile', () => {
  test('is there for the blocker alone, without the posts that they do not see', async () => {
    await block(amara, jonas);
    expect(await profileSeenBy(amara, jonas)).toMatchObject({
      id: jonas.id,
      activity: { posts: 0 },
      viewer: { blocking: true },
    });
    const paths = ['profile', 'followers', 'following'].map((rest) => `/users/${amara.id}/${rest}`);
    for (const path of [...paths, `/users/by-username/${amara.username}`]) {
      expect(await jonas.get(path)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    }
    for (const bystander of [aGuest(opine), await anAnonymous(opine)]) {
      expect((await profileSeenBy(bystander, jonas)).activity.posts).toBe(1);
      expect((await profileSeenBy(bystander, amara)).activity.posts).toBe(1);
    }
  });

  test('is hidden by name in upper case too', async () => {
    await block(amara, jonas);
    const reply = await jonas.get(`/users/by-username/${amara.username.toUpperCase()}`);
    expect(reply).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
  });

  test('is hidden under a name that is taken later', async () => {
    await block(amara, jonas);
    const username = `${amara.username}_later`;
    await amara.patch('/users/me/profile', { username, fullName: 'Somebody Else' });
    expect((await jonas.get(`/users/by-username/${username}`)).status).toBe(404);
    expect(await found(jonas, username)).not.toContain(amara.id);
    expect(await found(aGuest(opine), username)).toContain(amara.id);
  });
});

describe('where everybody sees the posts of chosen people', () => {
  test('whoever blocks one, or is blocked by one, does not see theirs, and pages are full', async () => {
    const empty = await anOpine();
    const [one, other] = [await aConfirmed(empty), await aConfirmed(empty)];
    for (const person of [one, other]) await chooseForDefaultFeed(empty, person);
    const posts: Json[] = [];
    for (const author of [one, other, other, one, other, one]) posts.push(await aSlider(author));
    const of = (author: Person) => idsOf(posts.filter((post) => post.author.id === author.id)).reverse();
    const [anonymous, registered] = [await anAnonymous(empty), await aRegistered(empty)];
    await block(anonymous, other);
    await block(one, registered);
    for (const limit of [1, 2, 3, 20]) {
      const walk = async (viewer: Client) => (await homePages(viewer, limit)).map(idsOf);
      expect((await walk(anonymous)).flat()).toEqual(of(one));
      expect((await walk(registered)).flat()).toEqual(of(other));
      expect(await walk(anonymous)).toHaveLength(Math.ceil(3 / limit));
      expect((await walk(aGuest(empty))).flat()).toHaveLength(6);
    }
    await unblock(anonymous, other);
    expect(await homeFeed(anonymous)).toHaveLength(6);
  });
});

describe('when an account ends', () => {
  test.each(['the blocker', 'the blocked'])('of %s, no block is left of it', async (who) => {
    await block(amara, jonas);
    const gone = who === 'the blocker' ? amara : jonas;
    const rest = gone === amara ? jonas : amara;
    await gone.delete('/users/me');
    for (const viewer of [rest, aGuest(opine)]) {
      expect((await viewer.get(`/users/${gone.id}/profile`)).status).toBe(404);
    }
    await untilGone(opine, gone.id);
    expect(await countIn(opine, 'app.blocks', 'blocker_id', gone.id)).toBe(0);
    expect(await countIn(opine, 'app.blocks', 'blocked_id', gone.id)).toBe(0);
    const next = await aPersonNamed(opine, 'Next Owner', gone.username);
    expect((await rest.get(`/users/by-username/${next.username}`)).data.id).toBe(next.id);
  });
});
