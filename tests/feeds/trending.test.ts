import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPages, expectOk, idsOf, type Json, withQuery } from '../support/client.ts';
import { reasonsIn, trendingFor } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import { aHub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person, signedInAfter } from '../support/people.ts';
import {
  aComment,
  aRepost,
  aSlider,
  requestCommentDeletion,
  shareToFeed,
  shareToHubs,
  sliders,
} from '../support/posts.ts';
import { castVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

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

/** Activity on a post, by falling trending score. */
const ACTIVITY: Record<string, (post: Json) => Promise<unknown>> = {
  'four comments': async (post) => {
    for (const index of [0, 1, 2, 0]) await aComment(audienceMember(index), post);
  },
  'a repost and a comment': async (post) => {
    await aRepost(audienceMember(0), post);
    await aComment(audienceMember(1), post);
  },
  'four votes': async (post) => {
    for (const voter of [...audience, noor]) await expectOk(castVote(voter, post));
    await foldAllVotes(opine);
  },
  'a repost': (post) => aRepost(audienceMember(0), post),
  'a comment': (post) => aComment(audienceMember(0), post),
  'a vote': async (post) => {
    await expectOk(castVote(audienceMember(0), post));
    await foldAllVotes(opine);
  },
  'no activity': async () => {},
};

describe('order by trending score', () => {
  const pairs = Object.entries(ACTIVITY).slice(0, -1);

  test.each(pairs.map(([more], index) => [more, Object.keys(ACTIVITY)[index + 1] ?? '']))(
    'a post with %s precedes a newer post with %s',
    async (more, less) => {
      const [busy, quieter] = await sliders(noor, 2);
      await ACTIVITY[more]?.(busy);
      await ACTIVITY[less]?.(quieter);
      expect(await trending()).toEqual(ids(busy, quieter));
    },
  );

  test('two feed shares outrank a repost, a repost outranks one feed share, and that outranks a vote', async () => {
    const [twice, reposted, once, voted] = await sliders(noor, 4);
    for (const index of [0, 1]) await shareToFeed(audienceMember(index), twice);
    await aRepost(audienceMember(0), reposted);
    await shareToFeed(audienceMember(0), once);
    await expectOk(castVote(audienceMember(0), voted));
    await foldAllVotes(opine);
    expect(await trending()).toEqual(ids(twice, reposted, once, voted));
  });

  test('repeated activity of one person and activity of the viewer and of the author count', async () => {
    const [first, second, third] = await sliders(noor, 3);
    for (const _ of [1, 2, 3]) await aComment(audienceMember(0), first);
    for (const _ of [1, 2]) await aComment(lena, second);
    await aComment(noor, third);
    expect(await trending()).toEqual(ids(first, second, third));
    for (const _ of [1, 2]) await aComment(noor, third);
    await shareToFeed(lena, third);
    expect(await trending()).toEqual(ids(third, first, second));
  });

  test('deleted activity still counts', async () => {
    const [first, second] = await sliders(noor, 2);
    const comments = [await aComment(audienceMember(0), first), await aComment(audienceMember(0), first)];
    await aComment(audienceMember(1), second);
    for (const comment of comments) await expectOk(requestCommentDeletion(audienceMember(0), comment));
    expect(await trending()).toEqual(ids(first, second));
  });

  test('posts with equal scores are ordered by id, highest first', async () => {
    const equals = await sliders(noor, 5);
    await sql`
      insert into app.trending_scores (post_id, score, active_at)
      select p.id, app.now(), app.now() from app.posts as p where p.author_id = ${noor.id}
    `.execute(opine.database.superuser);
    for (const limit of [1, 2, 5]) {
      expect(await trending(lena, { limit })).toEqual(idsOf(equals).sort().reverse());
    }
  });

  test('feedContext is the same as in the recent feed', async () => {
    await sliders(noor, 2);
    await aComment(noor, await aSlider(audienceMember(0)));
    expect(await reasonsIn(lena, { sort: 'trending' })).toEqual(await reasonsIn(lena));
  });
});

describe('the trending score over time', () => {
  test('newer activity outranks three times as much activity after a day', async () => {
    const [old, newer, bare] = await sliders(noor, 3);
    // Three comments: 6, which after a day is less than 2.
    for (const _ of [1, 2, 3]) await aComment(audienceMember(0), old);
    [lena, noor] = await signedInAfter(opine, '12 hours', lena, noor);
    await aComment(noor, newer);
    expect(await trending()).toEqual(ids(old, newer, bare));
    [lena, noor] = await signedInAfter(opine, '12 hours', lena, noor);
    await aComment(noor, bare);
    expect(await trending()).toEqual(ids(bare, old, newer));
  });
});

describe('a trending feed', () => {
  test('posts with activity in the last seven days come first, the rest follows newest first', async () => {
    const [first, second, third] = await sliders(noor, 3);
    [lena, noor, ...audience] = await signedInAfter(opine, '50 days', lena, noor, ...audience);
    const [fresh] = await sliders(noor, 1);
    expect(await trending()).toEqual(ids(fresh, third, second, first));
    // The audience is not in Lena's feed, so nothing moves in the recent feed.
    await aComment(audienceMember(0), second);
    for (const _ of [1, 2]) await aComment(audienceMember(1), first);
    expect(await trending()).toEqual(ids(first, second, fresh, third));
    [lena, noor, ...audience] = await signedInAfter(opine, '6 days 23 hours', lena, noor, ...audience);
    expect(await trending()).toEqual(ids(first, second, fresh, third));
    [lena, noor, ...audience] = await signedInAfter(opine, '2 hours', lena, noor, ...audience);
    expect(await trending()).toEqual(ids(fresh, third, second, first));
  });

  test.each([1, 2, 3, 7])(
    'pages of %i return exactly the posts of the recent feed, each once',
    async (limit) => {
      const published = await sliders(noor, 7);
      [lena, noor] = await signedInAfter(opine, '30 days', lena, noor);
      for (const post of published.slice(2, 5)) await aComment(noor, post);
      const recent = idsOf((await allPages(lena, '/posts', { limit: 50 })).flat());
      expect((await trending(lena, { limit })).toSorted()).toEqual(recent.toSorted());
      expect(await trending(lena, { limit })).toEqual(await trending());
    },
  );

  test('Hub shares and publication do not raise a post', async () => {
    const [old, busy] = await sliders(noor, 2);
    await aComment(noor, busy);
    await shareToHubs(noor, old, await aHub(noor));
    const [fresh] = await sliders(noor, 1);
    expect(await trending()).toEqual(ids(busy, fresh, old));
  });

  test('later pages keep the seven days of the first page', async () => {
    const [quiet, active] = await sliders(noor, 2);
    await aComment(audienceMember(0), active);
    await aComment(audienceMember(0), quiet);
    const [newest] = await sliders(noor, 1);
    [lena] = await signedInAfter(opine, '6 days 23 hours', lena);
    const page = await expectOk(lena.get('/posts?sort=trending&limit=1'));
    [lena] = await signedInAfter(opine, '2 hours', lena);
    const rest = await expectOk(lena.get(withQuery('/posts', { sort: 'trending', cursor: page.nextCursor })));
    expect(idsOf([...page.items, ...rest.items])).toEqual(ids(quiet, active, newest));
    expect(rest.nextCursor).toBeNull();
  });
});
