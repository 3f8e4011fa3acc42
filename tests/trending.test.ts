import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { homePage, reasonsIn, trendingFor } from './builders/feeds.ts';
import { votesAreFolded } from './builders/fold.ts';
import { aComment, aRepost, askToUncomment, share } from './builders/frames.ts';
import { follow, granted, idsOf, withQuery } from './builders/graph.ts';
import { later } from './builders/hub-worlds.ts';
import { aHubReady, type Person } from './builders/people.ts';
import { aSlider, sliders } from './builders/posts.ts';
import { castVote } from './builders/votes.ts';
import type { Json } from './harness/client.ts';
import { type Opine, startOpine } from './harness/opine.ts';

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

/** What warms a post, from what warms it most to what warms it least. */
const WARMTH: Record<string, (post: Json) => Promise<unknown>> = {
  'four comments': async (post) => {
    for (const index of [0, 1, 2, 0]) await aComment(fellow(index), post);
  },
  'a repost and a comment': async (post) => {
    await aRepost(fellow(0), post);
    await aComment(fellow(1), post);
  },
  'four votes': async (post) => {
    for (const voter of [...crowd, noor]) await granted(castVote(voter, post));
    await votesAreFolded(opine);
  },
  'a repost': (post) => aRepost(fellow(0), post),
  'a comment': (post) => aComment(fellow(0), post),
  'a vote': async (post) => {
    await granted(castVote(fellow(0), post));
    await votesAreFolded(opine);
  },
  nothing: async () => {},
};

describe('the hottest come first', () => {
  const pairs = Object.entries(WARMTH).slice(0, -1);

  test.each(pairs.map(([more], index) => [more, Object.keys(WARMTH)[index + 1] ?? '']))(
    'with %s before the newer with %s',
    async (more, less) => {
      const [hot, cool] = await sliders(noor, 2);
      await WARMTH[more]?.(hot);
      await WARMTH[less]?.(cool);
      expect(await hottest()).toEqual(ids(hot, cool));
    },
  );

  test('a share to a feed is more than a vote, less than a repost, and two are more than that', async () => {
    const [twice, reposted, once, voted] = await sliders(noor, 4);
    for (const index of [0, 1]) await share(fellow(index), twice);
    await aRepost(fellow(0), reposted);
    await share(fellow(0), once);
    await granted(castVote(fellow(0), voted));
    await votesAreFolded(opine);
    expect(await hottest()).toEqual(ids(twice, reposted, once, voted));
  });

  test('whoever warmed them: one alone, oneself, the author', async () => {
    const [first, second, third] = await sliders(noor, 3);
    for (const _ of [1, 2, 3]) await aComment(fellow(0), first);
    for (const _ of [1, 2]) await aComment(lena, second);
    await aComment(noor, third);
    expect(await hottest()).toEqual(ids(first, second, third));
    for (const _ of [1, 2]) await aComment(noor, third);
    await share(lena, third);
    expect(await hottest()).toEqual(ids(third, first, second));
  });

  test('what is deleted again has warmed them', async () => {
    const [first, second] = await sliders(noor, 2);
    const comments = [await aComment(fellow(0), first), await aComment(fellow(0), first)];
    await aComment(fellow(1), second);
    for (const comment of comments) await granted(askToUncomment(fellow(0), comment));
    expect(await hottest()).toEqual(ids(first, second));
  });

  test('of equals the one with the higher id', async () => {
    const equals = await sliders(noor, 5);
    await sql`update app.posts set trending_at = app.now() where author_id = ${noor.id}`.execute(
      opine.database.superuser,
    );
    for (const limit of [1, 2, 5]) {
      expect(await hottest(lena, { limit })).toEqual(idsOf(equals).sort().reverse());
    }
  });

  test('for the reasons that hold for the newest, too', async () => {
    await sliders(noor, 2);
    await aComment(noor, await aSlider(fellow(0)));
    expect(await reasonsIn(lena, { sort: 'trending' })).toEqual(await reasonsIn(lena));
  });
});

describe('heat halves in twelve hours', () => {
  test('so that what was hot is overtaken by what is new, in time', async () => {
    const [old] = await sliders(noor, 1);
    // 1 + 3 comments: 7, which after a day is less than 2.
    for (const _ of [1, 2, 3]) await aComment(fellow(0), old);
    [lena, noor] = await later(opine, '24 hours', lena, noor);
    const [bare] = await sliders(noor, 1);
    expect(await hottest()).toEqual(ids(old, bare));
    const [warm] = await sliders(noor, 1);
    await aComment(noor, warm);
    expect(await hottest()).toEqual(ids(warm, old, bare));
    [lena, noor] = await later(opine, '12 hours', lena, noor);
    const [fresh] = await sliders(noor, 1);
    expect(await hottest()).toEqual(ids(warm, fresh, old, bare));
  });
});

describe('what happened in the last seven days', () => {
  test('is there, and nothing older, unless somebody brings it up who counts', async () => {
    const [bumped, stale] = await sliders(noor, 2);
    [lena, noor] = await later(opine, '6 days 23 hours', lena, noor);
    const [fresh] = await sliders(noor, 1);
    expect(await hottest()).toEqual(ids(fresh, stale, bumped));
    [lena, noor] = await later(opine, '2 hours', lena, noor);
    expect(await hottest()).toEqual(ids(fresh));
    await aComment(lena, stale);
    expect(await hottest()).toEqual(ids(fresh));
    await aComment(noor, bumped);
    expect(await hottest()).toEqual(ids(bumped, fresh));
  });

  test('is nothing where nothing happened, and the end', async () => {
    await sliders(noor, 2);
    [lena] = await later(opine, '8 days', lena);
    expect((await lena.get('/posts?sort=trending')).data).toEqual({ items: [], nextCursor: null });
    expect((await homePage(lena)).items).toHaveLength(2);
  });

  test('is told by the clock of the first page', async () => {
    const published = await sliders(noor, 4);
    [lena] = await later(opine, '6 days 23 hours', lena);
    const page = await granted(lena.get('/posts?sort=trending&limit=2'));
    [lena] = await later(opine, '2 hours', lena);
    const rest = await granted(lena.get(withQuery('/posts', { sort: 'trending', cursor: page.nextCursor })));
    expect(idsOf([...page.items, ...rest.items]).sort()).toEqual(idsOf(published).sort());
    expect(rest.nextCursor).toBeNull();
  });
});
