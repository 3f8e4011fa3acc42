import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timePasses } from './builders/clock.ts';
import { aHubReady } from './builders/contacts.ts';
import { chooseForDefaultFeed, homeFeed } from './builders/feeds.ts';
import { withoutDatabase } from './builders/outages.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person, signIn } from './builders/people.ts';
import { aSlider, aThought, publish } from './builders/posts.ts';
import {
  type FlakyStorage,
  objectsOf,
  startFlakyStorage,
  startMortalOpine,
  startOpineWith,
} from './builders/storage.ts';
import { castVote, countsOf, myVote } from './builders/votes.ts';
import { type Client, clientOf, type Json, refusal } from './harness/client.ts';
import type { Opine } from './harness/opine.ts';

let opine: Opine;
let storage: FlakyStorage;

beforeAll(async () => {
  storage = await startFlakyStorage();
  opine = await startOpineWith(storage);
});

afterAll(async () => {
  await opine.stop();
  await storage.remove();
});

const end = (person: Client) => person.delete('/users/me');
const unauthorized = refusal(401, 'UNAUTHORIZED');
// The worker takes its turns every five seconds or so.
const patience = { timeout: 40_000, interval: 250 };

async function expectEnded({ accessToken, refreshToken }: Json): Promise<void> {
  expect((await clientOf(opine.url, accessToken).get('/users/me/onboarding/status')).status).toBe(401);
  expect((await aGuest(opine).post('/auth/session/refresh', { refreshToken })).status).toBe(401);
}

async function countIn(
  table: string,
  column: string,
  id: string,
  { database }: Pick<Opine, 'database'> = opine,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${id}
  `.execute(database.superuser);
  return rows[0]?.count ?? 0;
}

/** Waits until the worker has done all there is to do for a departed user. */
async function untilGone(userId: string, where: Pick<Opine, 'database'> = opine): Promise<void> {
  await timePasses(where, '61 seconds');
  await expect.poll(() => countIn('app.departures', 'user_id', userId, where), patience).toBe(0);
  expect(await countIn('app.posts', 'author_id', userId, where)).toBe(0);
}

describe('an account ends', () => {
  test('of somebody of any level', async () => {
    const people = [];
    for (const somebody of [anAnonymous, aRegistered, aConfirmed, aHubReady]) {
      const person = await somebody(opine);
      people.push(person);
      const { status, data } = await end(person);
      expect([status, data]).toEqual([200, {}]);
      await expectEnded(person.session);
      expect(await end(person)).toMatchObject(unauthorized);
    }
    for (const { id } of people) await untilGone(id);
  });

  test('with every session of it, and no other', async () => {
    const [amara, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    await timePasses(opine, '1 minute');
    const other = await signIn(opine, amara.phoneNumber);
    await end(clientOf(opine.url, other.accessToken));
    await expectEnded(amara.session);
    await expectEnded(other);
    expect((await jonas.get('/users/me/onboarding/status')).status).toBe(200);
  });

  test('once, however often it is said at once', async () => {
    const amara = await aConfirmed(opine);
    const post = await aSlider(amara);
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => end(amara)))).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 401]).toContain(status);
    await expectEnded(amara.session);
    expect((await aGuest(opine).get(`/posts/${post.id}`)).status).toBe(404);
  });

  test('while its owner posts: nothing of it stays', async () => {
    const amara = await aConfirmed(opine);
    const [ended, ...replies] = await Promise.all([
      end(amara),
      ...Array.from({ length: 10 }, () => publish(amara, { thoughtText: 'And another one.' })),
    ]);
    expect(ended.status).toBe(200);
    for (const { status, data } of replies) {
      // A post that is there when its author ends is hidden even from its own answer: that is the 404.
      expect([201, 401, 404]).toContain(status);
      if (status === 201) expect((await aGuest(opine).get(`/posts/${data.id}`)).status).toBe(404);
    }
    await untilGone(amara.id);
  });

  test('of nobody without a bearer', async () => {
    expect(await end(aGuest(opine))).toMatchObject(unauthorized);
    expect(await end(clientOf(opine.url, 'no.good.token'))).toMatchObject(unauthorized);
  });
});

describe('at once', () => {
  test('the handle is free', async () => {
    const [amara, next] = [await aRegistered(opine), await anAnonymous(opine)];
    await end(amara);
    const basics = { fullName: 'Next', username: amara.username, termsAccepted: true };
    expect((await next.put('/users/me/onboarding/profile-basics', basics)).status).toBe(200);
  });

  test('the phone signs up somebody new', async () => {
    const amara = await aHubReady(opine);
    await end(amara);
    await timePasses(opine, '1 minute');
    const session = await signIn(opine, amara.phoneNumber);
    expect(session).toMatchObject({ isNewUser: true, merged: false, user: { username: null, level: 1 } });
    expect(session.user.id).not.toBe(amara.id);
  });

  test('the install opens a new account', async () => {
    const openApp = async () =>
      (await aGuest(opine).post('/auth/anonymous/session', { deviceId: 'install of who leaves' })).data;
    const session = await openApp();
    await end(clientOf(opine.url, session.accessToken));
    const again = await openApp();
    expect(again.user).toMatchObject({ isAnonymous: true, level: 1 });
    expect(again.user.id).not.toBe(session.user.id);
  });

  test('the posts are nowhere to be seen, and those of others are', async () => {
    const [amara, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    await chooseForDefaultFeed(opine, amara);
    await chooseForDefaultFeed(opine, jonas);
    const hers = [await aSlider(amara), await aThought(amara)];
    const his = await aSlider(jonas);
    const viewer = await aRegistered(opine);
    await castVote(viewer, hers[0]);
    expect(await homeFeed(viewer)).toEqual([his.id, hers[1].id, hers[0].id]);

    await end(amara);
    for (const somebody of [aGuest(opine), viewer, jonas]) {
      for (const { id } of hers) {
        expect(await somebody.get(`/posts/${id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
      }
    }
    expect(await homeFeed(viewer)).toEqual([his.id]);
    expect(await homeFeed(aGuest(opine))).toEqual([his.id]);
    expect((await castVote(await aRegistered(opine), hers[0])).status).toBe(404);
    expect((await viewer.get(`/posts/${hers[0].id}/vote/summary`)).status).toBe(404);
    expect((await aGuest(opine).get(`/posts/${his.id}`)).data.author.id).toBe(jonas.id);
  });
});

