import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, idsOf, type Json, NONEXISTENT, refusal } from '../support/client.ts';
import { allowContacts } from '../support/contacts.ts';
import { follow, mergeInto } from '../support/graph.ts';
import { aHub, aHubPost, anInvitation, join, requestLeave } from '../support/hubs.ts';
import {
  addComments,
  inboxOf,
  inboxPage,
  insertInboxEntries,
  notificationsOf,
  notifiedTypes,
  requestMarkAllRead,
  requestMarkRead,
  storedNotificationIds,
  unreadCountOf,
  wholeInbox,
} from '../support/inbox.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aComment, aRepost, aThought, shareToFeed } from '../support/posts.ts';

const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;
const INVALID = refusal(422, 'VALIDATION_FAILED');

let opine: Opine;
let amara: Person;
let jonas: Person;
let maya: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  [amara, jonas] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Jonas')];
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await confirmedPerson(opine, 'Maya');
  post = await aThought(maya);
});

const unreadOf = async (reader: Person) => idsOf(await wholeInbox(reader, { unreadOnly: true }));

/** Returns the visible inbox of `reader`; the badge must count its unread notifications. */
async function visibleTo(reader: Person): Promise<Json[]> {
  const items = await wholeInbox(reader);
  expect(await unreadCountOf(reader)).toBe(items.filter(({ read }) => !read).length);
  return items;
}

test('an inbox shows each step from the first notification to none unread', async () => {
  const [amara, jonas] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Jonas')];
  expect(await inboxOf(jonas)).toMatchObject({ items: [], nextCursor: null, unreadCount: 0 });
  await expectOk(jonas.post(`/users/${amara.id}/follow`));
  const [notification] = await notificationsOf(amara);
  expect(notification).toMatchObject({
    type: 'user_followed',
    actor: { id: jonas.id, username: jonas.username },
    read: false,
  });
  const hub = await aHub(amara);
  await join(amara, hub, [jonas]);
  const post = await aHubPost(amara, [hub]);
  expect(await notifiedTypes(jonas)).toEqual(['hub_post_created', 'hub_invite_received']);
  expect(await notifiedTypes(amara)).toEqual(['hub_member_joined', 'user_followed']);
  const inbox = await inboxOf(jonas);
  expect(inbox.unreadCount).toBe(2);
  expect(inbox.items[0]).toMatchObject({ postId: post.id, hub: { id: hub.id, name: hub.name } });
  expect((await requestMarkRead(jonas, inbox.items[0])).data).toEqual({ updated: 1, unreadCount: 1 });
  await expectOk(requestLeave(jonas, hub));
  const left = await inboxOf(jonas);
  expect([left.unreadCount, left.items.length]).toEqual([1, 1]);
  expect(left.inboxVersion).toBeGreaterThan(inbox.inboxVersion);
  await aThought(amara);
  expect(await notifiedTypes(jonas)).toEqual(['followed_user_posted', 'hub_invite_received']);
  expect((await requestMarkAllRead(jonas)).data).toEqual({ updated: 2, unreadCount: 0 });
});

describe('a notification in the inbox', () => {
  // docs/product.md N2
  test('a notification has every field, null where a field does not apply', async () => {
    const comment = await aComment(jonas, post);
    expect(await inboxOf(maya)).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: 'post_commented',
          actor: { id: jonas.id, username: jonas.username, profilePhotoUrl: null, isAnonymous: false },
          postId: post.id,
          sourcePostId: null,
          commentId: comment.id,
          hub: null,
          invitationId: null,
          joinRequestId: null,
          decisionId: null,
          milestoneTotal: null,
          milestoneCount: null,
          createdAt: expect.stringMatching(ISO_UTC),
          read: false,
        },
      ],
      nextCursor: null,
      unreadCount: 1,
      inboxVersion: expect.any(Number),
    });
  });
});

