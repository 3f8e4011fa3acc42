import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk } from '../support/client.ts';
import { follow, unfollow } from '../support/graph.ts';
import { notifiedTypes, requestMarkAllRead, requestMarkRead, unreadCountOf } from '../support/inbox.ts';
import { advanceTime } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aComment, aThought, shareToFeed } from '../support/posts.ts';
import { changePreferences, preferencesOf, quietHoursFromNow } from '../support/preferences.ts';
import { aDeviceOf, type OpineWithPush, queuedCounts, startOpineWithPush } from '../support/pushes.ts';
import { duringTransaction } from '../support/races.ts';

let opine: OpineWithPush;
let maya: Person;
let jonas: Person;
let token: string;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [maya, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
  token = await aDeviceOf(maya);
});

const sentTypes = () => opine.sentTo(token).map(({ data }) => data.type);
const sentBadges = () => opine.sentTo(token).map(({ apns }) => apns.payload.aps.badge);

describe('notification preferences', () => {
  test('keep both of two changes at once', async () => {
    const [types, hours] = [
      { push: { user_followed: false } },
      { quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC' } },
    ];
    await Promise.all([changePreferences(maya, types), changePreferences(maya, hours)]);
    expect(await preferencesOf(maya)).toMatchObject({ push: { user_followed: false }, ...hours });
  });

  test('keep a change that another request commits while theirs waits for it', async () => {
    const hours = { quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC' } };
    await changePreferences(maya, {});
    await duringTransaction(
      opine,
      () => changePreferences(maya, hours),
      (other) => sql`select from app.notification_preferences for update`.execute(other),
      (other) => sql`update app.notification_preferences set silent_types = '{user_followed}'`.execute(other),
    );
    expect(await preferencesOf(maya)).toMatchObject({ push: { user_followed: false }, ...hours });
  });

  test.each<[string, object]>([
    ['an unknown type', { push: { user_waved: false } }],
    ['a type that is always pushed', { push: { moderation_decided: false } }],
    ['an unknown part', { email: true }],
    ['a switch without a value', { push: { user_followed: null } }],
  ])('refuse %s', async (_, changes) => {
    const { status, error } = await maya.patch('/users/me/notification-preferences', changes);
    expect([status, error?.code]).toEqual([422, 'VALIDATION_FAILED']);
  });

  // docs/product.md N27
  test('leave the inbox as it is when they silence a type', async () => {
    await changePreferences(maya, { push: { user_followed: false } });
    await follow(jonas, maya);
    await aComment(jonas, await aThought(maya));
    await opine.deliver();
    expect(sentTypes()).toEqual(['post_commented']);
    expect(await notifiedTypes(maya)).toEqual(['post_commented', 'user_followed']);
  });

  // docs/product.md N29
  test('push nothing in quiet hours, and nothing of them later', async () => {
    await changePreferences(maya, await quietHoursFromNow(opine));
    await follow(jonas, maya);
    await opine.deliver();
    expect(sentTypes()).toEqual([]);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
    await advanceTime(opine, '10 minutes');
    await aComment(jonas, await aThought(maya));
    await opine.deliver();
    expect(sentTypes()).toEqual(['post_commented']);
    expect(await unreadCountOf(maya)).toBe(2);
  });
});

test('one person who follows and shares forty times leaves two notifications and two pushes', async () => {
  const post = await aThought(maya);
  for (let round = 0; round < 40; round++) {
    await shareToFeed(jonas, post);
    await follow(jonas, maya);
    await unfollow(jonas, maya);
    if (round % 10 === 0) await opine.deliver();
  }
  await opine.deliver();
  expect(await notifiedTypes(maya)).toEqual(['user_followed', 'post_shared_to_feed']);
  expect(sentTypes().sort()).toEqual(['post_shared_to_feed', 'user_followed']);
});

test('shares of one post at the same time notify its author once', async () => {
  const post = await aThought(maya);
  await Promise.all(Array.from({ length: 8 }, () => shareToFeed(jonas, post)));
  expect(await notifiedTypes(maya)).toEqual(['post_shared_to_feed']);
});

// docs/product.md N30
describe('the badge of a push message', () => {
  test('counts what is unread when the message is sent', async () => {
    const post = await aThought(maya);
    await aComment(jonas, post);
    await opine.deliver();
    await aComment(jonas, post);
    await aComment(jonas, post);
    await opine.deliver();
    expect(sentBadges()).toEqual([1, 3, 3]);
  });

  test('goes down after reading, for a message that waited too', async () => {
    const post = await aThought(maya);
    for (let count = 0; count < 3; count++) await aComment(jonas, post);
    await opine.publish();
    const { items } = await expectOk(maya.get('/notifications'));
    await expectOk(requestMarkRead(maya, items[0]));
    await opine.push();
    expect(sentBadges()).toEqual([2, 2]);
    await expectOk(requestMarkAllRead(maya));
    await follow(jonas, maya);
    await opine.deliver();
    expect(sentBadges()).toEqual([2, 2, 1]);
  });
});
