import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  expectOk,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import {
  activityOf,
  aPostInPlaces,
  decisionAbout,
  decisionNotificationsOf,
  decisionsOf,
  INVALID_STATEMENTS,
  listsAround,
  type OpineWithStaff,
  remove,
  restore,
  SPAM,
  startOpineWithStaff,
  suspend,
} from '../support/decisions.ts';
import { aHubWithDiscussion, DELETED_AUTHOR, messagesOf } from '../support/discussions.ts';
import { block } from '../support/graph.ts';
import {
  aHub,
  aHubWorld,
  aMessage,
  discussionOf,
  requestAppoint,
  requestLeave,
  requestMessage,
} from '../support/hubs.ts';
import { unreadCountOf, wholeInbox } from '../support/inbox.ts';
import { NO_ACTOR } from '../support/notification-worlds.ts';
import { exportOf } from '../support/own-data.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  signIn,
} from '../support/people.ts';
import {
  aComment,
  aReply,
  aSlider,
  aThought,
  commentCountSeenBy,
  commentsOn,
  publish,
  remainsOf,
  repliesTo,
  requestReply,
  requestRepost,
  requestSavePost,
  requestShareToFeed,
  requestShareToHubs,
  seenBy,
} from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';
import { castVote } from '../support/votes.ts';

let opine: OpineWithStaff;

beforeAll(async () => {
  opine = await startOpineWithStaff();
});

afterAll(() => opine.stop());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The decision that its person sees; `target` is of its post, comment, message, person or Hub. */
function decision(action: string, target: Json): Json {
  return {
    id: expect.stringMatching(UUID),
    action,
    ...SPAM,
    target,
    decidedAt: expect.stringMatching(TIME),
    appeal: null,
  };
}

/** Expects that `person` sees one decision, as `expected`, and one notification of it. */
async function expectNotified(person: Person, expected: Json): Promise<void> {
  const seen = await decisionsOf(person);
  expect(seen).toEqual([expected]);
  expect(await decisionNotificationsOf(person)).toEqual([
    {
      id: expect.any(String),
      type: 'moderation_decided',
      actor: NO_ACTOR,
      postId: null,
      sourcePostId: null,
      commentId: null,
      hub: null,
      invitationId: null,
      joinRequestId: null,
      decisionId: seen[0].id,
      milestoneTotal: null,
      milestoneCount: null,
      createdAt: expect.stringMatching(TIME),
      read: false,
    },
  ]);
}

/** Expects that `people` see no decision and no notification of one. */
async function expectNotNotified(...people: Person[]): Promise<void> {
  for (const person of people)
    expect([await decisionsOf(person), await decisionNotificationsOf(person)]).toEqual([[], []]);
}

