import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { aComment } from '../support/frames.ts';
import { block, granted, idsOf, NOBODY, unblock } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave } from '../support/hubs.ts';
import { notificationsOf, requestMarkAllRead, requestMarkRead } from '../support/inbox.ts';
import { badgeOf, comments, inboxPage, wholeInbox } from '../support/inbox-pagination.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

const NOT_FOUND = refusal(404, 'NOTIFICATION_NOT_FOUND');
const INVALID = refusal(422, 'VALIDATION_FAILED');

let opine: Opine;
let maya: Person;
let jonas: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  jonas = await aHubReady(opine, 'Jonas');
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await aConfirmed(opine, 'Maya');
  post = await aThought(maya);
});

const unreadOf = async (reader: Person) => idsOf(await wholeInbox(reader, { unreadOnly: true }));

describe('one notification', () => {
  test('is marked as read, and no other', async () => {
    await comments(jonas, post, 3);
    const [newest, middle, oldest] = await wholeInbox(maya);
    const { status, data } = await requestMarkRead(maya, middle);
    expect([status, data]).toEqual([200, { updated: 1, unreadCount: 2 }]);
    expect(await wholeInbox(maya)).toEqual([newest, { ...middle, read: true }, oldest]);
    expect(await badgeOf(maya)).toBe(2);
  });

  test('makes the inbox a newer one', async () => {
    await comments(jonas, post, 1);
    const { items, inboxVersion } = await inboxPage(maya);
    await granted(requestMarkRead(maya, items[0]));
    expect((await inboxPage(maya)).inboxVersion).toBeGreaterThan(inboxVersion);
  });

  test('that was read is read once: nothing changes', async () => {
    await comments(jonas, post, 2);
    const [told] = await wholeInbox(maya);
    await granted(requestMarkRead(maya, told));
    expect((await requestMarkRead(maya, told)).data).toEqual({ updated: 0, unreadCount: 1 });
    expect(await unreadOf(maya)).not.toContain(told?.id);
  });

  test('is updated once, however many say so at once', async () => {
    await comments(jonas, post, 2);
    const [told] = await wholeInbox(maya);
    const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(() => requestMarkRead(maya, told)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(replies.reduce((sum, { data }) => sum + data.updated, 0)).toBe(1);
    expect(await badgeOf(maya)).toBe(1);
  });

  test('is named by its id in capitals too', async () => {
    await comments(jonas, post, 1);
    const [told] = await wholeInbox(maya);
    const { data } = await requestMarkRead(maya, { id: told?.id.toUpperCase() });
    expect(data).toEqual({ updated: 1, unreadCount: 0 });
  });
});

describe('all notifications', () => {
  test('are marked as read, and none later', async () => {
    await comments(jonas, post, 4);
    const [told] = await wholeInbox(maya);
    await granted(requestMarkRead(maya, told));
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: 3, unreadCount: 0 });
    expect((await wholeInbox(maya)).map(({ read }) => read)).toEqual([true, true, true, true]);
    await comments(jonas, post, 1);
    expect(await badgeOf(maya)).toBe(1);
  });

  test('are none where nothing is unread', async () => {
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: 0, unreadCount: 0 });
    await comments(jonas, post, 1);
    await granted(requestMarkAllRead(maya));
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: 0, unreadCount: 0 });
  });

  test("are one's own", async () => {
    const lena = await aConfirmed(opine, 'Lena');
    await comments(jonas, await aThought(lena), 2);
    await comments(jonas, post, 2);
    await granted(requestMarkAllRead(maya));
    expect([await badgeOf(lena), (await unreadOf(lena)).length]).toEqual([2, 2]);
  });

  test('are updated once, whoever says so at once', async () => {
    await comments(jonas, post, 20);
    const replies = await Promise.all([requestMarkAllRead(maya), requestMarkAllRead(maya)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies.reduce((sum, { data }) => sum + data.updated, 0)).toBe(20);
    expect([await badgeOf(maya), await unreadOf(maya)]).toEqual([0, []]);
  });

  test('are marked beside one that is, none of them twice', async () => {
    await comments(jonas, post, 10);
    const told = await wholeInbox(maya);
    const replies = await Promise.all([
      ...told.slice(0, 5).map((item) => requestMarkRead(maya, item)),
      requestMarkAllRead(maya),
      ...told.slice(5).map((item) => requestMarkRead(maya, item)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies.reduce((sum, { data }) => sum + data.updated, 0)).toBe(10);
    expect([await badgeOf(maya), await unreadOf(maya)]).toEqual([0, []]);
  });

  test('are marked while others come, and the badge is what is unread', async () => {
    const others = await Promise.all(['Lena', 'Carla', 'Dimitri'].map((name) => aRegistered(opine, name)));
    let areComing = true;
    const markings: number[] = [];
    const marking = async () => {
      while (areComing) markings.push((await granted(requestMarkAllRead(maya))).updated);
    };
    const coming = Promise.all(others.map((other) => comments(other, post, 12))).finally(() => {
      areComing = false;
    });
    await Promise.all([marking(), marking(), coming]);
    const updated = markings.reduce((sum, count) => sum + count, 0);
    const unread = await unreadOf(maya);
    expect(await wholeInbox(maya)).toHaveLength(36);
    expect(updated).toBe(36 - unread.length);
    expect(await badgeOf(maya)).toBe(unread.length);
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: unread.length, unreadCount: 0 });
    expect(await badgeOf(maya)).toBe(0);
  });
});