// docs/product.md N12
describe('PATCH /notifications/read with one notificationId', () => {
  test('marking one notification leaves the others unread', async () => {
    await addComments(jonas, post, 3);
    const [newest, middle, oldest] = await wholeInbox(maya);
    const { status, data } = await requestMarkRead(maya, middle);
    expect([status, data]).toEqual([200, { updated: 1, unreadCount: 2 }]);
    expect(await wholeInbox(maya)).toEqual([newest, { ...middle, read: true }, oldest]);
    expect(await unreadCountOf(maya)).toBe(2);
  });

  test('six concurrent requests to mark one notification update one row', async () => {
    await addComments(jonas, post, 2);
    const [notification] = await wholeInbox(maya);
    const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(() => requestMarkRead(maya, notification)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(replies.reduce((sum, { data }) => sum + data.updated, 0)).toBe(1);
    expect(await unreadCountOf(maya)).toBe(1);
  });

  test('a notificationId in capitals is accepted', async () => {
    await addComments(jonas, post, 1);
    const [notification] = await wholeInbox(maya);
    const { data } = await requestMarkRead(maya, { id: notification?.id.toUpperCase() });
    expect(data).toEqual({ updated: 1, unreadCount: 0 });
  });
});

// docs/product.md N12
describe('PATCH /notifications/read with all', () => {
  test('marking all leaves later notifications unread', async () => {
    await addComments(jonas, post, 4);
    const [notification] = await wholeInbox(maya);
    await expectOk(requestMarkRead(maya, notification));
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: 3, unreadCount: 0 });
    expect((await wholeInbox(maya)).map(({ read }) => read)).toEqual([true, true, true, true]);
    await addComments(jonas, post, 1);
    expect(await unreadCountOf(maya)).toBe(1);
  });

  test('two concurrent requests to mark all update each row once', async () => {
    await addComments(jonas, post, 20);
    const replies = await Promise.all([requestMarkAllRead(maya), requestMarkAllRead(maya)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies.reduce((sum, { data }) => sum + data.updated, 0)).toBe(20);
    expect([await unreadCountOf(maya), await unreadOf(maya)]).toEqual([0, []]);
  });

  test('concurrent requests to mark all and single notifications update each row once', async () => {
    await addComments(jonas, post, 10);
    const notifications = await wholeInbox(maya);
    const replies = await Promise.all([
      ...notifications.slice(0, 5).map((item) => requestMarkRead(maya, item)),
      requestMarkAllRead(maya),
      ...notifications.slice(5).map((item) => requestMarkRead(maya, item)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies.reduce((sum, { data }) => sum + data.updated, 0)).toBe(10);
    expect([await unreadCountOf(maya), await unreadOf(maya)]).toEqual([0, []]);
  });

  test('the badge counts the unread notifications while requests to mark all race with new notifications', async () => {
    const others = await Promise.all(
      ['Lena', 'Carla', 'Dimitri'].map((name) => registeredPerson(opine, name)),
    );
    let isSending = true;
    const updatedCounts: number[] = [];
    const marking = async () => {
      while (isSending) updatedCounts.push((await expectOk(requestMarkAllRead(maya))).updated);
    };
    const sending = Promise.all(others.map((other) => addComments(other, post, 12))).finally(() => {
      isSending = false;
    });
    await Promise.all([marking(), marking(), sending]);
    const updated = updatedCounts.reduce((sum, count) => sum + count, 0);
    const unread = await unreadOf(maya);
    expect(await wholeInbox(maya)).toHaveLength(36);
    expect(updated).toBe(36 - unread.length);
    expect(await unreadCountOf(maya)).toBe(unread.length);
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: unread.length, unreadCount: 0 });
    expect(await unreadCountOf(maya)).toBe(0);
  });
});

// docs/product.md N12
describe('validation of PATCH /notifications/read', () => {
  let notification: Json;

  beforeEach(async () => {
    await addComments(jonas, post, 1);
    [notification] = await wholeInbox(maya);
  });

  test.each([
    ['no field', {}],
    ['all: false', { all: false }],
    ['an unknown field', { all: true, until: NONEXISTENT.id }],
    ['notificationId and all', { notificationId: NONEXISTENT.id, all: true }],
    ['notificationId and all: false', { notificationId: NONEXISTENT.id, all: false }],
    ['notificationId and an unknown field', { notificationId: NONEXISTENT.id, read: true }],
  ])('a body with %s is 422 and marks nothing', async (_, body) => {
    const own = JSON.stringify(body).replaceAll(NONEXISTENT.id, notification.id);
    expect(await maya.patch('/notifications/read', JSON.parse(own))).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([notification.id]);
  });
});

// docs/product.md N8
describe('a non-member of a Hub', () => {
  test('notifications of all other Hub types stay hidden until the person joins', async () => {
    const hub = await aHub(amara);
    const lena = await hubReadyPerson(opine, 'Lena');
    const types = [
      'hub_join_request_created',
      'hub_join_request_approved',
      'hub_member_joined',
      'hub_role_changed',
      'hub_post_created',
      'post_shared_to_hub',
      'post_reposted',
    ];
    const post = await aHubPost(amara, [hub]);
    await insertInboxEntries(
      opine,
      lena,
      types.map((type) => ({ type, hub, post, actor: amara })),
    );
    expect(await visibleTo(lena)).toEqual([]);
    await join(amara, hub, [lena]);
    expect((await notifiedTypes(lena)).slice(1)).toEqual([...types].reverse());
  });
});

