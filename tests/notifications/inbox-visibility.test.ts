import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, idsOf, type Json, refusal } from '../support/client.ts';
import { allowContacts } from '../support/contacts.ts';
import { block, follow, mergeInto, unblock } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  join,
  requestAppoint,
  requestDecide,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import {
  inboxPage,
  insertInboxEntries,
  notificationsOf,
  notifiedTypes,
  requestMarkRead,
  storedNotificationIds,
  unreadCountOf,
  wholeInbox,
} from '../support/inbox.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import {
  aComment,
  aRepost,
  aThought,
  requestCommentDeletion,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { waitUntilDeleted } from '../support/worker.ts';

const ANONYMOUS = { id: '', username: '', profilePhotoUrl: null, isAnonymous: true };

let opine: Opine;
let amara: Person;

beforeAll(async () => {
  opine = await startOpine();
  amara = await hubReadyPerson(opine, 'Amara');
});

afterAll(() => opine.stop());

/** Returns the visible inbox of `reader`; the badge must count its unread notifications. */
async function visibleTo(reader: Person): Promise<Json[]> {
  const items = await wholeInbox(reader);
  expect(await unreadCountOf(reader)).toBe(items.filter(({ read }) => !read).length);
  return items;
}

describe('a person who left a Hub', () => {
  test('notifications of the Hub return on rejoining, read or unread as before', async () => {
    const hub = await aHub(amara);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const [read, unread] = [await aHubPost(amara, [hub]), await aHubPost(amara, [hub])];
    const [, toRead] = await notificationsOf(lena, 'hub_post_created');
    await expectOk(requestMarkRead(lena, toRead ?? read));
    const before = await visibleTo(lena);
    await expectOk(requestLeave(lena, hub));
    expect((await visibleTo(lena)).map(({ type }) => type)).toEqual(['hub_invite_received']);
    await join(amara, hub, [lena]);
    const [invitation, ...rest] = await visibleTo(lena);
    expect(invitation?.type).toBe('hub_invite_received');
    expect(rest).toEqual(before);
    expect(rest.map(({ postId, read: isRead }) => [postId, isRead])).toEqual([
      [unread.id, false],
      [read.id, true],
      [null, false],
    ]);
  });

  test('activity in the Hub during the absence creates no notification', async () => {
    const hub = await aHub(amara);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    await expectOk(requestLeave(lena, hub));
    await aHubPost(amara, [hub]);
    await aMemberOf(opine, amara, hub, 'Jonas');
    await join(amara, hub, [lena]);
    expect(await notifiedTypes(lena)).toEqual(['hub_invite_received', 'hub_invite_received']);
  });

  test('notifications of other Hubs stay visible', async () => {
    const [left, kept] = [await aHub(amara, { name: 'Left' }), await aHub(amara, { name: 'Kept' })];
    const lena = await aMemberOf(opine, amara, left, 'Lena');
    await join(amara, kept, [lena]);
    await aHubPost(amara, [left, kept]);
    expect((await notificationsOf(lena, 'hub_post_created')).map(({ hub }) => hub.name).sort()).toEqual([
      'Kept',
      'Left',
    ]);
    await expectOk(requestLeave(lena, left));
    expect((await notificationsOf(lena, 'hub_post_created')).map(({ hub }) => hub.name)).toEqual(['Kept']);
    expect(await visibleTo(lena)).toHaveLength(3);
  });

  test('approval and role notifications of the Hub are hidden', async () => {
    const hub = await aHub(amara);
    const lena = await hubReadyPerson(opine, 'Lena');
    await expectOk(requestDecide(amara, hub, await aJoinRequest(amara, hub, lena), 'approve'));
    await expectOk(requestAppoint(amara, hub, lena, 'manager'));
    expect(await notifiedTypes(lena)).toEqual(['hub_role_changed', 'hub_join_request_approved']);
    await expectOk(requestLeave(lena, hub));
    expect(await visibleTo(lena)).toEqual([]);
  });

  test('a repost into the Hub is hidden until the person rejoins', async () => {
    const hub = await aHub(amara);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const post = await aThought(lena);
    const repost = await aRepost(amara, post, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    const [notification] = await notificationsOf(lena, 'post_reposted');
    expect(notification).toMatchObject({ postId: repost.id, sourcePostId: post.id, hub: { id: hub.id } });
    await expectOk(requestLeave(lena, hub));
    expect(await notificationsOf(lena, 'post_reposted')).toEqual([]);
    await join(amara, hub, [lena]);
    expect(await notificationsOf(lena, 'post_reposted')).toEqual([notification]);
  });
});

describe('a non-member of a Hub', () => {
  test('a removed member sees the removal and the invitation and nothing else', async () => {
    const hub = await aHub(amara);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    await aHubPost(amara, [hub]);
    await expectOk(requestRemove(amara, hub, lena));
    const items = await visibleTo(lena);
    expect(items.map(({ type }) => type)).toEqual(['hub_member_removed', 'hub_invite_received']);
    expect(items[0]).toMatchObject({ actor: { id: amara.id }, hub: { id: hub.id, name: hub.name } });
  });

  test('an invited person sees the invitation', async () => {
    const hub = await aHub(amara);
    const lena = await hubReadyPerson(opine, 'Lena');
    const invitation = await anInvitation(amara, hub, lena);
    expect(await visibleTo(lena)).toMatchObject([
      {
        type: 'hub_invite_received',
        invitationId: invitation.id,
        hub: { id: hub.id },
        actor: { id: amara.id },
      },
    ]);
  });

  test('a rejected requester sees the rejection', async () => {
    const hub = await aHub(amara);
    const lena = await hubReadyPerson(opine, 'Lena');
    const request = await aJoinRequest(amara, hub, lena);
    await expectOk(requestDecide(amara, hub, request, 'reject'));
    expect(await visibleTo(lena)).toMatchObject([
      { type: 'hub_join_request_rejected', joinRequestId: request.id, hub: { id: hub.id } },
    ]);
  });

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

test('a new member sees no notifications from before joining', async () => {
  const hub = await aHub(amara);
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  await aHubPost(amara, [hub]);
  await shareToHubs(amara, await aThought(amara), hub);
  const lena = await hubReadyPerson(opine, 'Lena');
  await join(amara, hub, [lena]);
  expect(await notifiedTypes(lena)).toEqual(['hub_invite_received']);
  expect(await notifiedTypes(jonas)).toEqual([
    'hub_member_joined',
    'post_shared_to_hub',
    'hub_post_created',
    'hub_invite_received',
  ]);
});

describe('a person who is not Hub-ready', () => {
  test('an invitation stays hidden until the invited person is Hub-ready', async () => {
    const hub = await aHub(amara);
    const maya = await confirmedPerson(opine, 'Maya');
    const invitation = await anInvitation(amara, hub, maya);
    expect(await visibleTo(maya)).toEqual([]);
    const [waiting = 'none'] = await storedNotificationIds(opine, maya);
    expect((await requestMarkRead(maya, { id: waiting })).data).toEqual({ updated: 0, unreadCount: 0 });
    const { inboxVersion } = await inboxPage(maya);
    await expectOk(allowContacts(maya));
    expect(await visibleTo(maya)).toMatchObject([{ id: waiting, invitationId: invitation.id, read: false }]);
    expect((await inboxPage(maya)).inboxVersion).toBeGreaterThan(inboxVersion);
  });

  test('invitations, rejections and removals stay hidden until the person is Hub-ready', async () => {
    const hub = await aHub(amara);
    const maya = await confirmedPerson(opine, 'Maya');
    await insertInboxEntries(opine, maya, [
      { type: 'hub_invite_received', hub },
      { type: 'hub_join_request_rejected', hub },
      { type: 'hub_member_removed', hub },
    ]);
    expect(await visibleTo(maya)).toEqual([]);
    await expectOk(allowContacts(maya));
    expect(await visibleTo(maya)).toHaveLength(3);
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

  test('a private repost is visible to a member of a Hub into which it was shared', async () => {
    const hubs = [await aHub(amara), await aHub(amara)];
    const other = await aHub(amara);
    const lena = await hubReadyPerson(opine, 'Lena');
    const repost = await aRepost(amara, await aThought(lena), {
      visibility: 'private_locked_hub',
      hubIds: idsOf(hubs),
    });
    await insertInboxEntries(opine, lena, [{ type: 'post_reposted', post: repost, actor: amara }]);
    await join(amara, other, [lena]);
    expect(await notificationsOf(lena, 'post_reposted')).toEqual([]);
    await shareToHubs(amara, repost, other);
    expect(await notificationsOf(lena, 'post_reposted')).toHaveLength(1);
    await visibleTo(lena);
  });

  test('marking all skips a hidden private repost', async () => {
    const hub = await aHub(amara);
    const lena = await hubReadyPerson(opine, 'Lena');
    const repost = await aRepost(amara, await aThought(lena), {
      visibility: 'private_locked_hub',
      hubIds: [hub.id],
    });
    await insertInboxEntries(opine, lena, [{ type: 'post_reposted', post: repost, actor: amara }]);
    const { data } = await lena.patch('/notifications/read', { all: true });
    expect(data).toEqual({ updated: 0, unreadCount: 0 });
    await join(amara, hub, [lena]);
    expect(await notificationsOf(lena, 'post_reposted')).toMatchObject([{ read: false }]);
  });

  test('a public repost is visible to its recipient, Hub-ready or not', async () => {
    const maya = await registeredPerson(opine, 'Maya');
    const author = await confirmedPerson(opine, 'Author');
    const post = await aThought(author);
    await expectOk(allowContacts(author));
    const hub = await aHub(amara);
    const [open, beside] = [
      await aRepost(amara, post),
      await aRepost(amara, post, { visibility: 'public_hub', hubIds: [hub.id] }),
    ];
    const notifications = await notificationsOf(author, 'post_reposted');
    expect(notifications.map(({ postId, hub: where }) => [postId, where])).toEqual([
      [beside.id, null],
      [open.id, null],
    ]);
    // Maya is not Hub-ready.
    await insertInboxEntries(opine, maya, [{ type: 'post_reposted', post: open, actor: amara }]);
    expect(await visibleTo(maya)).toHaveLength(1);
  });
});

describe('a notification without its post or Hub', () => {
  test('a malformed notification is neither visible nor counted nor marked', async () => {
    const hub = await aHub(amara);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const post = await aThought(amara);
    const before = await visibleTo(lena);
    const ids = await insertInboxEntries(opine, lena, [
      // Post types without a post.
      { type: 'post_reposted', actor: amara },
      { type: 'post_commented', actor: amara },
      { type: 'post_shared_to_feed', actor: amara },
      { type: 'post_voted' },
      { type: 'followed_user_posted', actor: amara },
      // Hub types without a Hub.
      { type: 'hub_post_created', actor: amara, post },
      { type: 'post_shared_to_hub', actor: amara, post },
      { type: 'hub_invite_received', actor: amara },
      { type: 'hub_join_request_created', actor: amara },
      { type: 'hub_join_request_approved', actor: amara },
      { type: 'hub_join_request_rejected', actor: amara },
      { type: 'hub_member_joined', actor: amara },
      { type: 'hub_member_removed', actor: amara },
      { type: 'hub_role_changed', actor: amara },
    ]);
    expect(ids).toHaveLength(14);
    expect(await visibleTo(lena)).toEqual(before);
    for (const id of ids) expect((await requestMarkRead(lena, { id })).data.updated).toBe(0);
    expect((await expectOk(lena.patch('/notifications/read', { all: true }))).updated).toBe(before.length);
    expect(await storedNotificationIds(opine, lena)).toHaveLength(before.length + ids.length);
  });

  test('malformed notifications do not shorten pages', async () => {
    const [lena, jonas] = [await confirmedPerson(opine, 'Lena'), await registeredPerson(opine, 'Jonas')];
    const post = await aThought(lena);
    for (let round = 0; round < 4; round += 1) {
      await insertInboxEntries(opine, lena, [{ type: 'post_commented' }, { type: 'post_reposted' }]);
      await aComment(jonas, post);
    }
    expect((await inboxPage(lena, { limit: 4 })).items).toHaveLength(4);
    expect(await inboxPage(lena, { limit: 3 })).toMatchObject({ unreadCount: 4 });
  });
});

describe('a blocked pair', () => {
  test.each([
    ['the reader blocks', (reader: Person, other: Person) => [reader, other] as const],
    ['the reader is blocked', (reader: Person, other: Person) => [other, reader] as const],
  ])('notifications from the other person are hidden until the block ends when %s', async (_, sides) => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
    const post = await aThought(maya);
    await follow(jonas, maya);
    await aComment(jonas, post);
    await shareToFeed(jonas, post);
    await aComment(amara, post);
    const before = await visibleTo(maya);
    expect(before).toHaveLength(4);
    const { inboxVersion } = await inboxPage(maya);
    const [blocker, blocked] = sides(maya, jonas);
    await block(blocker, blocked);
    expect((await visibleTo(maya)).map(({ actor }) => actor.id)).toEqual([amara.id]);
    const hidden = await inboxPage(maya);
    expect(hidden.inboxVersion).toBeGreaterThan(inboxVersion);
    await unblock(blocker, blocked);
    expect(await visibleTo(maya)).toEqual(before);
    expect((await inboxPage(maya)).inboxVersion).toBeGreaterThan(hidden.inboxVersion);
  });

  test('a share by a third person of a post of the other person is hidden', async () => {
    const hub = await aHub(amara);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const jonas = await registeredPerson(opine, 'Jonas');
    const author = await confirmedPerson(opine, 'Author');
    await shareToHubs(amara, await aThought(author), hub);
    const shares = await notificationsOf(lena, 'post_shared_to_hub');
    expect(shares).toHaveLength(1);
    await block(jonas, lena);
    expect(await notificationsOf(lena, 'post_shared_to_hub')).toEqual(shares);
    await block(author, lena);
    expect(await notificationsOf(lena, 'post_shared_to_hub')).toEqual([]);
    await visibleTo(lena);
  });
});

describe('deleted content', () => {
  test('the notifications of a post are deleted with the post', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
    const [gone, kept] = [await aThought(maya), await aThought(maya)];
    await aComment(jonas, gone);
    const comment = await aComment(jonas, kept);
    await shareToFeed(jonas, gone);
    const [notification] = await notificationsOf(maya, 'post_shared_to_feed');
    const { inboxVersion } = await inboxPage(maya);
    await expectOk(maya.delete(`/posts/${gone.id}`));
    expect((await visibleTo(maya)).map(({ commentId }) => commentId)).toEqual([comment.id]);
    expect((await inboxPage(maya)).inboxVersion).toBeGreaterThan(inboxVersion);
    expect([200, 404]).toContain((await requestMarkRead(maya, { id: notification?.id })).status);
  });

  test('the notifications of a Hub post are deleted for every member', async () => {
    const hub = await aHub(amara);
    const [lena, jonas] = [
      await aMemberOf(opine, amara, hub, 'Lena'),
      await aMemberOf(opine, amara, hub, 'Jonas'),
    ];
    const post = await aHubPost(amara, [hub]);
    for (const member of [lena, jonas])
      expect(await notificationsOf(member, 'hub_post_created')).toHaveLength(1);
    await expectOk(amara.delete(`/posts/${post.id}`));
    for (const member of [lena, jonas]) {
      expect(await notificationsOf(member, 'hub_post_created')).toEqual([]);
      await visibleTo(member);
    }
  });

  test('the notification of a comment is deleted with the comment', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
    const post = await aThought(maya);
    const [gone, kept] = [await aComment(jonas, post), await aComment(jonas, post)];
    await expectOk(requestCommentDeletion(jonas, gone));
    expect((await visibleTo(maya)).map(({ commentId }) => commentId)).toEqual([kept.id]);
  });

  test('the notification of a root comment is deleted although its thread stays', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
    const post = await aThought(maya);
    const root = await aComment(jonas, post);
    const reply = await aComment(jonas, post, 'Below.', { parentCommentId: root.id });
    await expectOk(requestCommentDeletion(maya, root));
    expect((await visibleTo(maya)).map(({ commentId }) => commentId)).toEqual([reply.id]);
  });
});

test('an ended account is an anonymous actor until the worker deletes its notifications', async () => {
  const maya = await confirmedPerson(opine, 'Maya');
  const jonas = await registeredPerson(opine, 'Jonas');
  await follow(jonas, maya);
  await aComment(jonas, await aThought(maya));
  await aComment(amara, await aThought(maya));
  await expectOk(jonas.delete('/users/me'));
  expect((await visibleTo(maya)).map(({ type, actor }) => [type, actor])).toEqual([
    ['post_commented', expect.objectContaining({ id: amara.id })],
    ['post_commented', ANONYMOUS],
    ['user_followed', ANONYMOUS],
  ]);
  await waitUntilDeleted(opine, jonas.id);
  expect((await visibleTo(maya)).map(({ actor }) => actor.id)).toEqual([amara.id]);
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
    const merged = await mergeInto(opine, before, known);
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

  test('a merge keeps read notifications read', async () => {
    const [known, before] = [await confirmedPerson(opine, 'Known'), await registeredPerson(opine, 'Before')];
    const jonas = await confirmedPerson(opine, 'Jonas');
    await follow(before, jonas);
    await aThought(jonas);
    const [read] = await notificationsOf(before);
    await expectOk(requestMarkRead(before, { id: read?.id }));
    await aThought(jonas);
    const merged = await mergeInto(opine, before, known);
    expect((await visibleTo(merged)).map((item) => item.read)).toEqual([false, true]);
  });

  test('a merge replaces the actor in the notifications of other people', async () => {
    const [known, before] = [await confirmedPerson(opine, 'Known'), await registeredPerson(opine, 'Before')];
    const maya = await confirmedPerson(opine, 'Maya');
    await aComment(before, await aThought(maya));
    expect((await visibleTo(maya)).map(({ actor }) => actor.id)).toEqual([before.id]);
    await mergeInto(opine, before, known);
    expect((await visibleTo(maya)).map(({ actor }) => actor)).toMatchObject([
      { id: known.id, username: known.username, isAnonymous: false },
    ]);
    await block(maya, known);
    expect(await visibleTo(maya)).toEqual([]);
  });

  test('a merge raises inboxVersion', async () => {
    const [known, before] = [await confirmedPerson(opine, 'Known'), await registeredPerson(opine, 'Before')];
    const jonas = await confirmedPerson(opine, 'Jonas');
    const post = await aThought(known);
    for (let round = 0; round < 3; round += 1) await aComment(jonas, post);
    await follow(before, jonas);
    await aThought(jonas);
    const { inboxVersion } = await inboxPage(known);
    const merged = await mergeInto(opine, before, known);
    expect((await inboxPage(merged)).inboxVersion).toBeGreaterThan(inboxVersion);
  });

  test('a merge keeps the ids of notifications', async () => {
    const [known, before] = [await confirmedPerson(opine, 'Known'), await registeredPerson(opine, 'Before')];
    const jonas = await confirmedPerson(opine, 'Jonas');
    await follow(before, jonas);
    await aThought(jonas);
    const [notification] = await notificationsOf(before);
    const merged = await mergeInto(opine, before, known);
    expect((await requestMarkRead(merged, { id: notification?.id })).data).toEqual({
      updated: 1,
      unreadCount: 0,
    });
    expect(await requestMarkRead(jonas, { id: notification?.id })).toMatchObject(
      refusal(404, 'NOTIFICATION_NOT_FOUND'),
    );
  });
});

test('an inbox does not change while only time passes', async () => {
  const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
  await aComment(jonas, await aThought(maya));
  const before = await inboxPage(maya);
  await advanceTime(opine, '5 minutes');
  expect(await inboxPage(maya)).toEqual(before);
});
