import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { chooseForDefaultFeed, reasonsIn, trendingFor } from '../support/feeds.ts';
import { aComment, aRepost, place, share } from '../support/frames.ts';
import { everyPage, follow, granted, idsOf, withQuery } from '../support/graph.ts';
import { later } from '../support/hub-worlds.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { publish, sliders } from '../support/posts.ts';

let opine: Opine;
/** Lena follows Noor, whose posts are in her feed whatever happens to them, and knows nobody else. */
let lena: Person;
let noor: Person;
let audience: Person[];

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

// Time passes in some of these tests: nobody's token is good for longer than one of them.
beforeEach(async () => {
  lena = await aHubReady(opine, 'Lena');
  noor = await aHubReady(opine, 'Noor');
  audience = await Promise.all([aHubReady(opine), aHubReady(opine), aHubReady(opine)]);
  await follow(lena, noor);
});

const hottest = async (viewer = lena, query: object = {}) => trendingFor(viewer, query);
const ids = (...of: (Json | undefined)[]) => of.map((post) => post.id);
const fellow = (index: number): Person => audience[index % audience.length] ?? noor;

describe('from page to page', () => {
  test('of any size, each comes once', async () => {
    const published = await sliders(noor, 9);
    for (const [index, post] of published.entries()) {
      for (let times = index % 4; times > 0; times -= 1) await aComment(fellow(index), post);
    }
    const whole = await hottest();
    expect(whole.toSorted()).toEqual(idsOf(published).sort());
    for (const limit of [1, 2, 3, 4, 5, 8, 9, 50]) {
      const pages = await everyPage(lena, '/posts', { sort: 'trending', limit });
      expect(pages.flatMap(idsOf)).toEqual(whole);
      expect(pages).toHaveLength(Math.ceil(9 / limit));
    }
  });

  test('nothing repeats and nothing is skipped while people act', async () => {
    const published = await sliders(noor, 8);
    for (const [index, post] of published.entries()) if (index % 2 === 0) await aComment(fellow(0), post);
    const whole = await hottest();
    const walked: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const query = { sort: 'trending', limit: 2, ...(cursor !== undefined && { cursor }) };
      const page = await granted(lena.get(withQuery('/posts', query)));
      walked.push(...idsOf(page.items));
      cursor = page.nextCursor;
      // The coolest comes to be the hottest, what was seen gets hotter, and something new comes.
      for (const id of [whole.at(-1), whole[0], whole[3]]) {
        for (const person of [noor, ...audience]) await aComment(person, { id });
        await share(noor, { id });
      }
      await sliders(noor, 1);
    }
    expect(walked).toEqual(whole);
    expect((await hottest()).length).toBeGreaterThan(whole.length);
  });

  test('a walk shows each post once while posts go from its quiet part into its active part', async () => {
    const stranger = await aHubReady(opine, 'Stranger');
    const [liked, commented] = await sliders(stranger, 2);
    // These two are in Lena's feed for Noor's activity alone, which he repeats below.
    await share(noor, liked);
    await aComment(noor, commented);
    const published = await sliders(noor, 6);
    [lena, noor, ...audience] = await later(opine, '8 days', lena, noor, ...audience);
    for (const post of published.slice(0, 2)) await aComment(fellow(0), post);
    for (const limit of [1, 2, 3, 5]) {
      const whole = await hottest();
      expect(whole.toSorted()).toEqual(ids(liked, commented, ...published).sort());
      const walked: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { sort: 'trending', limit, ...(cursor !== undefined && { cursor }) };
        const page = await granted(lena.get(withQuery('/posts', query)));
        walked.push(...idsOf(page.items));
        cursor = page.nextCursor;
        // What comes last, what was shown first, and what is to come next.
        for (const id of [whole.at(-1), whole[0], whole[walked.length]]) {
          if (id === undefined) continue;
          await aComment(noor, { id });
          await share(noor, { id });
        }
      }
      expect(walked).toEqual(whole);
      [lena, noor, ...audience] = await later(opine, '8 days', lena, noor, ...audience);
    }
  });

  test('a walk shows a post that its reader alone had shared after a fellow member shares it too', async () => {
    const hub = await aHub(lena);
    await join(lena, hub, audience);
    const stranger = await aHubReady(opine, 'Stranger');
    const [shared] = await sliders(stranger, 1);
    await place(lena, shared, hub);
    const [newer] = await sliders(noor, 1);
    [lena, noor, ...audience] = await later(opine, '8 days', lena, noor, ...audience);
    const page = await granted(lena.get('/posts?sort=trending&limit=1'));
    expect(idsOf(page.items)).toEqual(ids(newer));
    await place(fellow(0), shared, hub);
    const query = { sort: 'trending', limit: 1, cursor: page.nextCursor };
    expect(idsOf((await granted(lena.get(withQuery('/posts', query)))).items)).toEqual(ids(shared));
  });

  test('what is deleted meanwhile is left out', async () => {
    const [first, second, third] = await sliders(noor, 3);
    const page = await granted(lena.get('/posts?sort=trending&limit=1'));
    expect(idsOf(page.items)).toEqual(ids(third));
    await granted(noor.delete(`/posts/${second.id}`));
    const query = { sort: 'trending', cursor: page.nextCursor };
    expect(idsOf((await granted(lena.get(withQuery('/posts', query)))).items)).toEqual(ids(first));
  });
});