const twoPeople = async () =>
  [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')] as const;

describe('GET /users/me/moderation-decisions', () => {
  // docs/product.md S18
  test('the author of a removed post sees the decision and is notified once, and nobody else is', async () => {
    const [maya, jonas] = await twoPeople();
    const lena = await confirmedPerson(opine, 'Lena');
    const post = await aThought(maya, 'Buy my pills.');
    await aComment(lena, post);
    await expectOk(requestReport(lena, 'posts', post));
    const unread = await unreadCountOf(maya);
    await remove(opine.nina, jonas, 'posts', post);
    const target = { type: 'post', id: post.id, excerpt: 'Buy my pills.' };
    await expectNotified(maya, decision('content_removed', target));
    await expectNotNotified(jonas, lena);
    // The notification of the comment goes with the post.
    expect(await unreadCountOf(maya)).toBe(unread);
  });

  test('the author of a removed comment sees the decision, and the author of the post does not', async () => {
    const [maya, jonas] = await twoPeople();
    const lena = await confirmedPerson(opine, 'Lena');
    const comment = await aComment(maya, await aThought(jonas), 'Buy my pills.');
    await remove(opine.nina, lena, 'comments', comment);
    const target = { type: 'comment', id: comment.id, excerpt: 'Buy my pills.' };
    await expectNotified(maya, decision('content_removed', target));
    await expectNotNotified(jonas, lena);
  });

  test('the author of a removed message sees the decision, also after leaving the Hub, and its admin does not', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const message = await aMessage(jonas, discussion, 'Buy my pills.');
    await remove(opine.nina, amara, 'messages', message);
    const expected = decision('content_removed', {
      type: 'message',
      id: message.id,
      excerpt: 'Buy my pills.',
    });
    await expectNotified(jonas, expected);
    await expectNotNotified(amara);
    await expectOk(requestLeave(jonas, hub));
    await expectNotified(jonas, expected);
  });

  test('a suspended person sees the decision once they are restored, and nobody else sees it', async () => {
    const [maya, jonas] = await twoPeople();
    await expectOk(requestReport(jonas, 'users', maya));
    await suspend(opine.nina, 'users', maya);
    expect(await maya.get('/users/me/moderation-decisions')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    await expectNotNotified(jonas);
    await restore(opine.otto, 'users', maya);
    const again = { ...maya, ...clientOf(opine.url, (await signIn(opine, maya.phoneNumber)).accessToken) };
    await expectNotified(
      again,
      decision('account_suspended', { type: 'user', id: maya.id, excerpt: 'Maya' }),
    );
    await expectNotNotified(jonas);
  });

  // docs/product.md S18
  test('each admin of a suspended Hub sees the decision, and other members and non-members do not', async () => {
    const { hub, admin, manager, member, invited, pending, former, uninvited } = await aHubWorld(opine);
    await expectOk(requestAppoint(admin, hub, manager));
    await suspend(opine.nina, 'hubs', hub);
    const expected = decision('hub_suspended', { type: 'hub', id: hub.id, excerpt: 'Elm Street' });
    for (const person of [admin, manager]) await expectNotified(person, expected);
    expect(await decisionsOf(admin)).toEqual(await decisionsOf(manager));
    await expectNotNotified(member, invited, pending, former, uninvited);
  });

  test('a member who becomes an admin after the suspension of a Hub sees no decision', async () => {
    const { hub, admin, member } = await aHubWorld(opine);
    await suspend(opine.nina, 'hubs', hub);
    await restore(opine.otto, 'hubs', hub);
    await expectOk(requestAppoint(admin, hub, member));
    expect(await decisionsOf(member)).toEqual([]);
    expect(await decisionsOf(admin)).toHaveLength(1);
  });

  test('pages list each decision once, newest first', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(jonas);
    const ids: string[] = [];
    for (const text of ['One.', 'Two.', 'Three.']) {
      const comment = await aComment(maya, post, text);
      await remove(opine.nina, jonas, 'comments', comment);
      ids.unshift(comment.id);
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { limit: 2, ...(cursor && { cursor }) };
      const page: Json = await expectOk(maya.get(withQuery('/users/me/moderation-decisions', query)));
      seen.push(...page.items.map(({ target }: Json) => target.id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  test('an anonymous person reads their decisions, and a guest gets 401', async () => {
    expect(await decisionsOf(await anonymousPerson(opine))).toEqual([]);
    expect(await aGuest(opine).get('/users/me/moderation-decisions')).toMatchObject(
      refusal(401, 'UNAUTHORIZED'),
    );
  });

  test.each(['cursor=x', 'limit=0', 'limit=101'])('the query %s is 422', async (query) => {
    const maya = await anonymousPerson(opine);
    expect(await maya.get(`/users/me/moderation-decisions?${query}`)).toMatchObject(
      refusal(422, 'VALIDATION_FAILED'),
    );
  });

  test.each([
    ['a thought', { thoughtText: 'Buy my pills.' }],
    ['a slider', { sliderText: 'Buy my pills.' }],
    ['an article', { article: { title: 'Buy my pills.' } }],
  ])('the excerpt of a post with %s is its text', async (_, fields) => {
    const [maya, jonas] = await twoPeople();
    const post = await expectOk(publish(maya, fields));
    await remove(opine.nina, jonas, 'posts', post);
    const target = { type: 'post', id: post.id, excerpt: 'Buy my pills.' };
    expect((await decisionAbout(maya, post)).target).toEqual(target);
  });

  test('the excerpt of a long text is its beginning', async () => {
    const [maya, jonas] = await twoPeople();
    const text = Array.from({ length: 400 }, (_, index) => `${index}`).join(' ');
    const post = await aThought(maya, text);
    await remove(opine.nina, jonas, 'posts', post);
    const { excerpt } = (await decisionAbout(maya, post)).target;
    expect(excerpt.length).toBeGreaterThan(10);
    expect(excerpt.length).toBeLessThan(text.length);
    expect(text.startsWith(excerpt.replace(/\s*…$/, ''))).toBe(true);
  });

  test('a block by the author of the post hides no decision about a comment on it', async () => {
    const [maya, jonas] = await twoPeople();
    const comment = await aComment(jonas, await aThought(maya), 'Buy my pills.');
    await remove(opine.nina, maya, 'comments', comment);
    await block(maya, jonas);
    await expectNotified(jonas, decision('content_removed', expect.objectContaining({ id: comment.id })));
  });

  // docs/product.md S18
  test('no answer to a person names the member of staff who decided', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya, 'Buy my pills.');
    await remove(opine.nina, jonas, 'posts', post);
    await suspend(opine.nina, 'users', maya);
    await aGuest(opine).post('/auth/otp/request', { phoneNumber: maya.phoneNumber });
    const code = { phoneNumber: maya.phoneNumber, code: '4242' };
    const refused = await aGuest(opine).post('/auth/otp/verify', code);
    expect(refused.status).toBe(403);
    await restore(opine.nina, 'users', maya);
    const { accessToken } = await expectOk(aGuest(opine).post('/auth/otp/verify', code));
    const again = clientOf(opine.url, accessToken);
    const [mine] = await decisionsOf(again);
    const answers = [
      refused.error,
      await decisionsOf(again),
      await expectOk(again.post(`/moderation-decisions/${mine.id}/appeal`, { text: 'It quotes.' })),
      await wholeInbox(again),
      await exportOf(again),
      await expectOk(jonas.get('/users/me/reports')),
      await exportOf(jonas),
    ];
    for (const answer of answers) expect(JSON.stringify(answer)).not.toMatch(/nina@|decidedBy/i);
  });
});

// docs/product.md S10
describe('a removed post', () => {
  const POST_NOT_FOUND = refusal(404, 'POST_NOT_FOUND');

  test('the post is 404 for everybody, its author included, in every operation', async () => {
    const world = await aPostInPlaces(opine);
    const { maya, jonas, lena, guest, hub, post, comment } = world;
    await remove(opine.nina, lena, 'posts', post);
    for (const viewer of [maya, jonas, lena, guest]) {
      for (const rest of ['', '/comments', '/frames', '/vote/summary', '/vote/distribution'])
        expect([rest, await viewer.get(`/posts/${post.id}${rest}`)]).toMatchObject([rest, POST_NOT_FOUND]);
    }
    const other = await hubReadyPerson(opine);
    const requests: ((person: Person) => Promise<Json>)[] = [
      (person) => person.post(`/posts/${post.id}/comments`, { text: 'Late.' }),
      (person) => requestReply(person, post, comment),
      (person) => castVote(person, post),
      (person) => requestRepost(person, post),
      (person) => requestSavePost(person, post),
      (person) => requestShareToFeed(person, post),
      (person) => requestReport(person, 'posts', post),
      (person) => person.get(`/posts/${post.id}/share-link`),
      (person) => person.delete(`/posts/${post.id}`),
    ];
    for (const person of [maya, jonas, other])
      for (const send of requests)
        expect([`${send}`, await send(person)]).toMatchObject([`${send}`, POST_NOT_FOUND]);
    expect(await requestShareToHubs(maya, post, [hub])).toMatchObject(POST_NOT_FOUND);
    expect(await requestReport(maya, 'comments', comment)).toMatchObject(refusal(404, 'COMMENT_NOT_FOUND'));
  });

  test('the post leaves every list and keeps the other posts in their places', async () => {
    const world = await aPostInPlaces(opine);
    const { maya, jonas, lena, guest, post } = world;
    const viewers = [maya, jonas, lena, guest];
    const before: Json[] = [];
    for (const viewer of viewers) before.push(await listsAround(world, viewer));
    await remove(opine.nina, lena, 'posts', post);
    for (const [index, viewer] of viewers.entries()) {
      const without = Object.entries<string[]>(before[index]).map(([name, ids]) => [
        name,
        ids.filter((id) => id !== post.id),
      ]);
      expect(await listsAround(world, viewer)).toEqual(Object.fromEntries(without));
    }
    // The lists of a member held it.
    for (const ids of Object.values<string[]>(before[1])) expect(ids).toContain(post.id);
  });

  test('profile counts leave out the post', async () => {
    const { maya, lena, guest, post } = await aPostInPlaces(opine);
    const before = await activityOf(guest, maya);
    await remove(opine.nina, lena, 'posts', post);
    for (const viewer of [maya, guest])
      expect(await activityOf(viewer, maya)).toMatchObject({ posts: before.posts - 1 });
  });

  test('a repost of the post stays without its source', async () => {
    const { maya, jonas, lena, guest, post, repost } = await aPostInPlaces(opine);
    await remove(opine.nina, lena, 'posts', post);
    for (const viewer of [maya, jonas, lena, guest])
      expect(await seenBy(viewer, repost)).toMatchObject({ thoughtText: 'Look here.', sourcePost: null });
  });

  test('its discussion is gone for the members of the Hub', async () => {
    const { maya, jonas, lena, hub, post, discussion } = await aPostInPlaces(opine);
    await remove(opine.nina, lena, 'posts', post);
    for (const member of [maya, jonas]) {
      expect(await discussionOf(member, hub, post)).toBeUndefined();
      expect(await requestMessage(member, discussion, { text: 'Late.' })).toMatchObject(
        refusal(404, 'DISCUSSION_NOT_FOUND'),
      );
    }
  });

  test('two reports of one post lead to one decision, and a second removal is 404', async () => {
    const [maya, jonas] = await twoPeople();
    const lena = await confirmedPerson(opine, 'Lena');
    const post = await aThought(maya, 'Buy my pills.');
    const { reportId } = await expectOk(requestReport(lena, 'posts', post));
    const second = await remove(opine.nina, jonas, 'posts', post);
    for (const id of [reportId, second])
      expect(await opine.otto.post(`/admin/reports/${id}/remove`, SPAM)).toMatchObject(
        refusal(404, 'REPORT_NOT_FOUND'),
      );
    await expectNotified(maya, decision('content_removed', expect.objectContaining({ id: post.id })));
  });

  test('of two concurrent removals one succeeds, and its author is notified once', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya, 'Buy my pills.');
    const { reportId } = await expectOk(requestReport(jonas, 'posts', post));
    const removeAs = (member: OpineWithStaff['nina']) =>
      member.post(`/admin/reports/${reportId}/remove`, SPAM);
    const replies = await Promise.all([removeAs(opine.nina), removeAs(opine.otto)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    await expectNotified(maya, decision('content_removed', expect.objectContaining({ id: post.id })));
  });
});

describe('a removed comment', () => {
  test('a comment without replies is gone, and the post counts it no more', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya);
    const [comment, other] = [await aComment(jonas, post), await aComment(maya, post)];
    await remove(opine.nina, maya, 'comments', comment);
    for (const viewer of [maya, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([other]);
      expect(await commentCountSeenBy(viewer, post)).toBe(1);
    }
    expect(await requestReply(maya, post, comment)).toMatchObject(refusal(404, 'COMMENT_NOT_FOUND'));
    expect(await activityOf(maya, jonas)).toMatchObject({ comments: 0 });
  });

  test('a comment with replies stays without text and author, and the post counts the replies', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya);
    const root = await aComment(jonas, post);
    const reply = await aReply(maya, post, root);
    await remove(opine.nina, maya, 'comments', root);
    for (const viewer of [maya, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual([remainsOf(root, 1)]);
      expect(await repliesTo(viewer, post, root)).toEqual([reply]);
      expect(await commentCountSeenBy(viewer, post)).toBe(1);
    }
  });

  test('a reply is gone, and its root counts it no more', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya);
    const root = await aComment(maya, post);
    const reply = await aReply(jonas, post, root);
    await remove(opine.nina, maya, 'comments', reply);
    for (const viewer of [maya, jonas]) {
      expect(await commentsOn(viewer, post)).toEqual([root]);
      expect(await repliesTo(viewer, post, root)).toEqual([]);
      expect(await commentCountSeenBy(viewer, post)).toBe(1);
    }
  });
});

