import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allPages,
  expectOk,
  idsOf,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import {
  activeAuthor,
  aHubOfTwo,
  aHubWithDiscussion,
  discussionsOf,
  listDiscussions,
  messagesOf,
  nonMembersOf,
  pathOf,
  postsIn,
  requestSaveDiscussion,
  requestUnsaveDiscussion,
  savedDiscussions,
  textsOf,
} from '../support/discussions.ts';
import { block } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMessage,
  discussionOf,
  type Hub,
  join,
  requestLeave,
  requestMessage,
  requestRemove,
} from '../support/hubs.ts';
import { advanceTime, currentTime, type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';

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

const PATH = '/users/me/saved-discussions';
const NO_DISCUSSION = refusal(404, 'DISCUSSION_NOT_FOUND');

/** Creates `count` posts of `author` and saves their discussions, one second apart; returns them oldest first. */
async function createSaved(author: Person, hub: Hub, count: number): Promise<Json[]> {
  const discussions: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    const discussion = await discussionOf(author, hub, await aHubPost(author, [hub]));
    await advanceTime(opine, '1 second');
    await expectOk(requestSaveDiscussion(author, discussion));
    discussions.push(discussion);
  }
  return discussions;
}

describe('the discussion of a Hub post', () => {
  test.each(['public_hub', 'private_locked_hub'])(
    'members list the discussion of a new %s post',
    async (visibility) => {
      const { hub, amara, jonas } = await aHubOfTwo(opine);
      const before = await currentTime(opine);
      const fields = {
        sliderText: 'Is it loud?',
        article: { title: 'On noise', text: 'It is.' },
        visibility,
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
          },
        ]);
      }
      const { lastActivityAt } = await discussionOf(amara, hub, post);
      expect(Date.parse(lastActivityAt)).toBeGreaterThanOrEqual(before.getTime() - 1);
      expect(Date.parse(lastActivityAt)).toBeLessThanOrEqual((await currentTime(opine)).getTime());
    },
  );

  test('the preview has null for the parts that the post does not have', async () => {
    const { hub, amara } = await aHubOfTwo(opine);
    const noTitle = { article: { url: 'https://news.example/noise' }, thoughtText: undefined };
    const post = await aHubPost(amara, [hub], noTitle);
    expect((await discussionOf(amara, hub, post)).preview).toMatchObject({
      thoughtText: null,
      sliderText: null,
      articleTitle: null,
    });
  });

  test('a post in two Hubs has a separate discussion in each', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const other = await aHub(jonas);
    const post = await aHubPost(jonas, [hub, other]);
    const [here, there] = [await discussionOf(jonas, hub, post), await discussionOf(jonas, other, post)];
    expect(here.id).not.toBe(there.id);
    await aMessage(amara, here, 'In Elm Street.');
    expect(await messagesOf(jonas, there)).toEqual([]);
    expect((await discussionOf(jonas, other, post)).messageCount).toBe(0);
    expect((await discussionOf(jonas, hub, post)).messageCount).toBe(1);
    expect(await amara.get(pathOf({ ...there, hubId: hub.id }, 'messages'))).toMatchObject(
      refusal(404, 'DISCUSSION_NOT_FOUND'),
    );
  });

  test('the deletion of a post deletes its discussion and messages', async () => {
    const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
    const later = await aHubPost(jonas, [hub]);
    await aMessage(jonas, discussion);
    await expectOk(amara.delete(`/posts/${post.id}`));
    expect(await postsIn(jonas, hub)).toEqual([later.id]);
    const notFound = refusal(404, 'DISCUSSION_NOT_FOUND');
    expect(await jonas.get(pathOf(discussion, 'messages'))).toMatchObject(notFound);
    expect(await requestMessage(jonas, discussion, { text: 'Hello?' })).toMatchObject(notFound);
    for (const table of ['app.discussions', 'app.messages']) {
      const column = table === 'app.messages' ? 'discussion_id' : 'id';
      const { rows } = await sql`
        select from ${sql.table(table)} where ${sql.ref(column)} = ${discussion.id}
      `.execute(opine.database.superuser);
      expect(rows).toEqual([]);
    }
  });
});

