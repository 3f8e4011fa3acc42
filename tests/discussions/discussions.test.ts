import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, expectOk, idsOf, type Json, refusal } from '../support/client.ts';
import {
  activeAuthor,
  aHubOfTwo,
  aHubWithDiscussion,
  discussionsOf,
  listDiscussions,
  messagesOf,
  pathOf,
  requestSaveDiscussion,
  requestUnsaveDiscussion,
  savedDiscussions,
} from '../support/discussions.ts';
import { block } from '../support/graph.ts';
import { aHubPost, aMemberOf, aMessage, discussionOf, type Hub } from '../support/hubs.ts';
import { advanceTime, currentTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, confirmedPerson, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Creates `count` posts of `author`, one second apart; returns them oldest first. */
async function createPosts(author: Person, hub: Hub, count: number): Promise<Json[]> {
  const posts: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    posts.push(await aHubPost(author, [hub]));
    await advanceTime(opine, '1 second');
  }
  return posts;
}

describe('the discussion of a Hub post', () => {
  // docs/product.md D1, D2
  test('members list the discussion of a new post', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const before = await currentTime(opine);
    const fields = {
      sliderText: 'Is it loud?',
      article: { title: 'On noise', text: 'It is.' },
    };
    const post = await aHubPost(jonas, [hub], fields);
    for (const member of [amara, jonas]) {
      expect(await discussionsOf(member, hub)).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          hubId: hub.id,
          postId: post.id,
          preview: {
            thoughtText: 'Among us.',
            sliderText: 'Is it loud?',
            articleTitle: 'On noise',
            author: activeAuthor(jonas, 'Jonas Weber'),
          },
          messageCount: 0,
          lastActivityAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          viewerSaved: false,
          unreadCount: 0,
        },
      ]);
    }
    const { lastActivityAt } = await discussionOf(amara, hub, post);
    expect(Date.parse(lastActivityAt)).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(Date.parse(lastActivityAt)).toBeLessThanOrEqual((await currentTime(opine)).getTime());
  });
});

describe('GET /hubs/{hubId}/discussions', () => {
  test.each([1, 2, 3, 4, 5, 6, 100])('pages of %i list each discussion once, newest first', async (limit) => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const posts = await createPosts(amara, hub, 5);
    const pages = await allPages(jonas, `/hubs/${hub.id}/discussions`, { limit });
    expect(pages.flat().map(({ postId }) => postId)).toEqual(idsOf(posts).reverse());
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });

  test.each(['abc', 'e30', '\u0000'])('the cursor %j is 422', async (cursor) => {
    const { hub, amara } = await aHubOfTwo(opine);
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['cursor'] }] });
    expect(await listDiscussions(amara, hub, { cursor })).toMatchObject(refused);
  });

  // docs/product.md P20
  test('a block touches no message in the discussion of a third person', async () => {
    const { hub, amara, jonas } = await aHubWithDiscussion(opine);
    const noor = await aMemberOf(opine, amara, hub);
    const discussion = await discussionOf(noor, hub, await aHubPost(noor, [hub]));
    await block(amara, jonas);
    await aMessage(jonas, discussion, 'From the blocked.');
    await aMessage(amara, discussion, 'From the blocker.');
    for (const member of [amara, jonas]) {
      const authors = (await messagesOf(member, discussion)).map(({ author }) => author.userId);
      expect(authors).toEqual([jonas.id, amara.id]);
    }
  });
});

describe('saving a discussion', () => {
  // docs/product.md D6
  test('only the member who saved a discussion lists it, with its Hub', async () => {
    const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
    const { status, data } = await requestSaveDiscussion(jonas, discussion);
    expect([status, data]).toEqual([200, { saved: true }]);
    expect(await discussionOf(jonas, hub, post)).toEqual({ ...discussion, viewerSaved: true });
    expect(await discussionOf(amara, hub, post)).toEqual(discussion);
    expect(await savedDiscussions(jonas)).toEqual([
      {
        ...discussion,
        viewerSaved: true,
        hub: { id: hub.id, name: hub.name },
        previewMessages: [],
      },
    ]);
    expect(await savedDiscussions(amara)).toEqual([]);
  });

  // docs/product.md D6
  test('the list of saved discussions is empty below level 4, and 401 to a guest', async () => {
    for (const person of [await anonymousPerson(opine), await confirmedPerson(opine)])
      expect(await expectOk(person.get('/users/me/saved-discussions'))).toEqual({
        items: [],
        nextCursor: null,
      });
    expect(await aGuest(opine).get('/users/me/saved-discussions')).toMatchObject(
      refusal(401, 'UNAUTHORIZED'),
    );
  });

  test('saving and unsaving are idempotent, also when concurrent', async () => {
    const { hub, jonas, post, discussion } = await aHubWithDiscussion(opine);
    for (const _ of [1, 2])
      expect(await expectOk(requestSaveDiscussion(jonas, discussion))).toEqual({ saved: true });
    expect(idsOf(await savedDiscussions(jonas))).toEqual([discussion.id]);
    for (const _ of [1, 2]) {
      const { status, data } = await requestUnsaveDiscussion(jonas, discussion);
      expect([status, data]).toEqual([200, { saved: false }]);
    }
    expect(await savedDiscussions(jonas)).toEqual([]);
    expect((await discussionOf(jonas, hub, post)).viewerSaved).toBe(false);
    await Promise.all(Array.from({ length: 6 }, () => expectOk(requestSaveDiscussion(jonas, discussion))));
    expect(await savedDiscussions(jonas)).toHaveLength(1);
  });

  test('a replay with an Idempotency-Key does not save the discussion again', async () => {
    const { jonas, discussion } = await aHubWithDiscussion(opine);
    const save = () =>
      jonas.post(pathOf(discussion, 'save'), undefined, { headers: { 'idempotency-key': 'a-key' } });
    expect((await save()).headers.get('idempotency-replayed')).toBeNull();
    await expectOk(requestUnsaveDiscussion(jonas, discussion));
    const again = await save();
    expect([again.status, again.data]).toEqual([200, { saved: false }]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await savedDiscussions(jonas)).toEqual([]);
  });
});
