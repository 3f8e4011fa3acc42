import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPages, expectOk, idsOf, type Json, withQuery } from '../support/client.ts';
import { reasonsIn, trendingFor } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person, signedInAfter } from '../support/people.ts';
import {
  aComment,
  aRepost,
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

/** Reads a trending feed page by page. `between` changes something after each page, given the ids shown so far. */
async function paginateWhile(
  query: object,
  between: (shown: string[]) => Promise<unknown>,
): Promise<string[]> {
  const shown: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await expectOk(
      lena.get(withQuery('/posts', { sort: 'trending', ...query, ...(cursor !== undefined && { cursor }) })),
    );
    shown.push(...idsOf(page.items));
    cursor = page.nextCursor;
    await between(shown);
  }
  return shown;
}

const firstPage = () => expectOk(lena.get('/posts?sort=trending&limit=1'));
const pageAfter = async ({ nextCursor: cursor }: Json, query: object = {}) =>
  expectOk(lena.get(withQuery('/posts', { sort: 'trending', cursor, ...query })));

describe('order by trending score', () => {
  // docs/product.md F16
  test('posts rank by votes of weight 1, comments of 2 and reposts of 3', async () => {
    const posts = await sliders(noor, 7);
    // The score of each post, in the order of publication, so that only activity explains the order.
    const [comments, both, votes, reposted, commented, voted] = posts;
    for (const commenter of audience) await aComment(commenter, comments);
    await aRepost(audienceMember(0), both);
    await aComment(audienceMember(1), both);
    for (const voter of [...audience, lena]) await expectOk(castVote(voter, votes));
    await aRepost(audienceMember(0), reposted);
    await aComment(audienceMember(0), commented);
    await expectOk(castVote(audienceMember(0), voted));
    await foldAllVotes(opine);
    expect(await trending()).toEqual(idsOf(posts));
  });

  // docs/product.md F16
  test('a person counts once for each kind of activity, the viewer too and the author never', async () => {
    const [first, second, third] = await sliders(noor, 3);
    await aComment(lena, first);
    await shareToFeed(lena, first);
    for (const _ of [1, 2, 3]) await aComment(audienceMember(0), second);
    for (const _ of [1, 2, 3]) await shareToFeed(noor, third);
    for (const _ of [1, 2, 3]) await aComment(noor, third);
    await expectOk(castVote(noor, third));
    await foldAllVotes(opine);
    expect(await trending()).toEqual(ids(first, second, third));
    await aComment(audienceMember(1), second);
    await aComment(audienceMember(2), second);
    expect(await trending()).toEqual(ids(second, first, third));
  });

  // docs/product.md F16
  test('deleted activity counts no more', async () => {
    const [first, second] = await sliders(noor, 2);
    await aComment(audienceMember(0), second);
    const comments = [await aComment(audienceMember(0), first), await aComment(audienceMember(1), first)];
    expect(await trending()).toEqual(ids(first, second));
    await expectOk(requestCommentDeletion(noor, comments[0]));
    await expectOk(requestCommentDeletion(noor, comments[1]));
    const reposts = [await aRepost(audienceMember(0), first), await aRepost(audienceMember(1), first)];
    expect(await trending()).toEqual(ids(first, second));
    await expectOk(audienceMember(0).delete(`/posts/${reposts[0]?.id}`));
    expect(await trending()).toEqual(ids(first, second));
    await expectOk(audienceMember(1).delete(`/posts/${reposts[1]?.id}`));
    expect(await trending()).toEqual(ids(second, first));
  });

  test('fifteen comments that their author deletes again lead no trending feed', async () => {
    const [first, second] = await sliders(noor, 2);
    await aComment(audienceMember(0), second);
    for (let count = 0; count < 15; count += 1) {
      await expectOk(requestCommentDeletion(audienceMember(1), await aComment(audienceMember(1), first)));
    }
    expect(await trending()).toEqual(ids(second, first));
  });
});

describe('the trending score over time', () => {
  // docs/product.md F14
  test('newer activity outranks three times as much activity after a day', async () => {
    const [old, newer, bare] = await sliders(noor, 3);
    // Three comments: 6, which after a day is less than 2.
    for (const commenter of audience) await aComment(commenter, old);
    [lena, noor, ...audience] = await signedInAfter(opine, '12 hours', lena, noor, ...audience);
    await aComment(audienceMember(0), newer);
    expect(await trending()).toEqual(ids(old, newer, bare));
    [lena, noor, ...audience] = await signedInAfter(opine, '12 hours', lena, noor, ...audience);
    await aComment(audienceMember(0), bare);
    expect(await trending()).toEqual(ids(bare, old, newer));
  });
});

