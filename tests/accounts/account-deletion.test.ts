import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, type Client, clientOf, expectOk, type Json, refusal } from '../support/client.ts';
import {
  aHubWithDiscussion,
  DELETED_AUTHOR,
  discussionsOf,
  messagesOf,
  requestSaveDiscussion,
  savedDiscussions,
} from '../support/discussions.ts';
import { addToDefaultFeed, homeFeed } from '../support/feeds.ts';
import { listedIds } from '../support/graph.ts';
import { aHubPost, aMessage, discussionOf, type Hub, hubSeenBy } from '../support/hubs.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aSlider, aThought, publish } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { castVote } from '../support/votes.ts';
import { countRows, waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

const requestDeletion = (person: Client) => person.delete('/users/me');

async function expectEnded({ accessToken, refreshToken }: Json): Promise<void> {
  expect((await clientOf(opine.url, accessToken).get('/users/me/onboarding/status')).status).toBe(401);
  expect((await aGuest(opine).post('/auth/session/refresh', { refreshToken })).status).toBe(401);
}

/** Deletes the account of `person` and waits for the worker. */
async function deleteAccount(person: Person): Promise<void> {
  await expectOk(requestDeletion(person));
  await waitUntilDeleted(opine, person.id);
}

describe('DELETE /users/me', () => {
  test('six concurrent requests delete an account once', async () => {
    const amara = await confirmedPerson(opine);
    const post = await aSlider(amara);
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => requestDeletion(amara)))).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
    await expectEnded(amara.session);
    expect((await aGuest(opine).get(`/posts/${post.id}`)).status).toBe(404);
  });

  test('posts that are published during account deletion are removed', async () => {
    const amara = await confirmedPerson(opine);
    const [ended, ...replies] = await Promise.all([
      requestDeletion(amara),
      ...Array.from({ length: 10 }, () => publish(amara, { thoughtText: 'And another one.' })),
    ]);
    expect(ended.status).toBe(200);
    for (const { status, data } of replies) {
      expect([201, 401]).toContain(status);
      if (status === 201) expect((await aGuest(opine).get(`/posts/${data.id}`)).status).toBe(404);
    }
    await waitUntilDeleted(opine, amara.id);
  });
});

describe('the posts of a deleted account', () => {
  // docs/product.md I17
  test('posts of a deleted account are visible to nobody, and those of others stay', async () => {
    const [amara, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    await addToDefaultFeed(opine, amara);
    await addToDefaultFeed(opine, jonas);
    const hers = [await aSlider(amara), await aThought(amara)];
    const his = await aSlider(jonas);
    const viewer = await registeredPerson(opine);
    await castVote(viewer, hers[0]);
    expect(await homeFeed(viewer)).toEqual([his.id, hers[1].id, hers[0].id]);

    await requestDeletion(amara);
    for (const somebody of [aGuest(opine), viewer, jonas]) {
      for (const { id } of hers) {
        expect(await somebody.get(`/posts/${id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
      }
    }
    expect(await homeFeed(viewer)).toEqual([his.id]);
    expect(await homeFeed(aGuest(opine))).toEqual([his.id]);
    expect((await castVote(await registeredPerson(opine), hers[0])).status).toBe(404);
    expect((await viewer.get(`/posts/${hers[0].id}/vote/summary`)).status).toBe(404);
    expect((await aGuest(opine).get(`/posts/${his.id}`)).data.author.id).toBe(jonas.id);
  });
});

describe('the Hubs of a deleted account', () => {
  const itemsOf = async (viewer: Client, { id }: Hub, list: string): Promise<Json[]> =>
    (await allPages(viewer, `/hubs/${id}/${list}`)).flat();

  /** Returns the roles of the members by their ids, as `member` sees them. */
  const rolesIn = async (member: Client, hub: Hub): Promise<Record<string, string>> =>
    Object.fromEntries((await itemsOf(member, hub, 'members')).map(({ userId, role }) => [userId, role]));

  // docs/product.md I17, I18
  test('account deletion removes membership, posts and settings, and keeps messages without an author', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    await aMessage(jonas, discussion, 'I was here.');
    const below = await discussionOf(amara, hub, await aHubPost(jonas, [hub]));
    await aMessage(amara, below);
    await expectOk(requestSaveDiscussion(amara, below));
    await expectOk(requestSaveDiscussion(jonas, discussion));
    await expectOk(jonas.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));
    await deleteAccount(jonas);
    expect((await hubSeenBy(amara, hub)).memberCount).toBe(1);
    expect(await rolesIn(amara, hub)).toEqual({ [amara.id]: 'admin' });
    expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([discussion.postId]);
    expect((await discussionsOf(amara, hub)).map(({ id }) => id)).toEqual([discussion.id]);
    expect(await savedDiscussions(amara)).toEqual([]);
    expect(await messagesOf(amara, discussion)).toMatchObject([
      { text: 'I was here.', author: DELETED_AUTHOR },
    ]);
    expect(await countRows(opine, 'app.messages', 'discussion_id', below.id)).toBe(0);
    const tables = ['memberships', 'saved_discussions', 'discussion_reads', 'hub_mutes', 'member_names'];
    for (const table of tables) expect(await countRows(opine, `app.${table}`, 'user_id', jonas.id)).toBe(0);
  });
});