describe('what is hidden', () => {
  test('of a Hub that was left, is not marked one by one', async () => {
    const [amara, lena] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Lena')];
    const hub = await aHub(amara);
    await join(amara, hub, [lena]);
    await aHubPost(amara, [hub]);
    const [told] = await notificationsOf(lena, 'hub_post_created');
    await granted(requestLeave(lena, hub));
    const { unreadCount } = await inboxPage(lena);
    const { status, data } = await requestMarkRead(lena, { id: told?.id });
    expect([status, data]).toEqual([200, { updated: 0, unreadCount }]);
    await join(amara, hub, [lena]);
    expect(await notificationsOf(lena, 'hub_post_created')).toEqual([{ ...told, read: false }]);
    expect((await requestMarkRead(lena, { id: told?.id })).data.updated).toBe(1);
  });

  test('of a Hub that was left, is not marked with all others', async () => {
    const [amara, lena] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Lena')];
    const hub = await aHub(amara);
    await join(amara, hub, [lena]);
    await aHubPost(amara, [hub]);
    await aHubPost(amara, [hub]);
    const hidden = idsOf(await notificationsOf(lena, 'hub_post_created'));
    await granted(requestLeave(lena, hub));
    const visible = await unreadOf(lena);
    expect((await requestMarkAllRead(lena)).data).toEqual({ updated: visible.length, unreadCount: 0 });
    await join(amara, hub, [lena]);
    expect((await unreadOf(lena)).filter((id) => hidden.includes(id))).toEqual(hidden);
    expect(await badgeOf(lena)).toBe((await unreadOf(lena)).length);
  });

  test('by a block, is not marked one by one, nor with all others', async () => {
    const [told] = await comments(jonas, post, 1).then(() => wholeInbox(maya));
    await aComment(await aRegistered(opine, 'Lena'), post);
    await block(maya, jonas);
    expect((await requestMarkRead(maya, { id: told?.id })).data).toEqual({ updated: 0, unreadCount: 1 });
    expect((await requestMarkAllRead(maya)).data).toEqual({ updated: 1, unreadCount: 0 });
    await unblock(maya, jonas);
    expect(await unreadOf(maya)).toEqual([told?.id]);
    expect(await badgeOf(maya)).toBe(1);
  });
});

describe('what is not there', () => {
  test('is an id that nobody has', async () => {
    expect(await requestMarkRead(maya, NOBODY)).toMatchObject(NOT_FOUND);
  });

  test("is somebody else's, which stays unread", async () => {
    await comments(jonas, post, 1);
    const [told] = await wholeInbox(maya);
    const reply = await requestMarkRead(jonas, { id: told?.id });
    expect(reply).toMatchObject(NOT_FOUND);
    expect(reply.error).toEqual((await requestMarkRead(jonas, NOBODY)).error);
    expect(await unreadOf(maya)).toEqual([told?.id]);
  });

  test('is the id of a post', async () => {
    expect(await requestMarkRead(maya, post)).toMatchObject(NOT_FOUND);
  });
});

describe('a request that marks', () => {
  let told: Json;

  beforeEach(async () => {
    await comments(jonas, post, 1);
    [told] = await wholeInbox(maya);
  });

  const mark = (body: unknown) => maya.patch('/notifications/read', body);

  test.each([
    ['names no uuid', { notificationId: 'no-uuid' }],
    ['names nothing', { notificationId: '' }],
    ['names null', { notificationId: null }],
    ['names a number', { notificationId: 1 }],
    ['names several', { notificationId: [NOBODY.id] }],
    ['says neither', {}],
    ['says all and false', { all: false }],
    ['says all as a text', { all: 'true' }],
    ['says all as a number', { all: 1 }],
    ['says all as null', { all: null }],
    ['says what is not known', { all: true, until: NOBODY.id }],
    ['is a list', [{ all: true }]],
    ['is null', null],
    ['is a text', 'all'],
  ])('changes nothing where it %s', async (_, body) => {
    expect(await mark(body)).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([told.id]);
  });

  test('changes nothing where it says both', async () => {
    expect(await mark({ notificationId: told.id, all: true })).toMatchObject(INVALID);
    expect(await mark({ notificationId: told.id, all: false })).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([told.id]);
  });

  test('changes nothing where it names one and what is not known', async () => {
    expect(await mark({ notificationId: told.id, read: true })).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([told.id]);
  });

  test('changes nothing without a body, or with none that is JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await maya.send('PATCH', '/notifications/read')).toMatchObject(INVALID);
    expect(await maya.send('PATCH', '/notifications/read', '{"all":', { headers })).toMatchObject(INVALID);
    expect(await unreadOf(maya)).toEqual([told.id]);
  });
});