describe('of votes', () => {
  test('those on posts of others stay counted', async () => {
    const author = await aConfirmed(opine);
    const post = await aSlider(author);
    const [amara, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    await castVote(amara, post, 'strong_left');
    await castVote(jonas, post, 'right');
    await end(amara);
    expect(await countsOf(author, post)).toEqual([1, 0, 0, 1, 0]);
    await untilGone(amara.id);
    expect(await countsOf(author, post)).toEqual([1, 0, 0, 1, 0]);
    expect((await myVote(jonas, post)).data.hasVoted).toBe(true);
  });

  test('those on their posts go with the posts', async () => {
    const [amara, voter] = [await aConfirmed(opine), await aRegistered(opine)];
    const post = await aSlider(amara);
    await castVote(voter, post);
    await castVote(amara, post);
    await end(amara);
    expect((await myVote(voter, post)).status).toBe(404);
    await untilGone(amara.id);
    expect(await countIn('app.vote_receipts', 'post_id', post.id)).toBe(0);
    expect(await countIn('app.vote_pools', 'post_id', post.id)).toBe(0);
  });
});

describe('stored objects', () => {
  /** Somebody with posts and two stored objects who is about to leave. */
  async function somebodyWithObjects(where: Opine): Promise<{ person: Person; keys: string[] }> {
    const person = await aConfirmed(where);
    await aThought(person);
    const keep = () => storage.keep(where.database, person.id);
    return { person, keys: [await keep(), await keep()] };
  }

  test("go from storage, then from the database, and nobody else's do", async () => {
    const { person, keys } = await somebodyWithObjects(opine);
    const { person: stays, keys: kept } = await somebodyWithObjects(opine);
    await end(person);
    await expect.poll(() => objectsOf(opine, person.id), patience).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
    expect(await storage.stored(kept)).toEqual(kept);
    expect(await objectsOf(opine, stays.id)).toBe(2);
  });

  test('are not forgotten while storage is down', async () => {
    const { person, keys } = await somebodyWithObjects(opine);
    await storage.takeDown();
    expect((await end(person)).status).toBe(200);
    const attempts = async () => {
      const { rows } = await sql<{ attempt_count: number }>`
        select attempt_count from app.departures where user_id = ${person.id}
      `.execute(opine.database.superuser);
      return rows[0]?.attempt_count;
    };
    await expect.poll(attempts, patience).toBeGreaterThan(0);
    expect(await objectsOf(opine, person.id)).toBe(2);

    await storage.bringBack();
    expect(await storage.stored(keys)).toEqual(keys);
    await timePasses(opine, '1 day');
    await untilGone(person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
  });

  test('that are gone from storage already keep nobody from leaving', async () => {
    const { person } = await somebodyWithObjects(opine);
    await sql`
      insert into app.stored_objects (bucket, object_key, owner_id, created_at)
      values ('private', 'never/stored.png', ${person.id}, app.now())
    `.execute(opine.database.superuser);
    await end(person);
    await untilGone(person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
  });

  test('go although the database goes away in the middle', async () => {
    const { person, keys } = await somebodyWithObjects(opine);
    const { somebodyWaits } = await storage.hang();
    await end(person);
    await expect.poll(somebodyWaits, patience).toBe(true);
    await withoutDatabase(opine.database, () => storage.bringBack());
    await timePasses(opine, '1 day');
    await untilGone(person.id);
    expect(await objectsOf(opine, person.id)).toBe(0);
    expect(await storage.stored(keys)).toEqual([]);
  });

  test('go although the worker is killed in the middle', async () => {
    const mortal = await startMortalOpine(storage);
    try {
      const { person, keys } = await somebodyWithObjects(mortal);
      const { somebodyWaits } = await storage.hang();
      await end(person);
      await expect.poll(somebodyWaits, patience).toBe(true);
      mortal.kill();
      await storage.bringBack();
      expect(await objectsOf(mortal, person.id)).toBe(2);
      await mortal.revive();
      await timePasses(mortal, '1 day');
      await untilGone(person.id, mortal);
      expect(await objectsOf(mortal, person.id)).toBe(0);
      expect(await storage.stored(keys)).toEqual([]);
    } finally {
      await mortal.stop();
    }
  });
});