// docs/product.md N8
describe('a person who is not Hub-ready', () => {
  test('an invitation stays hidden until the invited person is Hub-ready', async () => {
    const hub = await aHub(amara);
    const invitation = await anInvitation(amara, hub, maya);
    expect(await visibleTo(maya)).toEqual([]);
    const [waiting = 'none'] = await storedNotificationIds(opine, maya);
    expect((await requestMarkRead(maya, { id: waiting })).data).toEqual({ updated: 0, unreadCount: 0 });
    const { inboxVersion } = await inboxPage(maya);
    await expectOk(allowContacts(maya));
    expect(await visibleTo(maya)).toMatchObject([{ id: waiting, invitationId: invitation.id, read: false }]);
    expect((await inboxPage(maya)).inboxVersion).toBeGreaterThan(inboxVersion);
  });
});

describe('a post_reposted notification without a Hub', () => {
  test('a private repost is visible while the recipient is a member of one of its Hubs', async () => {
    const [first, second] = [await aHub(amara, { name: 'First' }), await aHub(amara, { name: 'Second' })];
    const hubs = [first, second];
    const lena = await hubReadyPerson(opine, 'Lena');
    const repost = await aRepost(amara, await aThought(lena), {
      visibility: 'private_locked_hub',
      hubIds: idsOf(hubs),
    });
    const [id] = await insertInboxEntries(opine, lena, [
      { type: 'post_reposted', post: repost, actor: amara },
    ]);
    expect(await visibleTo(lena)).toEqual([]);
    await join(amara, second, [lena]);
    const isSeen = async () => idsOf(await visibleTo(lena)).includes(id ?? 'none');
    expect(await isSeen()).toBe(true);
    await join(amara, first, [lena]);
    await expectOk(requestLeave(lena, second));
    expect(await isSeen()).toBe(true);
    const { inboxVersion } = await inboxPage(lena);
    await expectOk(requestLeave(lena, first));
    expect(await isSeen()).toBe(false);
    expect((await inboxPage(lena)).inboxVersion).toBeGreaterThan(inboxVersion);
    expect((await requestMarkRead(lena, { id: id ?? 'none' })).data.updated).toBe(0);
    await join(amara, first, [lena]);
    expect((await visibleTo(lena)).find((item) => item.id === id)).toMatchObject({
      hub: null,
      postId: repost.id,
      read: false,
    });
  });
});

describe('a merge of two users', () => {
  test('a merge combines both inboxes without duplicates and own activity', async () => {
    const [known, before] = [await confirmedPerson(opine, 'Known'), await registeredPerson(opine, 'Before')];
    const [jonas, lena] = [await confirmedPerson(opine, 'Jonas'), await confirmedPerson(opine, 'Lena')];
    // Both follow Jonas, and only the merged user follows Lena.
    await follow(known, jonas);
    await follow(before, jonas, lena);
    const [toBoth, toOne] = [await aThought(jonas), await aThought(lena)];
    // Activity between the two users.
    await follow(before, known);
    const post = await aThought(known);
    await aComment(before, post);
    await aComment(lena, post);
    await shareToFeed(before, post);
    const { inboxVersion } = await inboxPage(known);
    const merged = await mergeInto(opine, before, known);
    expect((await inboxPage(merged)).inboxVersion).toBeGreaterThan(inboxVersion);
    const items = await visibleTo(merged);
    expect(items.map(({ type, actor, postId }) => [type, actor.id, postId])).toEqual([
      ['post_commented', lena.id, post.id],
      ['followed_user_posted', lena.id, toOne.id],
      ['followed_user_posted', jonas.id, toBoth.id],
    ]);
    expect(items.map(({ read }) => read)).toEqual([false, false, false]);
    expect((await expectOk(merged.patch('/notifications/read', { all: true }))).updated).toBe(3);
    expect(await unreadCountOf(merged)).toBe(0);
  });
});

test('an inbox does not change while only time passes', async () => {
  await aComment(jonas, post);
  const before = await inboxPage(maya);
  await advanceTime(opine, '5 minutes');
  expect(await inboxPage(maya)).toEqual(before);
});
