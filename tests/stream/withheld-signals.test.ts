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

type World = Awaited<ReturnType<typeof aTrio>> & { post: Json; told: Json };
type Change = (world: World) => Promise<unknown>;

// Each after Amara has posted in the Hub in which Jonas and Lena are.
const CHANGES: readonly (readonly [string, Change])[] = [
  ['Amara removes Jonas', ({ amara, hub, jonas }) => granted(requestRemove(amara, hub, jonas))],
  ['Jonas leaves', ({ jonas, hub }) => granted(requestLeave(jonas, hub))],
  ['Jonas mutes the Hub', ({ jonas, hub }) => muteHub(jonas, hub)],
  ['Jonas blocks Amara', ({ jonas, amara }) => block(jonas, amara)],
  ['Amara blocks Jonas', ({ jonas, amara }) => block(amara, jonas)],
  ['Jonas reads it', ({ jonas, told }) => granted(requestMarkRead(jonas, told))],
  ['Jonas reads all', ({ jonas }) => granted(requestMarkAllRead(jonas))],
  ['Amara deletes the post', ({ amara, post }) => granted(amara.delete(`/posts/${post.id}`))],
];

/** Amara has posted in a Hub, and nobody has been told of it yet. */
async function aPostUntold({ hub, amara, jonas, lena }: Awaited<ReturnType<typeof aTrio>>): Promise<World> {
  const post = await aHubPost(amara, [hub]);
  const [told] = await notificationsOf(jonas, 'hub_post_created');
  return { hub, amara, jonas, lena, post, told };
}

async function aTrioInHub() {
  const trio = await aTrio(opine);
  await join(trio.amara, trio.hub, [trio.lena]);
  return trio;
}

/** What Jonas is told of after all else, and why it is known when nothing else comes. */
async function follows(follower: Person, jonas: Person): Promise<Json> {
  await follow(follower, jonas);
  const [told] = await notificationsOf(jonas, 'user_followed');
  return told;
}

test('a hint that waits in the outbox is told in the end', async () => {
  const trio = await aTrioInHub();
  const stream = await listening(opine, trio.jonas);
  const { told } = await whileNothingIsPublished(opine, async () => {
    const world = await aPostUntold(trio);
    await follows(trio.lena, trio.jonas);
    expect(idsHeard(stream)).not.toContain(world.told.id);
    return world;
  });
  await heardOf(stream, told);
});

describe('nothing is heard of a post where, before it is told of,', () => {
  test.each(CHANGES)('%s', async (_, change) => {
    const trio = await aTrioInHub();
    const stream = await listening(opine, trio.jonas);
    const [told, last] = await whileNothingIsPublished(opine, async () => {
      const world = await aPostUntold(trio);
      await change(world);
      return [world.told, await follows(trio.lena, trio.jonas)];
    });
    await heardOf(stream, last);
    expect(idsHeard(stream)).not.toContain(told.id);
  });
});

describe('nothing is heard of a post where, while word of it is on its way,', () => {
  test.each(CHANGES)('%s', async (_, change) => {
    const trio = await aTrioInHub();
    const stream = await listening(opine, trio.jonas);
    await whileNothingIsPublished(opine, async () => {
      const world = await aPostUntold(trio);
      await change(world);
      const last = await follows(trio.lena, trio.jonas);
      await republish(opine, trio.jonas, [world.told.id, last.id]);
      await heardOf(stream, last);
      expect(idsHeard(stream)).not.toContain(world.told.id);
    });
  });
});

test('a stream event has an anonymous actor without id when the actor is suspended before it is told', async () => {
  const trio = await aTrioInHub();
  const stream = await listening(opine, trio.jonas);
  const { told, amara } = await whileNothingIsPublished(opine, async () => {
    const world = await aPostUntold(trio);
    await staffDecides(opine, 'suspend_user', world.amara);
    return world;
  });
  const { data } = await heardOf(stream, told);
  expect(data.actorIsAnonymous).toBe(true);
  expect(JSON.stringify(data)).not.toContain(amara.id);
});

describe('a stream hears nothing more when its session has ended:', () => {
  test('by logging out, while the other device goes on', async () => {
    const [jonas, lena] = [await aHubReady(opine, 'Jonas'), await aHubReady(opine, 'Lena')];
    const tablet = await signedInOnAnother(jonas);
    const [onPhone, onTablet] = [await listening(opine, jonas), await listening(opine, tablet)];
    const told = await whileNothingIsPublished(opine, async () => {
      const followed = await follows(lena, jonas);
      await granted(logOut(opine, jonas.session));
      return followed;
    });
    await heardOf(onTablet, told);
    await isToReconnect(onPhone);
    expect(idsHeard(onPhone)).not.toContain(told.id);
    expect(onTablet.ending).toBeUndefined();
  });

  const ends: readonly (readonly [string, (person: Person, other: Person) => Promise<unknown>])[] = [
    [
      'the other device logs out all',
      (_, { session }) => granted(logOut(opine, session, { logoutFromAllDevices: true })),
    ],
    ['the account ends', (jonas) => granted(jonas.delete('/users/me'))],
  ];
  test.each(ends)('%s', async (_, end) => {
    const { hub, amara, jonas, lena } = await aTrioInHub();
    const tablet = await signedInOnAnother(jonas);
    const streams = [await listening(opine, jonas), await listening(opine, tablet)];
    const hers = await listening(opine, lena);
    const [his, herself] = await whileNothingIsPublished(opine, async () => {
      await aHubPost(amara, [hub]);
      const [his] = await notificationsOf(jonas, 'hub_post_created');
      const [herself] = await notificationsOf(lena, 'hub_post_created');
      await end(jonas, tablet);
      // Word of a moment before the end.
      await republish(opine, jonas, [his.id]);
      return [his, herself];
    });
    await heardOf(hers, herself);
    for (const stream of streams) {
      await isToReconnect(stream);
      expect(idsHeard(stream)).not.toContain(his.id);
    }
    expect(hers.ending).toBeUndefined();
  });

  async function signedInOnAnother(person: Person): Promise<Person> {
    await timePasses(opine, '1 minute');
    const session = await signIn(opine, person.phoneNumber);
    return { ...person, ...clientOf(opine.url, session.accessToken), session };
  }
});
