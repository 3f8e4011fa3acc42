import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, expectOk, refusal } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave } from '../support/hubs.ts';
import {
  inboxOf,
  notificationsOf,
  notifiedTypes,
  requestInbox,
  requestMarkAllRead,
  requestMarkRead,
} from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  registeredPerson,
} from '../support/people.ts';
import { aComment, aThought } from '../support/posts.ts';

const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

test('an inbox shows each step from the first notification to none unread', async () => {
  const amara = await hubReadyPerson(opine, 'Amara');
  const jonas = await hubReadyPerson(opine, 'Jonas');
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
  test('a notification has every field, null where a field does not apply', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
    const post = await aThought(maya);
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

  test('notifications come newest first', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
    const post = await aThought(maya);
    const first = await aComment(jonas, post, 'First.');
    await follow(jonas, maya);
    const last = await aComment(jonas, post, 'Last.');
    const notifications = await notificationsOf(maya);
    expect(notifications.map(({ type, commentId }) => [type, commentId])).toEqual([
      ['post_commented', last.id],
      ['user_followed', null],
      ['post_commented', first.id],
    ]);
    const times = notifications.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('a read notification stays in the list with read: true', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
    await follow(jonas, maya);
    const [before] = await notificationsOf(maya);
    await expectOk(requestMarkRead(maya, before));
    expect(await notificationsOf(maya)).toEqual([{ ...before, read: true }]);
  });

  test('a notification is visible to its recipient only', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await registeredPerson(opine, 'Jonas')];
    await follow(jonas, maya);
    expect(await inboxOf(jonas)).toMatchObject({ items: [], unreadCount: 0 });
  });
});

describe('access to the inbox', () => {
  test('an anonymous user opens an empty inbox', async () => {
    expect(await inboxOf(await anonymousPerson(opine))).toMatchObject({
      items: [],
      nextCursor: null,
      unreadCount: 0,
    });
  });

  test('a guest and a caller with an invalid bearer get 401', async () => {
    for (const caller of [aGuest(opine), clientOf(opine.url, 'no token')]) {
      expect(await requestInbox(caller)).toMatchObject(UNAUTHORIZED);
      expect(await requestMarkAllRead(caller)).toMatchObject(UNAUTHORIZED);
    }
  });

  test('a caller whose session has ended gets 401', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const { refreshToken } = maya.session;
    await expectOk(maya.post('/auth/logout', { refreshToken, logoutFromAllDevices: false }));
    expect(await requestInbox(maya)).toMatchObject(UNAUTHORIZED);
    expect(await requestMarkAllRead(maya)).toMatchObject(UNAUTHORIZED);
  });
});
