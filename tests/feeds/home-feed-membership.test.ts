import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import type { Json } from '../support/client.ts';
import { homeFeed, homePage, newestFirst, reasonFor, reasonsIn } from '../support/feeds.ts';
import { aComment, place, share } from '../support/frames.ts';
import { follow, granted, idsOf, mergeInto } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  type Hub,
  join,
  requestDecide,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
let stranger: Person;
let amara: Person;
let jonas: Person;
let lena: Person;
let noor: Person;
let hub: Hub;

beforeAll(async () => {
  opine = await startOpine();
  stranger = await aHubReady(opine, 'Stranger');
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aHubReady(opine, 'Amara');
  hub = await aHub(amara);
  jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
  [lena, noor] = [await aHubReady(opine, 'Lena'), await aHubReady(opine, 'Noor')];
  await follow(lena, noor);
});

/** What happens in the Hub, between posts of Noor's, whom Lena follows: the posts in the order of what happened. */
async function aHistory(): Promise<{ hers: Json[]; theirs: Json[]; all: Json[] }> {
  const [liked, shared] = [await aSlider(stranger), await aThought(stranger)];
  const all: Json[] = [];
  const hers: Json[] = [];
  const happened = [
    () => aThought(jonas),
    () => aHubPost(jonas, [hub]),
    () => aComment(jonas, liked).then(() => liked),
    () => place(jonas, shared, hub).then(() => shared),
    () => aHubPost(amara, [hub], { visibility: 'public_hub' }),
  ];
  for (const happens of happened) {
    const theirs = await happens();
    const one = await aThought(noor);
    all.push(theirs, one);
    hers.push(one);
  }
  return { hers, theirs: all.filter((each) => !hers.includes(each)), all };
}

describe('whoever comes into a Hub', () => {
  test.each([
    ['by an invitation', () => join(amara, hub, [lena])],
    [
      'by a link',
      async () => granted(requestDecide(amara, hub, await aJoinRequest(amara, hub, lena), 'approve')),
    ],
  ])('%s sees what happened before, at its own time', async (_, come) => {
    const { hers, all } = await aHistory();
    expect(await homeFeed(lena)).toEqual(newestFirst(hers));
    await come();
    expect(await homeFeed(lena)).toEqual(newestFirst(all));
  });

  test('shows the others what they did before, at its own time', async () => {
    const post = await aSlider(stranger);
    const own = await aThought(amara);
    await aComment(noor, post);
    const middle = await aThought(amara);
    const hers = await aThought(noor);
    const newest = await aThought(amara);
    await aHubPost(noor, [await aHub(noor)]);
    expect(await homeFeed(jonas)).toEqual(newestFirst([own, middle, newest]));
    await join(amara, hub, [noor]);
    expect(await homeFeed(jonas)).toEqual(newestFirst([own, post, middle, hers, newest]));
  });

  test('shows them what they did before they were known by their phone, too', async () => {
    const maya = await aRegistered(opine, 'Maya');
    const posts = [await aSlider(stranger), await aSlider(stranger), await aSlider(stranger)];
    await granted(castVote(maya, posts[0]));
    const between = await aThought(amara);
    await aComment(maya, posts[1]);
    await share(maya, posts[2]);
    expect(await homeFeed(amara)).toEqual([between.id]);
    await mergeInto(opine, maya, jonas);
    expect(await homeFeed(amara)).toEqual(newestFirst([posts[0], between, posts[1], posts[2]]));
    await follow(lena, jonas);
    expect(await homeFeed(lena)).toEqual(newestFirst(posts));
  });

  test('does not see what those published or did who had left by then, but what they placed', async () => {
    const post = await aSlider(stranger);
    await aComment(jonas, post);
    await aThought(jonas);
    const inside = await aHubPost(jonas, [hub]);
    await granted(requestLeave(jonas, hub));
    await join(amara, hub, [lena]);
    expect(await homeFeed(lena)).toEqual([inside.id]);
  });
});

