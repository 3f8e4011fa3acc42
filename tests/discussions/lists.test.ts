import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aCircle, aDiscussingCircle, listDiscussions, messagesOf, postsIn } from '../support/discussions.ts';
import { block, everyPage, idsOf } from '../support/graph.ts';
import { aHubPost, aMessage, discussionOf, type Hub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';

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
    await timePasses(opine, '1 second');
  }
  return posts;
}

describe('GET /hubs/{hubId}/discussions', () => {
  test('a new post, a message and a reply move a discussion to the top', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const [first, second, third] = await createPosts(amara, hub, 3);
    expect(await postsIn(jonas, hub)).toEqual([third?.id, second?.id, first?.id]);
    const discussion = await discussionOf(jonas, hub, first);
    const message = await aMessage(jonas, discussion);
    expect(await postsIn(jonas, hub)).toEqual([first?.id, third?.id, second?.id]);
    expect((await discussionOf(amara, hub, first)).lastActivityAt).toBe(message.createdAt);
    await timePasses(opine, '1 second');
    await aMessage(jonas, await discussionOf(jonas, hub, second));
    await timePasses(opine, '1 second');
    const reply = await aMessage(amara, discussion, 'Quite.', { parentMessageId: message.id });
    expect(await postsIn(jonas, hub)).toEqual([first?.id, second?.id, third?.id]);
    expect(await discussionOf(amara, hub, first)).toMatchObject({
      messageCount: 2,
      lastActivityAt: reply.createdAt,
    });
  });

  test.each([1, 2, 3, 4, 5, 6, 100])('pages of %i list each discussion once, newest first', async (limit) => {
    const { hub, amara, jonas } = await aCircle(opine);
    const posts = await createPosts(amara, hub, 5);
    const pages = await everyPage(jonas, `/hubs/${hub.id}/discussions`, { limit });
    expect(pages.flat().map(({ postId }) => postId)).toEqual(idsOf(posts).reverse());
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });

  test('pagination lists discussions with equal last activity once each', async () => {
    const { hub, amara } = await aCircle(opine);
    const posts = await createPosts(amara, hub, 5);
    await sql`
      update app.discussions set last_activity_at = '2026-01-01T00:00:00.123456Z' where hub_id = ${hub.id}
    `.execute(opine.database.superuser);
    for (const limit of [1, 2, 3]) {
      expect((await postsIn(amara, hub, { limit })).sort()).toEqual(idsOf(posts).sort());
    }
  });

  test('a page has 30 discussions by default', async () => {
    const { hub, amara } = await aCircle(opine);
    await Promise.all(Array.from({ length: 31 }, () => aHubPost(amara, [hub])));
    const sizes = async (query: object) =>
      (await everyPage(amara, `/hubs/${hub.id}/discussions`, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([30, 1]);
    expect(await sizes({ limit: 100 })).toEqual([31]);
  });

  test.each(['0', '101', '-1', '1.5', 'ten', '', '1e1'])('the limit "%s" is 422', async (limit) => {
    const { hub, amara } = await aCircle(opine);
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['limit'] }] });
    expect(await listDiscussions(amara, hub, { limit })).toMatchObject(refused);
  });

  test.each(['', 'abc', 'null', 'e30', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)])(
    'the cursor %j is 422',
    async (cursor) => {
      const { hub, amara } = await aCircle(opine);
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['cursor'] }] });
      expect(await listDiscussions(amara, hub, { cursor })).toMatchObject(refused);
    },
  );

  test('a block hides no discussion, post preview or message from either person', async () => {
    const { hub, amara, jonas, discussion, post } = await aDiscussingCircle(opine);
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