describe('a trending feed', () => {
  // docs/product.md F14
  test('posts with activity in the last seven days come first, the rest follows newest first', async () => {
    const [first, second, third] = await sliders(noor, 3);
    [lena, noor, ...audience] = await signedInAfter(opine, '50 days', lena, noor, ...audience);
    const [fresh] = await sliders(noor, 1);
    expect(await trending()).toEqual(ids(fresh, third, second, first));
    // The audience is not in Lena's feed, so nothing moves in the recent feed.
    await aComment(audienceMember(0), second);
    for (const index of [1, 2]) await aComment(audienceMember(index), first);
    expect(await trending()).toEqual(ids(first, second, fresh, third));
    [lena, noor, ...audience] = await signedInAfter(opine, '6 days 23 hours', lena, noor, ...audience);
    expect(await trending()).toEqual(ids(first, second, fresh, third));
    [lena, noor, ...audience] = await signedInAfter(opine, '2 hours', lena, noor, ...audience);
    expect(await trending()).toEqual(ids(fresh, third, second, first));
  });

  // docs/product.md F16
  test('Hub shares and publication do not raise a post', async () => {
    const [old, busy] = await sliders(noor, 2);
    await aComment(audienceMember(0), busy);
    await shareToHubs(noor, old, await aHub(noor));
    const [fresh] = await sliders(noor, 1);
    expect(await trending()).toEqual(ids(busy, fresh, old));
  });

  // docs/product.md F15
  test('later pages keep the seven days of the first page', async () => {
    const [quiet, active] = await sliders(noor, 2);
    await aComment(audienceMember(0), active);
    await aComment(audienceMember(0), quiet);
    const [newest] = await sliders(noor, 1);
    [lena] = await signedInAfter(opine, '6 days 23 hours', lena);
    const page = await firstPage();
    [lena] = await signedInAfter(opine, '2 hours', lena);
    const rest = await pageAfter(page);
    expect(idsOf([...page.items, ...rest.items])).toEqual(ids(quiet, active, newest));
    expect(rest.nextCursor).toBeNull();
  });
});

describe('pages of a trending feed', () => {
  test('pages of every size return each post of the recent feed once', async () => {
    const published = await sliders(noor, 9);
    [lena, noor, ...audience] = await signedInAfter(opine, '30 days', lena, noor, ...audience);
    for (const [index, post] of published.entries()) {
      for (let times = index % 4; times > 0; times -= 1) await aComment(audienceMember(times), post);
    }
    const whole = await trending();
    expect(whole.toSorted()).toEqual(idsOf(published).sort());
    expect(await reasonsIn(lena, { sort: 'trending' })).toEqual(await reasonsIn(lena));
    for (const limit of [1, 2, 4, 8, 9]) {
      const pages = await allPages(lena, '/posts', { sort: 'trending', limit });
      expect(pages.flatMap(idsOf)).toEqual(whole);
      expect(pages).toHaveLength(Math.ceil(9 / limit));
    }
  });

  // docs/product.md F15
  test('activity between pages causes no repeats and no gaps', async () => {
    const published = await sliders(noor, 8);
    for (const [index, post] of published.entries())
      if (index % 2 === 0) await aComment(audienceMember(0), post);
    const whole = await trending();
    const shown = await paginateWhile({ limit: 2 }, async () => {
      // The last post gets the highest score, posts already shown rise, and a new post appears.
      for (const id of [whole.at(-1), whole[0], whole[3]]) {
        for (const person of [noor, ...audience]) await aComment(person, { id });
        await shareToFeed(noor, { id });
      }
      await sliders(noor, 1);
    });
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
      const shown = await paginateWhile({ limit }, async ({ length }) => {
        // The last post, the first one shown, and the next one.
        for (const id of [whole.at(-1), whole[0], whole[length]]) {
          if (id === undefined) continue;
          await aComment(noor, { id });
          await shareToFeed(noor, { id });
        }
      });
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
    const page = await firstPage();
    expect(idsOf(page.items)).toEqual(ids(newer));
    await shareToHubs(audienceMember(0), shared, hub);
    expect(idsOf((await pageAfter(page, { limit: 1 })).items)).toEqual(ids(shared));
  });

  test('a post deleted between pages is left out', async () => {
    const [first, second, third] = await sliders(noor, 3);
    const page = await firstPage();
    expect(idsOf(page.items)).toEqual(ids(third));
    await expectOk(noor.delete(`/posts/${second.id}`));
    expect(idsOf((await pageAfter(page)).items)).toEqual(ids(first));
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
    for (const post of [old, targeted, elsewhere]) await aComment(lena, post);
    await aComment(audienceMember(1), old);
    for (const limit of [1, 2, 3, 50])
      expect(await trendingInHub({ limit })).toEqual(ids(old, targeted, shared, stale));
    expect(await reasonsIn(lena, { sort: 'trending', hubId: hub.id })).toEqual({
      [old.id]: 'joined_hub_post',
      [targeted.id]: 'joined_hub_post',
      [shared.id]: 'shared_to_hub',
      [stale.id]: 'joined_hub_post',
    });
    for (const reposter of [noor, lena]) await aRepost(reposter, shared);
    expect(await trendingInHub()).toEqual(ids(shared, old, targeted, stale));
  });

  test('repeated Hub shares between pages cause no repeats and no gaps', async () => {
    await join(lena, hub, [audienceMember(0)]);
    const posts = await sliders(noor, 6);
    for (const post of posts) await shareToHubs(noor, post, hub);
    for (const sort of ['recent', 'trending']) {
      const sharers = [lena, audienceMember(0)];
      const whole = await trending(lena, { hubId: hub.id, sort });
      const shown = await paginateWhile({ sort, hubId: hub.id, limit: 2 }, async ({ length }) => {
        for (const id of [whole.at(-1), whole[0], whole[length]]) {
          for (const sharer of sharers) if (id !== undefined) await shareToHubs(sharer, { id }, hub);
        }
      });
      expect(shown).toEqual(whole);
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
      [`/hubs/${hub.id}/feed`, {}],
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
});