describe('whoever is in a Hub no more', () => {
  const WAYS: Record<string, () => Promise<unknown>> = {
    'who left it': () => granted(requestLeave(lena, hub)),
    'whom somebody removed': () => granted(requestRemove(amara, hub, lena)),
  };

  test.each(Object.entries(WAYS))('%s, loses all of it at once, on the next page too', async (_, go) => {
    await join(amara, hub, [lena]);
    const { hers, all } = await aHistory();
    const { items, nextCursor } = await homePage(lena, 3);
    expect(idsOf(items)).toEqual(newestFirst(all).slice(0, 3));
    await go();
    expect(await homeFeed(lena)).toEqual(newestFirst(hers));
    const rest = await homePage(lena, 50, nextCursor);
    expect(idsOf(rest.items)).toEqual(newestFirst(hers).filter((id) => !idsOf(items).includes(id)));
  });

  test.each(Object.entries(WAYS))('%s, has it again on coming back, with what came since', async (_, go) => {
    await join(amara, hub, [lena]);
    const { hers, all } = await aHistory();
    await go();
    const since = await aHubPost(jonas, [hub]);
    expect(await homeFeed(lena)).toEqual(newestFirst(hers));
    await join(amara, hub, [lena]);
    expect(await homeFeed(lena)).toEqual(newestFirst([...all, since]));
  });

  test('leaves what they placed there, and takes what they did elsewhere', async () => {
    await join(amara, hub, [lena]);
    const { hers } = await aHistory();
    const reasons = await reasonsIn(lena);
    await granted(requestLeave(jonas, hub));
    const left = ['hub_co_member_author', 'joined_hub_post', 'shared_to_hub'];
    const followed = hers.map(() => 'followed_author');
    expect(Object.values(await reasonsIn(lena)).sort()).toEqual([...followed, ...left]);
    await join(amara, hub, [jonas]);
    expect(await reasonsIn(lena)).toEqual(reasons);
  });

  test('leaves it closed behind them, and has a feed without it', async () => {
    const alone = await aHub(lena);
    const [inside, beside] = [
      await aHubPost(lena, [alone]),
      await aHubPost(lena, [alone], { visibility: 'public_hub' }),
    ];
    expect(await homeFeed(lena)).toEqual([beside.id, inside.id]);
    await granted(requestLeave(lena, alone));
    expect(await homeFeed(lena)).toEqual([beside.id]);
    expect(await reasonFor(lena, beside)).toBe('own_post');
  });
});

describe('those who are in two Hubs with somebody', () => {
  test('lose one, and what is of that alone', async () => {
    const next = await aHub(amara);
    for (const each of [hub, next]) await join(amara, each, [lena]);
    await join(amara, next, [jonas]);
    const post = await aSlider(stranger);
    const [open, inside, both] = [
      await aThought(jonas),
      await aHubPost(jonas, [hub]),
      await aHubPost(jonas, [hub, next]),
    ];
    await share(jonas, post);
    expect(await homeFeed(lena)).toEqual([post.id, both.id, inside.id, open.id]);
    await granted(requestLeave(lena, hub));
    expect(await homeFeed(lena)).toEqual([post.id, both.id, open.id]);
    await granted(requestLeave(jonas, next));
    expect(await homeFeed(lena)).toEqual([both.id]);
    await granted(requestLeave(lena, next));
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('see a post that was shared into both at the later time, then at the other', async () => {
    const next = await aHub(amara);
    for (const each of [hub, next]) await join(amara, each, [lena]);
    const shared = await aThought(stranger);
    await place(amara, shared, hub);
    const between = await aHubPost(jonas, [hub]);
    await place(amara, shared, next);
    expect(await homeFeed(lena)).toEqual([shared.id, between.id]);
    await granted(requestLeave(lena, next));
    expect(await homeFeed(lena)).toEqual([between.id, shared.id]);
  });
});

test('what somebody shared into a Hub outlives their account, what they did and wrote does not', async () => {
  await join(amara, hub, [lena]);
  const { hers } = await aHistory();
  await granted(jonas.delete('/users/me'));
  const expected = ['hub_co_member_author', 'shared_to_hub', ...hers.map(() => 'followed_author')].sort();
  expect(Object.values(await reasonsIn(lena)).sort()).toEqual(expected);
  await untilGone(opine, jonas.id);
  expect(Object.values(await reasonsIn(lena)).sort()).toEqual(expected);
});
