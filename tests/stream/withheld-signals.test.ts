import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, expectOk, type Json } from '../support/client.ts';
import { block, follow } from '../support/graph.ts';
import { aHubPost, aHubWithMemberAndNonMember, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { notificationsOf, requestMarkAllRead, requestMarkRead } from '../support/inbox.ts';
import { muteHub } from '../support/notification-worlds.ts';
import { advanceTime, type Opine, startOpine, WITH_WORKER } from '../support/opine.ts';
import { hubReadyPerson, type Person, signIn } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { runStaffAction } from '../support/staff.ts';
import {
  expectReconnect,
  openReadyStream,
  receivedIds,
  republish,
  signalFor,
  whilePublishingIsBlocked,
} from '../support/streams.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine(WITH_WORKER);
});

afterAll(() => opine.stop());

type World = Awaited<ReturnType<typeof aHubWithMemberAndNonMember>> & { post: Json; notification: Json };
type Change = (world: World) => Promise<unknown>;

// Each happens after a post of Amara in the Hub of Jonas and Lena.
const CHANGES: readonly (readonly [string, Change])[] = [
  ['Amara removes Jonas', ({ amara, hub, jonas }) => expectOk(requestRemove(amara, hub, jonas))],
  ['Jonas leaves the Hub', ({ jonas, hub }) => expectOk(requestLeave(jonas, hub))],
  ['Jonas mutes the Hub', ({ jonas, hub }) => muteHub(jonas, hub)],
  ['Jonas blocks Amara', ({ jonas, amara }) => block(jonas, amara)],
  ['Amara blocks Jonas', ({ jonas, amara }) => block(amara, jonas)],
  [
    'Jonas reads the notification',
    ({ jonas, notification }) => expectOk(requestMarkRead(jonas, notification)),
  ],
  ['Jonas reads all notifications', ({ jonas }) => expectOk(requestMarkAllRead(jonas))],
  ['Amara deletes the post', ({ amara, post }) => expectOk(amara.delete(`/posts/${post.id}`))],
];

/** Creates a Hub post of Amara, whose signals are not published yet. */
async function aPostWithoutSignal({
  hub,
  amara,
  jonas,
  lena,
}: Awaited<ReturnType<typeof aHubWithMemberAndNonMember>>): Promise<World> {
  const post = await aHubPost(amara, [hub]);
  const [notification] = await notificationsOf(jonas, 'hub_post_created');
  return { hub, amara, jonas, lena, post, notification };
}

async function aTrioInHub() {
  const trio = await aHubWithMemberAndNonMember(opine);
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
  const stream = await openReadyStream(opine, trio.jonas);
  const { notification } = await whilePublishingIsBlocked(opine, async () => {
    const world = await aPostWithoutSignal(trio);
    await notifyLast(trio.lena, trio.jonas);
    expect(receivedIds(stream)).not.toContain(world.notification.id);
    return world;
  });
  await signalFor(stream, notification);
});

describe('a change before the publication of a signal', () => {
  // docs/product.md N10, N15
  test.each(CHANGES)('a Hub post sends no signal when %s', async (_, change) => {
    const trio = await aTrioInHub();
    const stream = await openReadyStream(opine, trio.jonas);
    const [notification, last] = await whilePublishingIsBlocked(opine, async () => {
      const world = await aPostWithoutSignal(trio);
      await change(world);
      return [world.notification, await notifyLast(trio.lena, trio.jonas)];
    });
    await signalFor(stream, last);
    expect(receivedIds(stream)).not.toContain(notification.id);
  });
});

describe('a change while a signal is on its way', () => {
  // docs/product.md N10, N15
  test.each(CHANGES)('a signal on its way is withheld when %s', async (_, change) => {
    const trio = await aTrioInHub();
    const stream = await openReadyStream(opine, trio.jonas);
    await whilePublishingIsBlocked(opine, async () => {
      const world = await aPostWithoutSignal(trio);
      await change(world);
      const last = await notifyLast(trio.lena, trio.jonas);
      await republish(opine, trio.jonas, [world.notification.id, last.id]);
      await signalFor(stream, last);
      expect(receivedIds(stream)).not.toContain(world.notification.id);
    });
  });
});

test('a stream event has an anonymous actor without id when the actor is suspended before publication', async () => {
  const trio = await aTrioInHub();
  const stream = await openReadyStream(opine, trio.jonas);
  const { notification, amara } = await whilePublishingIsBlocked(opine, async () => {
    const world = await aPostWithoutSignal(trio);
    await runStaffAction(opine, 'suspend_user', world.amara);
    return world;
  });
  const { data } = await signalFor(stream, notification);
  expect(data.actorIsAnonymous).toBe(true);
  expect(JSON.stringify(data)).not.toContain(amara.id);
});

// docs/product.md I4, N19
describe('a stream whose session has ended', () => {
  test('a log-out ends the stream of the device, and the other device gets signals', async () => {
    const [jonas, lena] = [await hubReadyPerson(opine, 'Jonas'), await hubReadyPerson(opine, 'Lena')];
    const tablet = await signedInOnAnother(jonas);
    const [onPhone, onTablet] = [await openReadyStream(opine, jonas), await openReadyStream(opine, tablet)];
    const notification = await whilePublishingIsBlocked(opine, async () => {
      const notification = await notifyLast(lena, jonas);
      await expectOk(logOut(opine, jonas.session));
      return notification;
    });
    await signalFor(onTablet, notification);
    await expectReconnect(onPhone);
    expect(receivedIds(onPhone)).not.toContain(notification.id);
    expect(onTablet.ending).toBeUndefined();
  });

  const ends: readonly (readonly [string, (person: Person, other: Person) => Promise<unknown>])[] = [
    [
      'the other device logs out everywhere',
      (_, { session }) => expectOk(logOut(opine, session, { logoutFromAllDevices: true })),
    ],
    ['the account ends', (jonas) => expectOk(jonas.delete('/users/me'))],
  ];
  test.each(ends)('every stream of a person ends without further signals when %s', async (_, end) => {
    const { hub, amara, jonas, lena } = await aTrioInHub();
    const tablet = await signedInOnAnother(jonas);
    const streams = [await openReadyStream(opine, jonas), await openReadyStream(opine, tablet)];
    const streamOfLena = await openReadyStream(opine, lena);
    const [forJonas, forLena] = await whilePublishingIsBlocked(opine, async () => {
      await aHubPost(amara, [hub]);
      const [forJonas] = await notificationsOf(jonas, 'hub_post_created');
      const [forLena] = await notificationsOf(lena, 'hub_post_created');
      await end(jonas, tablet);
      // A signal from just before the end.
      await republish(opine, jonas, [forJonas.id]);
      return [forJonas, forLena];
    });
    await signalFor(streamOfLena, forLena);
    for (const stream of streams) {
      await expectReconnect(stream);
      expect(receivedIds(stream)).not.toContain(forJonas.id);
    }
    expect(streamOfLena.ending).toBeUndefined();
  });

  async function signedInOnAnother(person: Person): Promise<Person> {
    await advanceTime(opine, '1 minute');
    const session = await signIn(opine, person.phoneNumber);
    return { ...person, ...clientOf(opine.url, session.accessToken), session };
  }
});