describe('where there are no sources', () => {
  test('the default feed trends by activity of the last seven days, for everybody alike', async () => {
    const other = await anOpine();
    const [author, commenter] = [await aHubReady(other), await aHubReady(other)];
    await chooseForDefaultFeed(other, author);
    const [first, second] = await sliders(author, 2);
    const [again, then] = await later(other, '8 days', author, commenter);
    const [hot, cool] = await sliders(again, 2);
    await publish(again, { visibility: 'private_locked_hub', hubIds: [(await aHub(again)).id] });
    for (const post of [first, hot, hot]) await aComment(then, post);
    const expected = ids(hot, first, cool, second);
    for (const viewer of [aGuest(other), await anAnonymous(other), await aRegistered(other)]) {
      for (const limit of [1, 2, 3, 50]) expect(await trendingFor(viewer, { limit })).toEqual(expected);
      expect(Object.values(await reasonsIn(viewer, { sort: 'trending' }))).toEqual(
        Array(4).fill('default_feed_user'),
      );
    }
  });
});

describe('in a Hub', () => {
  let hub: Hub;
  const inHub = (query: object = {}) => hottest(lena, { hubId: hub.id, ...query });

  beforeEach(async () => {
    hub = await aHub(lena);
    await join(lena, hub, [noor], 'admin');
  });

  test('its posts trend by activity of the last seven days, the others last shared first', async () => {
    const old = await aHubPost(noor, [hub], { visibility: 'public_hub' });
    const stale = await aHubPost(noor, [hub], { visibility: 'public_hub' });
    [lena, noor, ...audience] = await later(opine, '8 days', lena, noor, ...audience);
    const [shared, elsewhere] = await sliders(fellow(0), 2);
    await place(noor, shared, hub);
    const made = await aHubPost(noor, [hub], { visibility: 'public_hub' });
    for (const post of [old, old, made, elsewhere]) await aComment(noor, post);
    for (const limit of [1, 2, 3, 50]) expect(await inHub({ limit })).toEqual(ids(old, made, shared, stale));
    expect(await reasonsIn(lena, { sort: 'trending', hubId: hub.id })).toEqual({
      [old.id]: 'joined_hub_post',
      [made.id]: 'joined_hub_post',
      [shared.id]: 'shared_to_hub',
      [stale.id]: 'joined_hub_post',
    });
    for (const _ of [1, 2]) await aRepost(noor, shared);
    expect(await inHub()).toEqual(ids(shared, old, made, stale));
  });

  test('a walk shows each post once while members share posts again', async () => {
    await join(lena, hub, [fellow(0)]);
    const posts = await sliders(noor, 6);
    for (const post of posts) await place(noor, post, hub);
    for (const sort of ['recent', 'trending']) {
      const sharers = [lena, fellow(0)];
      const whole = await hottest(lena, { hubId: hub.id, sort });
      const walked: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { sort, hubId: hub.id, limit: 2, ...(cursor !== undefined && { cursor }) };
        const page = await granted(lena.get(withQuery('/posts', query)));
        walked.push(...idsOf(page.items));
        cursor = page.nextCursor;
        for (const id of [whole.at(-1), whole[0], whole[walked.length]]) {
          for (const sharer of sharers) if (id !== undefined) await place(sharer, { id }, hub);
        }
      }
      expect(walked).toEqual(whole);
    }
  });

  test('is refused to whoever is not in it', async () => {
    await granted(requestLeave(lena, hub));
    for (const nonMember of [lena, aGuest(opine), await aRegistered(opine)]) {
      const reply = await nonMember.get(withQuery('/posts', { sort: 'trending', hubId: hub.id }));
      expect(reply).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
  });
});

describe('a cursor', () => {
  test('of another feed or sort is refused', async () => {
    const [hub, other] = [await aHub(lena), await aHub(lena)];
    for (const { id } of await sliders(noor, 3)) await place(lena, { id }, hub, other);
    const paths: [string, object][] = [
      ['/posts', {}],
      ['/posts', { sort: 'trending' }],
      ['/posts', { hubId: hub.id }],
      ['/posts', { hubId: other.id }],
      ['/posts', { hubId: hub.id, sort: 'trending' }],
      [`/users/${noor.id}/feed`, {}],
    ];
    for (const [path, query] of paths) {
      const { nextCursor: cursor } = await granted(lena.get(withQuery(path, { ...query, limit: 1 })));
      for (const [otherPath, otherQuery] of paths) {
        const isSame = path === otherPath && JSON.stringify(query) === JSON.stringify(otherQuery);
        const { status, error } = await lena.get(withQuery(otherPath, { ...otherQuery, cursor }));
        expect([otherPath, otherQuery, status]).toEqual([otherPath, otherQuery, isSame ? 200 : 422]);
        if (!isSame) expect(error.details.issues).toMatchObject([{ path: ['cursor'] }]);
      }
    }
  });

  test('of the feed of a Hub is good at both of its addresses', async () => {
    const hub = await aHub(lena);
    const [first, second] = await sliders(noor, 2);
    await place(lena, first, hub);
    await place(lena, second, hub);
    const { nextCursor: cursor } = await granted(lena.get(`/hubs/${hub.id}/feed?limit=1`));
    const { items } = await granted(lena.get(withQuery('/posts', { hubId: hub.id, cursor })));
    expect(idsOf(items)).toEqual(ids(first));
  });
});
