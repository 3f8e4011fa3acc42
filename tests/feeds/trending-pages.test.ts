import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPages, expectOk, idsOf, type Json, refusal, withQuery } from '../support/client.ts';
import { addToDefaultFeed, reasonsIn, trendingFor } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
  signedInAfter,
} from '../support/people.ts';
import { aComment, aRepost, publish, shareToFeed, shareToHubs, sliders } from '../support/posts.ts';

let opine: Opine;
/** Lena follows Noor alone, so all of Noor's posts are in her feed. */
let lena: Person;
let noor: Person;
let audience: Person[];

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

// Some tests move the clock, which expires access tokens: each test has new people.
beforeEach(async () => {
  lena = await hubReadyPerson(opine, 'Lena');
  noor = await hubReadyPerson(opine, 'Noor');
  audience = await Promise.all([hubReadyPerson(opine), hubReadyPerson(opine), hubReadyPerson(opine)]);
  await follow(lena, noor);
});

const trending = async (viewer = lena, query: object = {}) => trendingFor(viewer, query);
const ids = (...of: (Json | undefined)[]) => of.map((post) => post.id);
const audienceMember = (index: number): Person => audience[index % audience.length] ?? noor;

describe('pages of a trending feed', () => {
  test('pages of every size return each post once', async () => {
    const published = await sliders(noor, 9);
    for (const [index, post] of published.entries()) {
      for (let times = index % 4; times > 0; times -= 1) await aComment(audienceMember(index), post);
    }
    const whole = await trending();
    expect(whole.toSorted()).toEqual(idsOf(published).sort());
    for (const limit of [1, 2, 3, 4, 5, 8, 9, 50]) {
      const pages = await allPages(lena, '/posts', { sort: 'trending', limit });
      expect(pages.flatMap(idsOf)).toEqual(whole);
      expect(pages).toHaveLength(Math.ceil(9 / limit));
    }
  });

  test('activity between pages causes no repeats and no gaps', async () => {
    const published = await sliders(noor, 8);
    for (const [index, post] of published.entries())
      if (index % 2 === 0) await aComment(audienceMember(0), post);
    const whole = await trending();
    const shown: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const query = { sort: 'trending', limit: 2, ...(cursor !== undefined && { cursor }) };
      const page = await expectOk(lena.get(withQuery('/posts', query)));
      shown.push(...idsOf(page.items));
      cursor = page.nextCursor;
      // The last post gets the highest score, posts already shown rise, and a new post appears.
      for (const id of [whole.at(-1), whole[0], whole[3]]) {
        for (const person of [noor, ...audience]) await aComment(person, { id });
        await shareToFeed(noor, { id });
      }
      await sliders(noor, 1);
    }
    expect(shown).toEqual(whole);
    expect((await trending()).length).toBeGreaterThan(whole.length);
  });

  test('posts that become active between pages cause no repeats and no gaps', async () => {
    const unrelated = await hubReadyPerson(opine, 'Unrelated');
    const [liked, commented] = await sliders(unrelated, 2);
    // Only Noor's activity, which is repeated below, brings these two into Lena's feed.
    await shareToFeed(noor, liked);
    await aComment(noor, commented);
    const published = await sliders(noor, 6);
    [lena, noor, ...audience] = await signedInAfter(opine, '8 days', lena, noor, ...audience);
    for (const post of published.slice(0, 2)) await aComment(audienceMember(0), post);
    for (const limit of [1, 2, 3, 5]) {
      const whole = await trending();
      expect(whole.toSorted()).toEqual(ids(liked, commented, ...published).sort());
      const shown: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { sort: 'trending', limit, ...(cursor !== undefined && { cursor }) };
        const page = await expectOk(lena.get(withQuery('/posts', query)));
        shown.push(...idsOf(page.items));
        cursor = page.nextCursor;
        // The last post, the first one shown, and the next one.
        for (const id of [whole.at(-1), whole[0], whole[shown.length]]) {
          if (id === undefined) continue;
          await aComment(noor, { id });
          await shareToFeed(noor, { id });
        }
      }
      expect(shown).toEqual(whole);
      [lena, noor, ...audience] = await signedInAfter(opine, '8 days', lena, noor, ...audience);
    }
  });

  test('a post that only the viewer had shared stays on the next page when a co-member shares it too', async () => {
    const hub = await aHub(lena);
    await join(lena, hub, audience);
    const unrelated = await hubReadyPerson(opine, 'Unrelated');
    const [shared] = await sliders(unrelated, 1);
    await shareToHubs(lena, shared, hub);
    const [newer] = await sliders(noor, 1);
    [lena, noor, ...audience] = await signedInAfter(opine, '8 days', lena, noor, ...audience);
    const page = await expectOk(lena.get('/posts?sort=trending&limit=1'));
    expect(idsOf(page.items)).toEqual(ids(newer));
    await shareToHubs(audienceMember(0), shared, hub);
    const query = { sort: 'trending', limit: 1, cursor: page.nextCursor };
    expect(idsOf((await expectOk(lena.get(withQuery('/posts', query)))).items)).toEqual(ids(shared));
  });

  test('a post deleted between pages is left out', async () => {
    const [first, second, third] = await sliders(noor, 3);
    const page = await expectOk(lena.get('/posts?sort=trending&limit=1'));
    expect(idsOf(page.items)).toEqual(ids(third));
    await expectOk(noor.delete(`/posts/${second.id}`));
    const query = { sort: 'trending', cursor: page.nextCursor };
    expect(idsOf((await expectOk(lena.get(withQuery('/posts', query)))).items)).toEqual(ids(first));
  });
});

