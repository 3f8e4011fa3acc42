import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { unregister } from '../support/devices.ts';
import { googleError } from '../support/fcm.ts';
import { aComment } from '../support/frames.ts';
import { block, follow, granted } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { notificationsOf, requestMarkAllRead, requestMarkRead } from '../support/inbox.ts';
import { aHubReady, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';
import {
  aDeviceOf,
  deadLettersOf,
  type PushingOpine,
  startPushingOpine,
  waitingIn,
} from '../support/pushes.ts';
import { logOut } from '../support/sign-in.ts';
import { staffDecides } from '../support/staff.ts';

/** Jonas, who may hear of what Amara does: in their Hub, and to his post. */
interface World {
  readonly amara: Person;
  readonly jonas: Person;
  readonly hub: Hub;
  readonly post: Json;
  readonly token: string;
}

/** What Jonas would be told of. */
type Occasion = 'a post in the Hub' | 'a comment';

/** What happens before he is. */
type Turn = (world: World) => Promise<unknown>;

let opine: PushingOpine;
let world: World;

beforeAll(async () => {
  opine = await startPushingOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  const [amara, jonas] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Jonas')];
  const hub = await aHub(amara);
  await join(amara, hub, [jonas]);
  const post = await aThought(jonas);
  await opine.deliver();
  world = { amara, jonas, hub, post, token: await aDeviceOf(jonas) };
});

const ACTS: Readonly<Record<Occasion, Turn>> = {
  'a post in the Hub': ({ amara, hub }) => aHubPost(amara, [hub]),
  'a comment': ({ amara, post }) => aComment(amara, post),
};

const mute: Turn = ({ jonas, hub }) =>
  granted(jonas.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: true }));

const TURNS: readonly [string, Occasion, Turn][] = [
  ['he reads it', 'a comment', async ({ jonas }) => granted(requestMarkRead(jonas, await newestOf(jonas)))],
  ['he reads all', 'a post in the Hub', ({ jonas }) => granted(requestMarkAllRead(jonas))],
  ['he mutes the Hub', 'a post in the Hub', mute],
  ['he blocks her', 'a comment', ({ jonas, amara }) => block(jonas, amara)],
  ['he blocks her', 'a post in the Hub', ({ jonas, amara }) => block(jonas, amara)],
  ['she blocks him', 'a comment', ({ jonas, amara }) => block(amara, jonas)],
  [
    'she removes him',
    'a post in the Hub',
    ({ jonas, amara, hub }) => granted(requestRemove(amara, hub, jonas)),
  ],
  ['he leaves', 'a post in the Hub', ({ jonas, hub }) => granted(requestLeave(jonas, hub))],
  ['he logs out', 'a comment', ({ jonas }) => logOut(opine, jonas.session)],
  [
    'he logs out everywhere',
    'a comment',
    ({ jonas }) => logOut(opine, jonas.session, { logoutFromAllDevices: true }),
  ],
  ['he takes the device off', 'a comment', ({ jonas, token }) => granted(unregister(jonas, token))],
  ['he ends his account', 'a comment', ({ jonas }) => granted(jonas.delete('/users/me'))],
  ['he deletes the post', 'a comment', ({ jonas, post }) => granted(jonas.delete(`/posts/${post.id}`))],
];

const TYPES: Readonly<Record<Occasion, string>> = {
  'a post in the Hub': 'hub_post_created',
  'a comment': 'post_commented',
};

/** How often his device was sent word of an occasion. */
function timesTold(occasion: Occasion): number {
  return opine.sentTo(world.token).filter(({ data }) => data.type === TYPES[occasion]).length;
}

async function newestOf(person: Person): Promise<Json> {
  return (await notificationsOf(person))[0];
}

const NOTHING_WAITS = { outbox: 0, pushes: 0 };

describe('Jonas gets a message', () => {
  test.each(['a post in the Hub', 'a comment'] as const)('of %s', async (occasion) => {
    await ACTS[occasion](world);
    await opine.deliver();
    const { id } = await newestOf(world.jonas);
    expect(opine.sentTo(world.token).map(({ data }) => data.notificationId)).toEqual([id]);
    expect(await waitingIn(opine)).toEqual(NOTHING_WAITS);
  });

  test('of a comment also where he has muted the Hub, or left it', async () => {
    await ACTS['a comment'](world);
    await opine.publish();
    await mute(world);
    await granted(requestLeave(world.jonas, world.hub));
    await opine.push();
    expect(opine.sentTo(world.token)).toHaveLength(1);
  });
});

describe('Jonas gets none, where', () => {
  test.each(TURNS)('%s before he is told of %s', async (_, occasion, turn) => {
    await ACTS[occasion](world);
    await turn(world);
    await opine.deliver();
    expect(timesTold(occasion)).toBe(0);
    expect(await waitingIn(opine)).toEqual(NOTHING_WAITS);
  });

  test.each(TURNS)('%s when the message of %s waits', async (_, occasion, turn) => {
    await ACTS[occasion](world);
    await opine.publish();
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 1 });
    await turn(world);
    await opine.deliver();
    expect(timesTold(occasion)).toBe(0);
    expect(await waitingIn(opine)).toEqual(NOTHING_WAITS);
    expect(await deadLettersOf(opine, world.jonas)).toEqual([]);
  });

  test.each(TURNS)('%s while the push service is down, of %s', async (_, occasion, turn) => {
    opine.fcm.answer(world.token, googleError(500, 'INTERNAL', 'Internal error encountered.'));
    await ACTS[occasion](world);
    await opine.deliver();
    expect(timesTold(occasion)).toBe(1);
    await turn(world);
    await opine.laterOn();
    expect(timesTold(occasion)).toBe(1);
    expect(await waitingIn(opine)).toEqual(NOTHING_WAITS);
  });
});

test.each<[string, (suspend: Turn) => Promise<unknown>]>([
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
  await ACTS['a comment'](world);
  await deliver(({ amara }) => staffDecides(opine, 'suspend_user', amara));
  const [message] = opine.sentTo(world.token);
  expect(message?.data).toMatchObject({ type: 'post_commented', actorIsAnonymous: 'true' });
  expect(JSON.stringify(message)).not.toContain(world.amara.id);
});

test('whoever comes back while a message waits gets it', async () => {
  await ACTS['a post in the Hub'](world);
  await opine.publish();
  await granted(requestLeave(world.jonas, world.hub));
  await join(world.amara, world.hub, [world.jonas]);
  await opine.push();
  expect(opine.sentTo(world.token).map(({ data }) => data.type)).toEqual(['hub_post_created']);
});

test('nobody gets messages of what they do themselves', async () => {
  const { amara, jonas, hub, token } = world;
  const hers = await aDeviceOf(amara);
  await follow(amara, jonas);
  await aHubPost(amara, [hub]);
  await opine.deliver();
  expect(opine.sentTo(hers)).toEqual([]);
  expect(opine.sentTo(token)).toHaveLength(2);
});
