import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { reasonsIn, trendingFor } from '../support/feeds.ts';
import { votesAreFolded } from '../support/fold.ts';
import { aComment, aRepost, place, requestCommentDeletion, share } from '../support/frames.ts';
import { everyPage, follow, granted, idsOf, withQuery } from '../support/graph.ts';
import { later } from '../support/hub-worlds.ts';
import { aHub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';
import { aSlider, sliders } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

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

/** Activity on a post, from what adds most to its trending score to what adds least. */
const ACTIVITY: Record<string, (post: Json) => Promise<unknown>> = {
  'four comments': async (post) => {
    for (const index of [0, 1, 2, 0]) await aComment(fellow(index), post);
  },
  'a repost and a comment': async (post) => {
    await aRepost(fellow(0), post);
    await aComment(fellow(1), post);
  },
  'four votes': async (post) => {
    for (const voter of [...audience, noor]) await granted(castVote(voter, post));
    await votesAreFolded(opine);
  },
  'a repost': (post) => aRepost(fellow(0), post),
  'a comment': (post) => aComment(fellow(0), post),
  'a vote': async (post) => {
    await granted(castVote(fellow(0), post));
    await votesAreFolded(opine);
  },
  'nothing but its publication': async () => {},
};

describe('the highest trending score comes first', () => {
  const pairs = Object.entries(ACTIVITY).slice(0, -1);

  test.each(pairs.map(([more], index) => [more, Object.keys(ACTIVITY)[index + 1] ?? '']))(
    'with %s before the newer with %s',
    async (more, less) => {
      const [hot, cool] = await sliders(noor, 2);
      await ACTIVITY[more]?.(hot);
      await ACTIVITY[less]?.(cool);
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

  test('activity counts whoever it is by: one person alone, the viewer, the author', async () => {
    const [first, second, third] = await sliders(noor, 3);
    for (const _ of [1, 2, 3]) await aComment(fellow(0), first);
    for (const _ of [1, 2]) await aComment(lena, second);
    await aComment(noor, third);
    expect(await hottest()).toEqual(ids(first, second, third));
    for (const _ of [1, 2]) await aComment(noor, third);
    await share(lena, third);
    expect(await hottest()).toEqual(ids(third, first, second));
  });

  test('deleted activity still counts', async () => {
    const [first, second] = await sliders(noor, 2);
    const comments = [await aComment(fellow(0), first), await aComment(fellow(0), first)];
    await aComment(fellow(1), second);
    for (const comment of comments) await granted(requestCommentDeletion(fellow(0), comment));
    expect(await hottest()).toEqual(ids(first, second));
  });

  test('of equals the one with the higher id', async () => {
    const equals = await sliders(noor, 5);
    await sql`
      insert into app.trending_scores (post_id, score, active_at)
      select p.id, app.now(), app.now() from app.posts as p where p.author_id = ${noor.id}
    `.execute(opine.database.superuser);
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

describe('a trending score halves in twelve hours', () => {
  test('a post with more activity is overtaken by one with newer activity, in time', async () => {
    const [old, newer, bare] = await sliders(noor, 3);
    // Three comments: 6, which after a day is less than 2.
    for (const _ of [1, 2, 3]) await aComment(fellow(0), old);
    [lena, noor] = await later(opine, '12 hours', lena, noor);
    await aComment(noor, newer);
    expect(await hottest()).toEqual(ids(old, newer, bare));
    [lena, noor] = await later(opine, '12 hours', lena, noor);
    await aComment(noor, bare);
    expect(await hottest()).toEqual(ids(bare, old, newer));
  });
});

describe('a trending feed', () => {
  test('ranks what had activity in the last seven days, however old, then lists the rest newest first', async () => {
    const [first, second, third] = await sliders(noor, 3);
    [lena, noor, ...audience] = await later(opine, '50 days', lena, noor, ...audience);
    const [fresh] = await sliders(noor, 1);
    expect(await hottest()).toEqual(ids(fresh, third, second, first));
    // Nobody in Lena's feed, so nothing moves in the recent feed.
    await aComment(fellow(0), second);
    for (const _ of [1, 2]) await aComment(fellow(1), first);
    expect(await hottest()).toEqual(ids(first, second, fresh, third));
    [lena, noor, ...audience] = await later(opine, '6 days 23 hours', lena, noor, ...audience);
    expect(await hottest()).toEqual(ids(first, second, fresh, third));
    [lena, noor, ...audience] = await later(opine, '2 hours', lena, noor, ...audience);
    expect(await hottest()).toEqual(ids(fresh, third, second, first));
  });

  test.each([1, 2, 3, 7])(
    'has exactly the posts of the recent feed, each once, in pages of %i',
    async (limit) => {
      const made = await sliders(noor, 7);
      [lena, noor] = await later(opine, '30 days', lena, noor);
      for (const post of made.slice(2, 5)) await aComment(noor, post);
      const recent = idsOf((await everyPage(lena, '/posts', { limit: 50 })).flat());
      expect((await hottest(lena, { limit })).toSorted()).toEqual(recent.toSorted());
      expect(await hottest(lena, { limit })).toEqual(await hottest());
    },
  );

  test('neither shares into Hubs nor publication rank a post', async () => {
    const [old, hot] = await sliders(noor, 2);
    await aComment(noor, hot);
    await place(noor, old, await aHub(noor));
    const [fresh] = await sliders(noor, 1);
    expect(await hottest()).toEqual(ids(hot, fresh, old));
  });

  test('keeps the seven days of its first page', async () => {
    const [quiet, active] = await sliders(noor, 2);
    await aComment(fellow(0), active);
    await aComment(fellow(0), quiet);
    const [newest] = await sliders(noor, 1);
    [lena] = await later(opine, '6 days 23 hours', lena);
    const page = await granted(lena.get('/posts?sort=trending&limit=1'));
    [lena] = await later(opine, '2 hours', lena);
    const rest = await granted(lena.get(withQuery('/posts', { sort: 'trending', cursor: page.nextCursor })));
    expect(idsOf([...page.items, ...rest.items])).toEqual(ids(quiet, active, newest));
    expect(rest.nextCursor).toBeNull();
  });
});
