import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { anAudience } from '../support/audience.ts';
import { refusal } from '../support/client.ts';
import { addToDefaultFeed } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import { aHub, aHubPost, join } from '../support/hubs.ts';
import { notificationsOf } from '../support/inbox.ts';
import { waitUntilDelivered } from '../support/outbox-chaos.ts';
import { aGuest, confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { aDeviceOf, sentTo } from '../support/pushes.ts';
import { openReadyStream, signalFor, signalOfType } from '../support/streams.ts';
import { castVote, countsOf } from '../support/votes.ts';
import { expectedRows, storedRows, tallies, unnotified } from './ledger.ts';
import { startLoad, wordsSeenBy } from './load.ts';
import { type Stage, startStage } from './stage.ts';

const TIMEOUT = { timeout: 60_000, interval: 50 };
const PEOPLE = 6;
const IDOLS = 400;
/** Acknowledged requests before a part is killed, and after it is back. */
const REQUESTS = 25;

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage?.stop());

/** Adapts `stage` to helpers that take an Opine. */
const opine = () => ({ ...stage, stop: async () => {} });

test('people sign in, post, vote, follow, join a Hub and are notified by stream and push', async () => {
  const [maya, jonas] = [await hubReadyPerson(opine(), 'Maya'), await hubReadyPerson(opine(), 'Jonas')];
  const phone = await aDeviceOf(maya);
  const stream = await openReadyStream(stage, maya);
  expect(stream.headers.server).toMatch(/^nginx/);

  const post = await aSlider(maya);
  expect((await castVote(jonas, post, 'right')).status).toBe(201);
  expect(await countsOf(jonas, post)).toEqual([0, 0, 0, 1, 0]);

  await follow(jonas, maya);
  expect((await signalOfType(stream, 'user_followed')).data.actorId).toBe(jonas.id);

  const hub = await aHub(maya);
  await join(maya, hub, [jonas]);
  const hubPost = await aHubPost(jonas, [hub]);
  expect((await signalOfType(stream, 'hub_post_created')).data.postId).toBe(hubPost.id);
  await vi.waitUntil(() => sentTo(stage.fcm, phone).length >= 3, TIMEOUT);
  const notifications = await notificationsOf(maya);
  expect(notifications.map(({ type }) => type)).toEqual([
    'hub_post_created',
    'hub_member_joined',
    'user_followed',
  ]);
});

test('nginx refuses a large body with the error envelope of the API', async () => {
  const contacts = { contacts: ['x'.repeat(5.2 * 1024 * 1024)] };
  const reply = await aGuest(opine()).put('/users/me/contacts/snapshot', contacts);
  expect(reply).toMatchObject(refusal(413, 'PAYLOAD_TOO_LARGE'));
});

test('stopping one API process fails no request, not even a non-idempotent one', async () => {
  const statuses = new Map<number, number>();
  let isDone = false;
  const loops = Array.from({ length: PEOPLE }, async () => {
    while (!isDone) {
      const { status } = await aGuest(opine()).post('/auth/session/refresh', { refreshToken: 'of nobody' });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const progress = () => {
    const countSent = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
    const target = countSent() + 10 * PEOPLE;
    return vi.waitUntil(() => countSent() >= target, TIMEOUT);
  };
  try {
    await progress();
    await stage.apis[0]?.kill('SIGTERM');
    await progress();
    await stage.apis[0]?.start();
    await progress();
  } finally {
    isDone = true;
    await Promise.all(loops);
  }
  expect([...statuses.keys()]).toEqual([401]);
});

test('a guest reads from the replica and a signed-in user from the primary', async () => {
  const { replica } = stage;
  const amara = await confirmedPerson(opine(), 'Amara');
  await addToDefaultFeed(opine(), amara);
  const guest = aGuest(opine());
  const isReplicaFeed = () =>
    replica.whilePaused(async () => {
      const words = `Just now: ${crypto.randomUUID()}`;
      await aThought(amara, words);
      expect(await wordsSeenBy(amara)).toContain(words);
      return !(await wordsSeenBy(guest)).includes(words);
    });
  await vi.waitUntil(isReplicaFeed, TIMEOUT);
  const words = `And now: ${crypto.randomUUID()}`;
  await aThought(amara, words);
  await vi.waitUntil(async () => (await wordsSeenBy(guest)).includes(words), TIMEOUT);
});

test('killing each part in turn neither loses nor doubles an acknowledged request', async () => {
  const { apis, workers, pgBouncer, replica, database, fcm } = stage;
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => hubReadyPerson(opine())));
  const devices = new Map(
    await Promise.all(people.map(async (person) => [person.id, await aDeviceOf(person)] as const)),
  );
  const [admin, ...members] = people as [Person, ...Person[]];
  const hub = await aHub(admin);
  await join(admin, hub, members);
  const stream = await openReadyStream(stage, admin);
  const load = startLoad({ people, hub, idols: await anAudience(opine(), IDOLS) });

  // The other process of the pair carries on.
  for (const part of [...apis, ...workers]) {
    await load.progress(REQUESTS);
    await part.kill();
    await load.progress(REQUESTS);
    await part.start();
  }
  await stream.ended();

  await replica.kill();
  expect((await aGuest(opine()).get('/posts')).status).toBe(200);
  await load.progress(REQUESTS);
  await replica.start();

  await pgBouncer.kill();
  await pgBouncer.start();
  await load.progress(REQUESTS);

  await database.crash('SIGKILL');
  await database.recover();
  await load.progress(REQUESTS);

  const ledger = await load.end();
  expect(ledger.refusals.length).toBeGreaterThan(0);
  expect(await storedRows(database, ledger, people)).toEqual(expectedRows(ledger, people));
  const { shown, expected } = await tallies(ledger, admin);
  expect(shown).toEqual(expected);

  const newStream = await openReadyStream(stage, admin);
  const hubPost = await aHubPost(members[0] ?? admin, [hub]);
  const [notification] = (await notificationsOf(admin)).filter(({ postId }) => postId === hubPost.id);
  await signalFor(newStream, notification);

  await waitUntilDelivered(database, fcm);
  expect(await unnotified(database, fcm, devices)).toEqual([]);
});
