import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { timeIn } from '../support/clock.ts';
import {
  aCircle,
  activeAuthor,
  aDiscussingCircle,
  discussionsOf,
  listDiscussions,
  messagesOf,
  nonMembersOf,
  pathOf,
  postsIn,
} from '../support/discussions.ts';
import { granted, idsOf, NO_IDS, NOBODY } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMemberOf,
  aMessage,
  discussionOf,
  join,
  requestLeave,
  requestMessage,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, aPersonOf } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('the discussion of a Hub post', () => {
  test.each(['public_hub', 'private_locked_hub'])(
    'members list the discussion of a new %s post',
    async (visibility) => {
      const { hub, amara, jonas } = await aCircle(opine);
      const before = await timeIn(opine);
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
      expect(Date.parse(lastActivityAt)).toBeLessThanOrEqual((await timeIn(opine)).getTime());
    },
  );

  test('the preview has null for the parts that the post does not have', async () => {
    const { hub, amara } = await aCircle(opine);
    const noTitle = { article: { url: 'https://news.example/noise' }, thoughtText: undefined };
    const post = await aHubPost(amara, [hub], noTitle);
    expect((await discussionOf(amara, hub, post)).preview).toMatchObject({
      thoughtText: null,
      sliderText: null,
      articleTitle: null,
    });
  });

  test('a post in two Hubs has a separate discussion in each', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
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

  test('a public post has no discussion', async () => {
    const { hub, amara } = await aCircle(opine);
    await aThought(amara);
    expect(await discussionsOf(amara, hub)).toEqual([]);
  });

  test('the deletion of a post deletes its discussion and messages', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const later = await aHubPost(jonas, [hub]);
    await aMessage(jonas, discussion);
    await granted(amara.delete(`/posts/${post.id}`));
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
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const nonMembers = await nonMembersOf(opine, amara, hub);
    await granted(requestLeave(jonas, hub));
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

  test('a caller below level 4 gets 403 and a guest gets 401', async () => {
    const { hub, discussion } = await aDiscussingCircle(opine);
    for (const level of [1, 2, 3]) {
      const person = await aPersonOf(level, opine);
      const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level });
      expect(await listDiscussions(person, hub)).toMatchObject(refused);
      expect(await person.get(pathOf(discussion, 'messages'))).toMatchObject(refused);
      expect(await requestMessage(person, discussion, { text: 'Hi.' })).toMatchObject(refused);
    }
    expect(await listDiscussions(aGuest(opine), hub)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await requestMessage(aGuest(opine), discussion, { text: 'Hi.' })).status).toBe(401);
  });

  test('members of every role list, read and write', async () => {
    const { hub, amara, discussion } = await aDiscussingCircle(opine);
    for (const role of ['member', 'manager', 'admin'] as const) {
      const member = await aMemberOf(opine, amara, hub, 'Lena', role);
      expect(idsOf(await discussionsOf(member, hub))).toEqual([discussion.id]);
      await aMessage(member, discussion);
    }
    expect(await messagesOf(amara, discussion)).toHaveLength(3);
  });
});

test('discussions of a closed or unknown Hub are 404 HUB_NOT_FOUND', async () => {
  const amara = await aHubReady(opine);
  const closed = await aHub(amara);
  const discussion = await discussionOf(amara, closed, await aHubPost(amara, [closed]));
  await granted(requestLeave(amara, closed));
  for (const id of [closed.id, NOBODY.id, ...NO_IDS]) {
    const none = refusal(404, 'HUB_NOT_FOUND');
    expect(await amara.get(`/hubs/${id}/discussions`)).toMatchObject(none);
    expect(await amara.get(`/hubs/${id}/discussions/${discussion.id}/messages`)).toMatchObject(none);
  }
});
