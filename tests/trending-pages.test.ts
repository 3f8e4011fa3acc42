import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chooseForDefaultFeed, reasonsIn, trendingFor } from './builders/feeds.ts';
import { aComment, aRepost, place, share } from './builders/frames.ts';
import { everyPage, follow, granted, idsOf, withQuery } from './builders/graph.ts';
import { later } from './builders/hub-worlds.ts';
import { aHub, aHubPost, askToLeave, type Hub, join } from './builders/hubs.ts';
import { aGuest, aHubReady, anAnonymous, aRegistered, type Person } from './builders/people.ts';
import { publish, sliders } from './builders/posts.ts';
import { type Json, refusal } from './harness/client.ts';
import { anOpine, type Opine, startOpine } from './harness/opine.ts';

let opine: Opine;
/** Lena follows Noor, whose posts are in her feed whatever happens to them, and knows nobody else. */
let lena: Person;
let noor: Person;
let crowd: Person[];

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

// Time passes in some of these tests: nobody's token is good for longer than one of them.
beforeEach(async () => {
  lena = await aHubReady(opine, 'Lena');
  noor = await aHubReady(opine, 'Noor');
  crowd = await Promise.all([aHubReady(opine), aHubReady(opine), aHubReady(opine)]);
  await follow(lena, noor);
});

const hottest = async (viewer = lena, query: object = {}) => trendingFor(viewer, query);
const ids = (...of: (Json | undefined)[]) => of.map((post) => post.id);
const fellow = (index: number): Person => crowd[index % crowd.length] ?? noor;

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
        for (const person of [noor, ...crowd]) await aComment(person, { id });
        await share(noor, { id });
      }
      await sliders(noor, 1);
    }
    expect(walked).toEqual(whole);
    expect((await hottest()).length).toBeGreaterThan(whole.length);
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
  test('what chosen people published of late trends, for everybody alike', async () => {
    const other = await anOpine();
    const [author, commenter] = [await aHubReady(other), await aHubReady(other)];
    await chooseForDefaultFeed(other, author);
    const [stale] = await sliders(author, 1);
    const [again, then] = await later(other, '8 days', author, commenter);
    const [hot, cool] = await sliders(again, 2);
    await publish(again, { visibility: 'private_locked_hub', hubIds: [(await aHub(again)).id] });
    for (const post of [stale, hot]) await aComment(then, post);
    for (const viewer of [aGuest(other), await anAnonymous(other), await aRegistered(other)]) {
      expect(await trendingFor(viewer)).toEqual(ids(hot, cool));
      expect(await trendingFor(viewer, { limit: 1 })).toEqual(ids(hot, cool));
      expect(Object.values(await reasonsIn(viewer, { sort: 'trending' }))).toEqual(
        Array(2).fill('default_feed_user'),
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

  test('what was made for it or shared into it in the last seven days trends', async () => {
    const stale = await aHubPost(noor, [hub], { visibility: 'public_hub' });
    [lena, noor, ...crowd] = await later(opine, '8 days', lena, noor, ...crowd);
    const [shared, elsewhere] = await sliders(fellow(0), 2);
    await place(noor, shared, hub);
    const made = await aHubPost(noor, [hub], { visibility: 'public_hub' });
    for (const post of [stale, made, elsewhere]) for (const _ of [1, 2]) await aComment(noor, post);
    expect(await inHub()).toEqual(ids(made, shared));
    expect(await inHub({ limit: 1 })).toEqual(ids(made, shared));
    expect(await reasonsIn(lena, { sort: 'trending', hubId: hub.id })).toEqual({
      [made.id]: 'joined_hub_post',
      [shared.id]: 'shared_to_hub',
    });
    for (const _ of [1, 2]) await aRepost(noor, shared);
    expect(await inHub()).toEqual(ids(shared, made));
  });

  test('is refused to whoever is not in it', async () => {
    await granted(askToLeave(lena, hub));
    for (const outsider of [lena, aGuest(opine), await aRegistered(opine)]) {
      const reply = await outsider.get(withQuery('/posts', { sort: 'trending', hubId: hub.id }));
      expect(reply).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
  });
});
