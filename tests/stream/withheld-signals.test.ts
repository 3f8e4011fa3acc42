import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { block, follow, granted } from '../support/graph.ts';
import { aTrio } from '../support/hub-worlds.ts';
import { aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { notificationsOf, requestMarkAllRead, requestMarkRead } from '../support/inbox.ts';
import { muteHub } from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person, signIn } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { staffDecides } from '../support/staff.ts';
import {
  heardOf,
  idsHeard,
  isToReconnect,
  listening,
  republish,
  whileNothingIsPublished,
} from '../support/streams.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

type World = Awaited<ReturnType<typeof aTrio>> & { post: Json; notification: Json };
type Change = (world: World) => Promise<unknown>;

// Each happens after a post of Amara in the Hub of Jonas and Lena.
const CHANGES: readonly (readonly [string, Change])[] = [
  ['Amara removes Jonas', ({ amara, hub, jonas }) => granted(requestRemove(amara, hub, jonas))],
  ['Jonas leaves the Hub', ({ jonas, hub }) => granted(requestLeave(jonas, hub))],
  ['Jonas mutes the Hub', ({ jonas, hub }) => muteHub(jonas, hub)],
  ['Jonas blocks Amara', ({ jonas, amara }) => block(jonas, amara)],
  ['Amara blocks Jonas', ({ jonas, amara }) => block(amara, jonas)],
  [
    'Jonas reads the notification',
    ({ jonas, notification }) => granted(requestMarkRead(jonas, notification)),
  ],
  ['Jonas reads all notifications', ({ jonas }) => granted(requestMarkAllRead(jonas))],
  ['Amara deletes the post', ({ amara, post }) => granted(amara.delete(`/posts/${post.id}`))],
];

/** Creates a Hub post of Amara, whose signals are not published yet. */
async function aPostWithoutSignal({
  hub,
  amara,
  jonas,
  lena,
}: Awaited<ReturnType<typeof aTrio>>): Promise<World> {
  const post = await aHubPost(amara, [hub]);
  const [notification] = await notificationsOf(jonas, 'hub_post_created');
  return { hub, amara, jonas, lena, post, notification };
}

async function aTrioInHub() {
  const trio = await aTrio(opine);
  await join(trio.amara, trio.hub, [trio.lena]);
  return trio;
}

/** Notifies Jonas last: the signal of this follow proves that no other signal comes. */
async function notifyLast(follower: Person, jonas: Person): Promise<Json> {
  await follow(follower, jonas);
  const [notification] = await notificationsOf(jonas, 'user_followed');
  return notification;
}

test('a signal that waits in the outbox is published in the end', async () => {
  const trio = await aTrioInHub();
  const stream = await listening(opine, trio.jonas);
  const { notification } = await whileNothingIsPublished(opine, async () => {
    const world = await aPostWithoutSignal(trio);
    await notifyLast(trio.lena, trio.jonas);
    expect(idsHeard(stream)).not.toContain(world.notification.id);
    return world;
  });
  await heardOf(stream, notification);
});

describe('a change before the publication of a signal', () => {
  test.each(CHANGES)('a Hub post sends no signal when %s', async (_, change) => {
    const trio = await aTrioInHub();
    const stream = await listening(opine, trio.jonas);
    const [notification, last] = await whileNothingIsPublished(opine, async () => {
      const world = await aPostWithoutSignal(trio);
      await change(world);
      return [world.notification, await notifyLast(trio.lena, trio.jonas)];
    });
    await heardOf(stream, last);
    expect(idsHeard(stream)).not.toContain(notification.id);
  });
});

describe('a change while a signal is on its way', () => {
  test.each(CHANGES)('a signal on its way is withheld when %s', async (_, change) => {
    const trio = await aTrioInHub();
    const stream = await listening(opine, trio.jonas);
    await whileNothingIsPublished(opine, async () => {
      const world = await aPostWithoutSignal(trio);
      await change(world);
      const last = await notifyLast(trio.lena, trio.jonas);
      await republish(opine, trio.jonas, [world.notification.id, last.id]);
      await heardOf(stream, last);
      expect(idsHeard(stream)).not.toContain(world.notification.id);
    });
  });
});

test('a stream event has an anonymous actor without id when the actor is suspended before publication', async () => {
  const trio = await aTrioInHub();
  const stream = await listening(opine, trio.jonas);
  const { notification, amara } = await whileNothingIsPublished(opine, async () => {
    const world = await aPostWithoutSignal(trio);
    await staffDecides(opine, 'suspend_user', world.amara);
    return world;
  });
  const { data } = await heardOf(stream, notification);
  expect(data.actorIsAnonymous).toBe(true);
  expect(JSON.stringify(data)).not.toContain(amara.id);
});

describe('a stream whose session has ended', () => {
  test('a log-out ends the stream of the device, and the other device gets signals', async () => {
    const [jonas, lena] = [await aHubReady(opine, 'Jonas'), await aHubReady(opine, 'Lena')];
    const tablet = await signedInOnAnother(jonas);
    const [onPhone, onTablet] = [await listening(opine, jonas), await listening(opine, tablet)];
    const notification = await whileNothingIsPublished(opine, async () => {
      const notification = await notifyLast(lena, jonas);
      await granted(logOut(opine, jonas.session));
      return notification;
    });
    await heardOf(onTablet, notification);
    await isToReconnect(onPhone);
    expect(idsHeard(onPhone)).not.toContain(notification.id);
    expect(onTablet.ending).toBeUndefined();
  });

  const ends: readonly (readonly [string, (person: Person, other: Person) => Promise<unknown>])[] = [
    [
      'the other device logs out everywhere',
      (_, { session }) => granted(logOut(opine, session, { logoutFromAllDevices: true })),
    ],
    ['the account ends', (jonas) => granted(jonas.delete('/users/me'))],
  ];
  test.each(ends)('every stream of a person ends without further signals when %s', async (_, end) => {
    const { hub, amara, jonas, lena } = await aTrioInHub();
    const tablet = await signedInOnAnother(jonas);
    const streams = [await listening(opine, jonas), await listening(opine, tablet)];
    const streamOfLena = await listening(opine, lena);
    const [forJonas, forLena] = await whileNothingIsPublished(opine, async () => {
      await aHubPost(amara, [hub]);
      const [forJonas] = await notificationsOf(jonas, 'hub_post_created');
      const [forLena] = await notificationsOf(lena, 'hub_post_created');
      await end(jonas, tablet);
      // A signal from just before the end.
      await republish(opine, jonas, [forJonas.id]);
      return [forJonas, forLena];
    });
    await heardOf(streamOfLena, forLena);
    for (const stream of streams) {
      await isToReconnect(stream);
      expect(idsHeard(stream)).not.toContain(forJonas.id);
    }
    expect(streamOfLena.ending).toBeUndefined();
  });

  async function signedInOnAnother(person: Person): Promise<Person> {
    await timePasses(opine, '1 minute');
    const session = await signIn(opine, person.phoneNumber);
    return { ...person, ...clientOf(opine.url, session.accessToken), session };
  }
});