describe('access to discussions', () => {
  test('non-members and former members cannot list, read or write; a former member can after rejoining', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const nonMembers = await nonMembersOf(opine, amara, hub);
    await expectOk(requestLeave(jonas, hub));
    for (const nonMember of [...nonMembers.values(), jonas]) {
      const refused = await listDiscussions(nonMember, hub);
      expect(refused).toMatchObject(refusal(403, 'FORBIDDEN'));
      expect(refused.error.details).toEqual({});
      const notFound = refusal(404, 'DISCUSSION_NOT_FOUND');
      expect(await nonMember.get(pathOf(discussion, 'messages'))).toMatchObject(notFound);
      expect(await requestMessage(nonMember, discussion, { text: 'Let me in.' })).toMatchObject(notFound);
    }
    await join(amara, hub, [jonas]);
    expect(idsOf(await discussionsOf(jonas, hub))).toEqual([discussion.id]);
    expect(await messagesOf(jonas, discussion)).toEqual([]);
  });
});

describe('GET /hubs/{hubId}/discussions', () => {
  test('a new post, a message and a reply move a discussion to the top', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const [first, second, third] = await createPosts(amara, hub, 3);
    expect(await postsIn(jonas, hub)).toEqual([third?.id, second?.id, first?.id]);
    const discussion = await discussionOf(jonas, hub, first);
    const message = await aMessage(jonas, discussion);
    expect(await postsIn(jonas, hub)).toEqual([first?.id, third?.id, second?.id]);
    expect((await discussionOf(amara, hub, first)).lastActivityAt).toBe(message.createdAt);
    await advanceTime(opine, '1 second');
    await aMessage(jonas, await discussionOf(jonas, hub, second));
    await advanceTime(opine, '1 second');
    const reply = await aMessage(amara, discussion, 'Quite.', { parentMessageId: message.id });
    expect(await postsIn(jonas, hub)).toEqual([first?.id, second?.id, third?.id]);
    expect(await discussionOf(amara, hub, first)).toMatchObject({
      messageCount: 2,
      lastActivityAt: reply.createdAt,
    });
  });

  test.each([1, 2, 3, 4, 5, 6, 100])('pages of %i list each discussion once, newest first', async (limit) => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const posts = await createPosts(amara, hub, 5);
    const pages = await allPages(jonas, `/hubs/${hub.id}/discussions`, { limit });
    expect(pages.flat().map(({ postId }) => postId)).toEqual(idsOf(posts).reverse());
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });

  test.each(['', 'abc', 'e30', '\u0000'])('the cursor %j is 422', async (cursor) => {
    const { hub, amara } = await aHubOfTwo(opine);
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['cursor'] }] });
    expect(await listDiscussions(amara, hub, { cursor })).toMatchObject(refused);
  });

  test('a block hides no discussion, post preview or message from either person', async () => {
    const { hub, amara, jonas, discussion, post } = await aHubWithDiscussion(opine);
    await block(amara, jonas);
    const { viewerSaved: _, ...shown } = discussion;
    expect(await discussionOf(jonas, hub, post)).toMatchObject(shown);
    await aMessage(jonas, discussion, 'From the blocked.');
    await aMessage(amara, discussion, 'From the blocker.');
    for (const member of [amara, jonas]) {
      const authors = (await messagesOf(member, discussion)).map(({ author }) => author.userId);
      expect(authors).toEqual([jonas.id, amara.id]);
    }
    expect(await jonas.get(`/posts/${post.id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
  });
});

describe('saving a discussion', () => {
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
    expect([again.status, again.data]).toEqual([200, { saved: true }]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await savedDiscussions(jonas)).toEqual([]);
  });

  test('saving an unknown discussion or one of another Hub is 404', async () => {
    const { hub, amara, discussion } = await aHubWithDiscussion(opine);
    const other = await aHub(amara);
    const unknown = [NONEXISTENT.id, ...MALFORMED_IDS].map((id) => ({ id, hubId: hub.id }));
    for (const none of [...unknown, { ...discussion, hubId: other.id }]) {
      for (const send of [requestSaveDiscussion, requestUnsaveDiscussion])
        expect(await send(amara, none)).toMatchObject(NO_DISCUSSION);
    }
    expect(await savedDiscussions(amara)).toEqual([]);
  });
});

describe('GET /users/me/saved-discussions', () => {
  test('an entry shows its three earliest messages, oldest first, replies included', async () => {
    const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
    await expectOk(requestSaveDiscussion(jonas, discussion));
    const root = await aMessage(amara, discussion, 'one');
    const previewTexts = async () => textsOf((await savedDiscussions(jonas))[0].previewMessages);
    expect(await previewTexts()).toEqual(['one']);
    const second = await aMessage(jonas, discussion, 'two');
    await aMessage(amara, discussion, 'three', { parentMessageId: second.id });
    await aMessage(amara, discussion, 'four', { parentMessageId: root.id });
    expect(await previewTexts()).toEqual(['one', 'two', 'three']);
    const [first, other] = await messagesOf(jonas, discussion);
    const [third] = await messagesOf(jonas, discussion, other);
    const [saved] = await savedDiscussions(jonas);
    expect(saved.previewMessages).toEqual([first, other, third]);
    const { lastActivityAt } = await discussionOf(jonas, hub, post);
    expect(saved).toMatchObject({ messageCount: 4, lastActivityAt });
  });

  test('the list has all Hubs, last saved first, whatever the last activity', async () => {
    const { hub, jonas } = await aHubOfTwo(opine);
    const [first] = await createSaved(jonas, hub, 1);
    const [second] = await createSaved(jonas, await aHub(jonas, { name: 'Oak Street' }), 1);
    await advanceTime(opine, '1 second');
    await aMessage(jonas, first);
    await expectOk(requestSaveDiscussion(jonas, first));
    expect((await savedDiscussions(jonas)).map(({ hub: { name } }) => name)).toEqual([
      'Oak Street',
      'Elm Street',
    ]);
    await expectOk(requestUnsaveDiscussion(jonas, first));
    await expectOk(requestSaveDiscussion(jonas, first));
    expect(idsOf(await savedDiscussions(jonas))).toEqual([first.id, second.id]);
  });

  test.each([1, 2, 3, 4, 5, 6, 100])(
    'pages of %i list each saved discussion once, last saved first',
    async (limit) => {
      const { hub, jonas } = await aHubOfTwo(opine);
      const discussions = await createSaved(jonas, hub, 5);
      const pages = await allPages(jonas, PATH, { limit });
      expect(pages.flatMap(idsOf)).toEqual(idsOf(discussions).reverse());
      expect(pages).toHaveLength(Math.ceil(5 / limit));
    },
  );

  test.each(['', 'abc', 'e30', '\u0000'])('the cursor %j is 422', async (cursor) => {
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['cursor'] }] });
    expect(await (await hubReadyPerson(opine)).get(withQuery(PATH, { cursor }))).toMatchObject(refused);
  });
});

describe('saved discussions after the end of a membership', () => {
  test.each(['who leaves', 'who is removed'])(
    'the list omits the Hub of a member %s until they rejoin',
    async (who) => {
      const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
      const other = await aHub(jonas);
      const [elsewhere] = await createSaved(jonas, other, 1);
      for (const member of [amara, jonas]) await expectOk(requestSaveDiscussion(member, discussion));
      await expectOk(who === 'who leaves' ? requestLeave(jonas, hub) : requestRemove(amara, hub, jonas));
      expect(idsOf(await savedDiscussions(jonas))).toEqual([elsewhere.id]);
      for (const send of [requestSaveDiscussion, requestUnsaveDiscussion])
        expect(await send(jonas, discussion)).toMatchObject(NO_DISCUSSION);
      await join(amara, hub, [jonas]);
      expect(idsOf(await savedDiscussions(jonas))).toEqual([discussion.id, elsewhere.id]);
      expect((await discussionOf(jonas, hub, post)).viewerSaved).toBe(true);
      expect(idsOf(await savedDiscussions(amara))).toEqual([discussion.id]);
    },
  );
});
