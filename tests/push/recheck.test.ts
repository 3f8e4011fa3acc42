import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json } from '../support/client.ts';
import { googleError } from '../support/fcm.ts';
import { block } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { notificationsOf, requestMarkAllRead, requestMarkRead } from '../support/inbox.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import { aComment, aThought } from '../support/posts.ts';
import { changePreferences, quietHoursFromNow } from '../support/preferences.ts';
import {
  aDeviceOf,
  deadLettersOf,
  type OpineWithPush,
  queuedCounts,
  startOpineWithPush,
  unregisterDevice,
} from '../support/pushes.ts';
import { logOut } from '../support/sign-in.ts';
import { runStaffAction } from '../support/staff.ts';

/** Jonas with a device and a post, and Amara, who shares a Hub with him. */
interface World {
  readonly amara: Person;
  readonly jonas: Person;
  readonly hub: Hub;
  readonly post: Json;
  readonly token: string;
}

/** An activity of Amara that notifies Jonas. */
type Activity = 'a post in the Hub' | 'a comment';

/** A change before the message is sent. */
type Change = (world: World) => Promise<unknown>;

let opine: OpineWithPush;
let world: World;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  const [amara, jonas] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Jonas')];
  const hub = await aHub(amara);
  await join(amara, hub, [jonas]);
  const post = await aThought(jonas);
  await opine.deliver();
  world = { amara, jonas, hub, post, token: await aDeviceOf(jonas) };
});

const ACTIVITIES: Readonly<Record<Activity, Change>> = {
  'a post in the Hub': ({ amara, hub }) => aHubPost(amara, [hub]),
  'a comment': ({ amara, post }) => aComment(amara, post),
};

const mute: Change = ({ jonas, hub }) =>
  expectOk(jonas.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));

const CHANGES: readonly [string, Activity, Change][] = [
  [
    'Jonas reads the notification',
    'a comment',
    async ({ jonas }) => expectOk(requestMarkRead(jonas, await newestOf(jonas))),
  ],
  ['Jonas reads all notifications', 'a post in the Hub', ({ jonas }) => expectOk(requestMarkAllRead(jonas))],
  ['Jonas mutes the Hub', 'a post in the Hub', mute],
  ['Jonas blocks Amara', 'a comment', ({ jonas, amara }) => block(jonas, amara)],
  ['Jonas blocks Amara', 'a post in the Hub', ({ jonas, amara }) => block(jonas, amara)],
  ['Amara blocks Jonas', 'a comment', ({ jonas, amara }) => block(amara, jonas)],
  [
    'Amara removes Jonas',
    'a post in the Hub',
    ({ jonas, amara, hub }) => expectOk(requestRemove(amara, hub, jonas)),
  ],
  ['Jonas leaves the Hub', 'a post in the Hub', ({ jonas, hub }) => expectOk(requestLeave(jonas, hub))],
  ['Jonas logs out', 'a comment', ({ jonas }) => logOut(opine, jonas.session)],
  [
    'Jonas logs out everywhere',
    'a comment',
    ({ jonas }) => logOut(opine, jonas.session, { logoutFromAllDevices: true }),
  ],
  [
    'Jonas switches pushes of comments off',
    'a comment',
    ({ jonas }) => changePreferences(jonas, { push: { post_commented: false } }),
  ],
  [
    'quiet hours of Jonas begin',
    'a comment',
    async ({ jonas }) => changePreferences(jonas, await quietHoursFromNow(opine)),
  ],
  ['Jonas removes the device', 'a comment', ({ jonas, token }) => expectOk(unregisterDevice(jonas, token))],
  ['Jonas ends his account', 'a comment', ({ jonas }) => expectOk(jonas.delete('/users/me'))],
  ['Jonas deletes the post', 'a comment', ({ jonas, post }) => expectOk(jonas.delete(`/posts/${post.id}`))],
];

const TYPES: Readonly<Record<Activity, string>> = {
  'a post in the Hub': 'hub_post_created',
  'a comment': 'post_commented',
};

/** Counts the messages about an activity to the device of Jonas. */
function messageCount(activity: Activity): number {
  return opine.sentTo(world.token).filter(({ data }) => data.type === TYPES[activity]).length;
}

async function newestOf(person: Person): Promise<Json> {
  return (await notificationsOf(person))[0];
}

const NOTHING_WAITS = { outbox: 0, pushes: 0 };

describe('a push message', () => {
  test.each(['a post in the Hub', 'a comment'] as const)(
    '%s sends one message to Jonas',
    async (activity) => {
      await ACTIVITIES[activity](world);
      await opine.deliver();
      const { id } = await newestOf(world.jonas);
      expect(opine.sentTo(world.token).map(({ data }) => data.notificationId)).toEqual([id]);
      expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
    },
  );

  test('a comment sends a message although Jonas has muted and left the Hub', async () => {
    await ACTIVITIES['a comment'](world);
    await opine.publish();
    await mute(world);
    await expectOk(requestLeave(world.jonas, world.hub));
    await opine.push();
    expect(opine.sentTo(world.token)).toHaveLength(1);
  });
});

// docs/product.md N15
describe('the recheck before a push message', () => {
  test.each(CHANGES)(
    'no message is sent when %s while the message about %s waits',
    async (_, activity, change) => {
      await ACTIVITIES[activity](world);
      await opine.publish();
      expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 1 });
      await change(world);
      await opine.deliver();
      expect(messageCount(activity)).toBe(0);
      expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
      expect(await deadLettersOf(opine, world.jonas)).toEqual([]);
    },
  );

  test('no retry is sent when Jonas reads all notifications while FCM fails the message', async () => {
    opine.fcm.answer(world.token, googleError(500, 'INTERNAL', 'Internal error encountered.'));
    await ACTIVITIES['a comment'](world);
    await opine.deliver();
    expect(messageCount('a comment')).toBe(1);
    await expectOk(requestMarkAllRead(world.jonas));
    await opine.deliverLater();
    expect(messageCount('a comment')).toBe(1);
    expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
  });
});

test.each<[string, (suspend: Change) => Promise<unknown>]>([
  [
    'before delivery',
    async (suspend) => {
      await suspend(world);
      await opine.deliver();
    },
  ],
  [
    'while the message waits for a device',
    async (suspend) => {
      await opine.publish();
      await suspend(world);
      await opine.push();
    },
  ],
])('a push message has an anonymous actor without id when the actor is suspended %s', async (_, deliver) => {
  await ACTIVITIES['a comment'](world);
  await deliver(({ amara }) => runStaffAction(opine, 'suspend_user', amara));
  const [message] = opine.sentTo(world.token);
  expect(message?.data).toMatchObject({ type: 'post_commented', actorIsAnonymous: 'true' });
  expect(JSON.stringify(message)).not.toContain(world.amara.id);
});

test('a member who leaves and returns while a message waits gets the message', async () => {
  await ACTIVITIES['a post in the Hub'](world);
  await opine.publish();
  await expectOk(requestLeave(world.jonas, world.hub));
  await join(world.amara, world.hub, [world.jonas]);
  await opine.push();
  expect(opine.sentTo(world.token).map(({ data }) => data.type)).toEqual(['hub_post_created']);
});
