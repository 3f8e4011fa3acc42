import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, idsOf, type Json, NONEXISTENT, refusal } from '../support/client.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave } from '../support/hubs.ts';
import {
  addComments,
  inboxPage,
  notificationsOf,
  requestMarkAllRead,
  requestMarkRead,
  unreadCountOf,
  wholeInbox,
} from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aComment, aThought } from '../support/posts.ts';

const NOT_FOUND = refusal(404, 'NOTIFICATION_NOT_FOUND');
const INVALID = refusal(422, 'VALIDATION_FAILED');

let opine: Opine;
let maya: Person;
let jonas: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  jonas = await hubReadyPerson(opine, 'Jonas');
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await confirmedPerson(opine, 'Maya');
  post = await aThought(maya);
});

const unreadOf = async (reader: Person) => idsOf(await wholeInbox(reader, { unreadOnly: true }));

describe('PATCH /notifications/read with one notificationId', () => {
  test('marking one notification leaves the others unread', async () => {
    await addComments(jonas, post, 3);
    const [newest, middle, oldest] = await wholeInbox(maya);
    const { status, data } = await requestMarkRead(maya, middle);
    expect([status, data]).toEqual([200, { updated: 1, unreadCount: 2 }]);
    expect(await wholeInbox(maya)).toEqual([newest, { ...middle, read: true }, oldest]);
    expect(await unreadCountOf(maya)).toBe(2);
  });

  test('marking one notification raises inboxVersion', async () => {
    await addComments(jonas, post, 1);
    const { items, inboxVersion } = await inboxPage(maya);
    await expectOk(requestMarkRead(maya, items[0]));
    expect((await inboxPage(maya)).inboxVersion).toBeGreaterThan(inboxVersion);
  });

  test('marking the same notification again updates nothing', async () => {
    await addComments(jonas, post, 2);
    const [notification] = await wholeInbox(maya);
    await expectOk(requestMarkRead(maya, notification));
    expect((await requestMarkRead(maya, notification)).data).toEqual({ updated: 0, unreadCount: 1 });
    expect(await unreadOf(maya)).not.toContain(notification?.id);
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

  test('marking all updates nothing when nothing is unread', async () => {
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: 0, unreadCount: 0 });
    await addComments(jonas, post, 1);
    await expectOk(requestMarkAllRead(maya));
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: 0, unreadCount: 0 });
  });

  test('marking all leaves the notifications of other people unread', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    await addComments(jonas, await aThought(lena), 2);
    await addComments(jonas, post, 2);
    await expectOk(requestMarkAllRead(maya));
    expect([await unreadCountOf(lena), (await unreadOf(lena)).length]).toEqual([2, 2]);
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

describe('a hidden notification', () => {
  test('marking one notification of a left Hub updates nothing', async () => {
    const [amara, lena] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Lena')];
    const hub = await aHub(amara);
    await join(amara, hub, [lena]);
    await aHubPost(amara, [hub]);
    const [notification] = await notificationsOf(lena, 'hub_post_created');
    await expectOk(requestLeave(lena, hub));
    const { unreadCount } = await inboxPage(lena);
    const { status, data } = await requestMarkRead(lena, { id: notification?.id });
    expect([status, data]).toEqual([200, { updated: 0, unreadCount }]);
    await join(amara, hub, [lena]);
    expect(await notificationsOf(lena, 'hub_post_created')).toEqual([{ ...notification, read: false }]);
    expect((await requestMarkRead(lena, { id: notification?.id })).data.updated).toBe(1);
  });

  test('marking all skips the notifications of a left Hub', async () => {
    const [amara, lena] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Lena')];
    const hub = await aHub(amara);
    await join(amara, hub, [lena]);
    await aHubPost(amara, [hub]);
    await aHubPost(amara, [hub]);
    const hidden = idsOf(await notificationsOf(lena, 'hub_post_created'));
    await expectOk(requestLeave(lena, hub));
    const visible = await unreadOf(lena);
    expect((await requestMarkAllRead(lena)).data).toEqual({ updated: visible.length, unreadCount: 0 });
    await join(amara, hub, [lena]);
    expect((await unreadOf(lena)).filter((id) => hidden.includes(id))).toEqual(hidden);
    expect(await unreadCountOf(lena)).toBe((await unreadOf(lena)).length);
  });

  test('marking one or all skips a notification hidden by a block', async () => {
    const [notification] = await addComments(jonas, post, 1).then(() => wholeInbox(maya));
    await aComment(await registeredPerson(opine, 'Lena'), post);
    await block(maya, jonas);
    expect((await requestMarkRead(maya, { id: notification?.id })).data).toEqual({
      updated: 0,
      unreadCount: 1,
    });
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: 1, unreadCount: 0 });
    await unblock(maya, jonas);
    expect(await unreadOf(maya)).toEqual([notification?.id]);
    expect(await unreadCountOf(maya)).toBe(1);
  });
});

describe('a notificationId outside the inbox of the caller', () => {
  test('an unknown id is 404', async () => {
    expect(await requestMarkRead(maya, NONEXISTENT)).toMatchObject(NOT_FOUND);
  });

  test('a notification of another person is 404 and stays unread', async () => {
    await addComments(jonas, post, 1);
    const [notification] = await wholeInbox(maya);
    const reply = await requestMarkRead(jonas, { id: notification?.id });
    expect(reply).toMatchObject(NOT_FOUND);
    expect(reply.error).toEqual((await requestMarkRead(jonas, NONEXISTENT)).error);
    expect(await unreadOf(maya)).toEqual([notification?.id]);
  });

  test('the id of a post is 404', async () => {
    expect(await requestMarkRead(maya, post)).toMatchObject(NOT_FOUND);
  });
});

describe('validation of PATCH /notifications/read', () => {
  let notification: Json;

  beforeEach(async () => {
    await addComments(jonas, post, 1);
    [notification] = await wholeInbox(maya);
  });

  const mark = (body: unknown) => maya.patch('/notifications/read', body);

  test.each([
    ['a notificationId that is no UUID', { notificationId: 'no-uuid' }],
    ['an empty notificationId', { notificationId: '' }],
    ['notificationId null', { notificationId: null }],
    ['a number as notificationId', { notificationId: 1 }],
    ['a list as notificationId', { notificationId: [NONEXISTENT.id] }],
    ['no field', {}],
    ['all: false', { all: false }],
    ['a string as all', { all: 'true' }],
    ['a number as all', { all: 1 }],
    ['all: null', { all: null }],
    ['an unknown field', { all: true, until: NONEXISTENT.id }],
    ['a list around the fields', [{ all: true }]],
    ['null for an object', null],
    ['a string for an object', 'all'],
  ])('a body with %s is 422 and marks nothing', async (_, body) => {
    expect(await mark(body)).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([notification.id]);
  });

  test('a body with notificationId and all is 422 and marks nothing', async () => {
    expect(await mark({ notificationId: notification.id, all: true })).toMatchObject(INVALID);
    expect(await mark({ notificationId: notification.id, all: false })).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([notification.id]);
  });

  test('a body with notificationId and an unknown field is 422 and marks nothing', async () => {
    expect(await mark({ notificationId: notification.id, read: true })).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([notification.id]);
  });

  test('a missing body and malformed JSON are 422 and mark nothing', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await maya.send('PATCH', '/notifications/read')).toMatchObject(INVALID);
    expect(await maya.send('PATCH', '/notifications/read', '{"all":', { headers })).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([notification.id]);
  });
});