// docs/product.md S10
test('a removed message stays in its thread without content and is not counted', async () => {
  const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
  const [message, other] = [await aMessage(jonas, discussion), await aMessage(amara, discussion)];
  await remove(opine.nina, amara, 'messages', message);
  const emptied = { ...message, text: null, author: DELETED_AUTHOR, isDeleted: true };
  for (const member of [amara, jonas]) {
    expect(await messagesOf(member, discussion)).toEqual([emptied, other]);
    expect((await discussionOf(member, hub, post)).messageCount).toBe(1);
  }
});

describe('a decision of staff', () => {
  /** A post and its report, a person and a Hub, each with the path of its decision. */
  async function decidable() {
    const maya = await hubReadyPerson(opine, 'Maya');
    const post = await aSlider(maya);
    const { reportId } = await expectOk(requestReport(await confirmedPerson(opine), 'posts', post));
    const hub = await aHub(maya);
    const paths = [
      `/admin/reports/${reportId}/remove`,
      `/admin/users/${maya.id}/suspend`,
      `/admin/hubs/${hub.id}/suspend`,
    ];
    return { maya, post, hub, paths };
  }

  /** Returns the statuses of the post, the person and the Hub for their author. */
  const statusesOf = async ({ maya, post, hub }: { maya: Client; post: Json; hub: Json }) => {
    const statuses: number[] = [];
    for (const path of [`/posts/${post.id}`, '/users/me/profile', `/hubs/${hub.id}`])
      statuses.push((await maya.get(path)).status);
    return statuses;
  };

  // docs/product.md S6, S18
  test('a missing or wrong reason or statement is 422 and decides nothing', async () => {
    const world = await decidable();
    for (const path of world.paths)
      for (const body of INVALID_STATEMENTS)
        expect([body, await opine.nina.post(path, body)]).toMatchObject([body, { status: 422 }]);
    expect(await statusesOf(world)).toEqual([200, 200, 200]);
    expect(await decisionsOf(world.maya)).toEqual([]);
  });

  test('a statement has up to 2000 characters, which the person reads unchanged', async () => {
    const [maya, jonas] = await twoPeople();
    const post = await aThought(maya);
    const statement = '👍'.repeat(2000);
    await remove(opine.nina, jonas, 'posts', post, { reason: 'hate', statement });
    expect(await decisionAbout(maya, post)).toMatchObject({ reason: 'hate', statement });
  });

  test('support gets 403, a guest 401, and nothing is decided', async () => {
    const world = await decidable();
    for (const path of world.paths) {
      expect([path, await opine.sam.post(path, SPAM)]).toMatchObject([path, refusal(403, 'FORBIDDEN')]);
      expect([path, await aGuest(opine).post(path, SPAM)]).toMatchObject([
        path,
        refusal(401, 'UNAUTHORIZED'),
      ]);
    }
    expect(await statusesOf(world)).toEqual([200, 200, 200]);
    expect(await decisionsOf(world.maya)).toEqual([]);
  });

  test('an unknown report, person or Hub is 404', async () => {
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS]) {
      const cases = [
        [`/admin/reports/${id}/remove`, 'REPORT_NOT_FOUND'],
        [`/admin/users/${id}/suspend`, 'USER_NOT_FOUND'],
        [`/admin/hubs/${id}/suspend`, 'HUB_NOT_FOUND'],
      ] as const;
      for (const [path, code] of cases)
        expect([path, await opine.nina.post(path, SPAM)]).toMatchObject([path, refusal(404, code)]);
    }
  });
});