describe('the trending default feed', () => {
  test('viewers without sources get the default feed ranked by activity of the last seven days', async () => {
    const other = await anOpine();
    const [author, commenter] = [await hubReadyPerson(other), await hubReadyPerson(other)];
    await addToDefaultFeed(other, author);
    const [first, second] = await sliders(author, 2);
    const [again, then] = await signedInAfter(other, '8 days', author, commenter);
    const [busy, quieter] = await sliders(again, 2);
    await publish(again, { visibility: 'private_locked_hub', hubIds: [(await aHub(again)).id] });
    for (const post of [first, busy, busy]) await aComment(then, post);
    const expected = ids(busy, first, quieter, second);
    for (const viewer of [aGuest(other), await anonymousPerson(other), await registeredPerson(other)]) {
      for (const limit of [1, 2, 3, 50]) expect(await trendingFor(viewer, { limit })).toEqual(expected);
      expect(Object.values(await reasonsIn(viewer, { sort: 'trending' }))).toEqual(
        Array(4).fill('default_feed_user'),
      );
    }
  });
});

describe('the trending feed of a Hub', () => {
  let hub: Hub;
  const trendingInHub = (query: object = {}) => trending(lena, { hubId: hub.id, ...query });

  beforeEach(async () => {
    hub = await aHub(lena);
    await join(lena, hub, [noor], 'admin');
  });

  test('posts with activity in the last seven days come first, the rest follows last shared first', async () => {
    const old = await aHubPost(noor, [hub], { visibility: 'public_hub' });
    const stale = await aHubPost(noor, [hub], { visibility: 'public_hub' });
    [lena, noor, ...audience] = await signedInAfter(opine, '8 days', lena, noor, ...audience);
    const [shared, elsewhere] = await sliders(audienceMember(0), 2);
    await shareToHubs(noor, shared, hub);
    const targeted = await aHubPost(noor, [hub], { visibility: 'public_hub' });
    for (const post of [old, old, targeted, elsewhere]) await aComment(noor, post);
    for (const limit of [1, 2, 3, 50])
      expect(await trendingInHub({ limit })).toEqual(ids(old, targeted, shared, stale));
    expect(await reasonsIn(lena, { sort: 'trending', hubId: hub.id })).toEqual({
      [old.id]: 'joined_hub_post',
      [targeted.id]: 'joined_hub_post',
      [shared.id]: 'shared_to_hub',
      [stale.id]: 'joined_hub_post',
    });
    for (const _ of [1, 2]) await aRepost(noor, shared);
    expect(await trendingInHub()).toEqual(ids(shared, old, targeted, stale));
  });

  test('repeated Hub shares between pages cause no repeats and no gaps', async () => {
    await join(lena, hub, [audienceMember(0)]);
    const posts = await sliders(noor, 6);
    for (const post of posts) await shareToHubs(noor, post, hub);
    for (const sort of ['recent', 'trending']) {
      const sharers = [lena, audienceMember(0)];
      const whole = await trending(lena, { hubId: hub.id, sort });
      const shown: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { sort, hubId: hub.id, limit: 2, ...(cursor !== undefined && { cursor }) };
        const page = await expectOk(lena.get(withQuery('/posts', query)));
        shown.push(...idsOf(page.items));
        cursor = page.nextCursor;
        for (const id of [whole.at(-1), whole[0], whole[shown.length]]) {
          for (const sharer of sharers) if (id !== undefined) await shareToHubs(sharer, { id }, hub);
        }
      }
      expect(shown).toEqual(whole);
    }
  });

  test('a non-member gets 403', async () => {
    await expectOk(requestLeave(lena, hub));
    for (const nonMember of [lena, aGuest(opine), await registeredPerson(opine)]) {
      const reply = await nonMember.get(withQuery('/posts', { sort: 'trending', hubId: hub.id }));
      expect(reply).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
  });
});

describe('a feed cursor', () => {
  test('a cursor of another feed or sort answers 422', async () => {
    const [hub, other] = [await aHub(lena), await aHub(lena)];
    for (const { id } of await sliders(noor, 3)) await shareToHubs(lena, { id }, hub, other);
    const paths: [string, object][] = [
      ['/posts', {}],
      ['/posts', { sort: 'trending' }],
      ['/posts', { hubId: hub.id }],
      ['/posts', { hubId: other.id }],
      ['/posts', { hubId: hub.id, sort: 'trending' }],
      [`/users/${noor.id}/feed`, {}],
    ];
    for (const [path, query] of paths) {
      const { nextCursor: cursor } = await expectOk(lena.get(withQuery(path, { ...query, limit: 1 })));
      for (const [otherPath, otherQuery] of paths) {
        const isSame = path === otherPath && JSON.stringify(query) === JSON.stringify(otherQuery);
        const { status, error } = await lena.get(withQuery(otherPath, { ...otherQuery, cursor }));
        expect([otherPath, otherQuery, status]).toEqual([otherPath, otherQuery, isSame ? 200 : 422]);
        if (!isSame) expect(error.details.issues).toMatchObject([{ path: ['cursor'] }]);
      }
    }
  });

  test('a cursor of a Hub feed is valid at both paths of the feed', async () => {
    const hub = await aHub(lena);
    const [first, second] = await sliders(noor, 2);
    await shareToHubs(lena, first, hub);
    await shareToHubs(lena, second, hub);
    const { nextCursor: cursor } = await expectOk(lena.get(`/hubs/${hub.id}/feed?limit=1`));
    const { items } = await expectOk(lena.get(withQuery('/posts', { hubId: hub.id, cursor })));
    expect(idsOf(items)).toEqual(ids(first));
  });
});
