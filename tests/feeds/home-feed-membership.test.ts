import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, idsOf, type Json, newestFirst } from '../support/client.ts';
import { homeFeed, homePage, reasonFor, reasonsIn } from '../support/feeds.ts';
import { follow, mergeInto } from '../support/graph.ts';
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
import { hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aComment, aSlider, aThought, shareToFeed, shareToHubs } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let unrelated: Person;
let amara: Person;
let jonas: Person;
let lena: Person;
let noor: Person;
let hub: Hub;

beforeAll(async () => {
  opine = await startOpine();
  unrelated = await hubReadyPerson(opine, 'Unrelated');
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await hubReadyPerson(opine, 'Amara');
  hub = await aHub(amara);
  jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
  [lena, noor] = [await hubReadyPerson(opine, 'Lena'), await hubReadyPerson(opine, 'Noor')];
  await follow(lena, noor);
});

/** Creates Hub activity between posts of Noor, whom Lena follows. Returns the posts in the order of the activity. */
async function aHistory(): Promise<{ byNoor: Json[]; inHub: Json[]; all: Json[] }> {
  const [liked, shared] = [await aSlider(unrelated), await aThought(unrelated)];
  const all: Json[] = [];
  const byNoor: Json[] = [];
  const activities = [
    () => aThought(jonas),
    () => aHubPost(jonas, [hub]),
    () => aComment(jonas, liked).then(() => liked),
    () => shareToHubs(jonas, shared, hub).then(() => shared),
    () => aHubPost(amara, [hub], { visibility: 'public_hub' }),
  ];
  for (const activity of activities) {
    const inHub = await activity();
    const one = await aThought(noor);
    all.push(inHub, one);
    byNoor.push(one);
  }
  return { byNoor, inHub: all.filter((each) => !byNoor.includes(each)), all };
}

describe('joining a Hub', () => {
  test.each([
    ['by an invitation', () => join(amara, hub, [lena])],
    [
      'by a link',
      async () => expectOk(requestDecide(amara, hub, await aJoinRequest(amara, hub, lena), 'approve')),
    ],
  ])('joining %s adds the earlier Hub activity to the home feed, at its own time', async (_, joinHub) => {
    const { byNoor, all } = await aHistory();
    expect(await homeFeed(lena)).toEqual(newestFirst(byNoor));
    await joinHub();
    expect(await homeFeed(lena)).toEqual(newestFirst(all));
  });

  test('the earlier posts and activity of a new member enter the home feeds of members, at their own time', async () => {
    const post = await aSlider(unrelated);
    const own = await aThought(amara);
    await aComment(noor, post);
    const middle = await aThought(amara);
    const byNoor = await aThought(noor);
    const newest = await aThought(amara);
    await aHubPost(noor, [await aHub(noor)]);
    expect(await homeFeed(jonas)).toEqual(newestFirst([own, middle, newest]));
    await join(amara, hub, [noor]);
    expect(await homeFeed(jonas)).toEqual(newestFirst([own, post, middle, byNoor, newest]));
  });

  test('a merge adds the activity of the merged user to the home feeds of co-members and followers', async () => {
    const maya = await registeredPerson(opine, 'Maya');
    const posts = [await aSlider(unrelated), await aSlider(unrelated), await aSlider(unrelated)];
    await expectOk(castVote(maya, posts[0]));
    const between = await aThought(amara);
    await aComment(maya, posts[1]);
    await shareToFeed(maya, posts[2]);
    expect(await homeFeed(amara)).toEqual([between.id]);
    await mergeInto(opine, maya, jonas);
    expect(await homeFeed(amara)).toEqual(newestFirst([posts[0], between, posts[1], posts[2]]));
    await follow(lena, jonas);
    expect(await homeFeed(lena)).toEqual(newestFirst(posts));
  });

  test('a new member sees what a former member placed in the Hub and nothing else of theirs', async () => {
    const post = await aSlider(unrelated);
    await aComment(jonas, post);
    await aThought(jonas);
    const inside = await aHubPost(jonas, [hub]);
    await expectOk(requestLeave(jonas, hub));
    await join(amara, hub, [lena]);
    expect(await homeFeed(lena)).toEqual([inside.id]);
  });
});

describe('leaving a Hub', () => {
  const WAYS: Record<string, () => Promise<unknown>> = {
    'a member who leaves': () => expectOk(requestLeave(lena, hub)),
    'a removed member': () => expectOk(requestRemove(amara, hub, lena)),
  };

  test.each(Object.entries(WAYS))(
    '%s loses the Hub activity at once, on the next page too',
    async (_, leaveHub) => {
      await join(amara, hub, [lena]);
      const { byNoor, all } = await aHistory();
      const { items, nextCursor } = await homePage(lena, 3);
      expect(idsOf(items)).toEqual(newestFirst(all).slice(0, 3));
      await leaveHub();
      expect(await homeFeed(lena)).toEqual(newestFirst(byNoor));
      const rest = await homePage(lena, 50, nextCursor);
      expect(idsOf(rest.items)).toEqual(newestFirst(byNoor).filter((id) => !idsOf(items).includes(id)));
    },
  );

  test.each(Object.entries(WAYS))(
    '%s regains the Hub activity by rejoining, with later posts',
    async (_, leaveHub) => {
      await join(amara, hub, [lena]);
      const { byNoor, all } = await aHistory();
      await leaveHub();
      const since = await aHubPost(jonas, [hub]);
      expect(await homeFeed(lena)).toEqual(newestFirst(byNoor));
      await join(amara, hub, [lena]);
      expect(await homeFeed(lena)).toEqual(newestFirst([...all, since]));
    },
  );

  test('home feeds keep what a former member placed in the Hub and lose their other activity until they rejoin', async () => {
    await join(amara, hub, [lena]);
    const { byNoor } = await aHistory();
    const reasons = await reasonsIn(lena);
    await expectOk(requestLeave(jonas, hub));
    const left = ['hub_co_member_author', 'joined_hub_post', 'shared_to_hub'];
    const followed = byNoor.map(() => 'followed_author');
    expect(Object.values(await reasonsIn(lena)).sort()).toEqual([...followed, ...left]);
    await join(amara, hub, [jonas]);
    expect(await reasonsIn(lena)).toEqual(reasons);
  });

  test('the last member who leaves keeps only public posts of the closed Hub in the home feed', async () => {
    const alone = await aHub(lena);
    const [inside, beside] = [
      await aHubPost(lena, [alone]),
      await aHubPost(lena, [alone], { visibility: 'public_hub' }),
    ];
    expect(await homeFeed(lena)).toEqual([beside.id, inside.id]);
    await expectOk(requestLeave(lena, alone));
    expect(await homeFeed(lena)).toEqual([beside.id]);
    expect(await reasonFor(lena, beside)).toBe('own_post');
  });
});

describe('two Hubs in common with a person', () => {
  test('leaving one Hub removes only the posts that no other source brings', async () => {
    const next = await aHub(amara);
    for (const each of [hub, next]) await join(amara, each, [lena]);
    await join(amara, next, [jonas]);
    const post = await aSlider(unrelated);
    const [open, inside, both] = [
      await aThought(jonas),
      await aHubPost(jonas, [hub]),
      await aHubPost(jonas, [hub, next]),
    ];
    await shareToFeed(jonas, post);
    expect(await homeFeed(lena)).toEqual([post.id, both.id, inside.id, open.id]);
    await expectOk(requestLeave(lena, hub));
    expect(await homeFeed(lena)).toEqual([post.id, both.id, open.id]);
    await expectOk(requestLeave(jonas, next));
    expect(await homeFeed(lena)).toEqual([both.id]);
    await expectOk(requestLeave(lena, next));
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('a post shared into both Hubs is placed at the later share, and at the other one after leaving', async () => {
    const next = await aHub(amara);
    for (const each of [hub, next]) await join(amara, each, [lena]);
    const shared = await aThought(unrelated);
    await shareToHubs(amara, shared, hub);
    const between = await aHubPost(jonas, [hub]);
    await shareToHubs(amara, shared, next);
    expect(await homeFeed(lena)).toEqual([shared.id, between.id]);
    await expectOk(requestLeave(lena, next));
    expect(await homeFeed(lena)).toEqual([between.id, shared.id]);
  });
});

test('home feeds keep the Hub shares of a deleted account and lose its posts and activity', async () => {
  await join(amara, hub, [lena]);
  const { byNoor } = await aHistory();
  await expectOk(jonas.delete('/users/me'));
  const expected = ['hub_co_member_author', 'shared_to_hub', ...byNoor.map(() => 'followed_author')].sort();
  expect(Object.values(await reasonsIn(lena)).sort()).toEqual(expected);
  await waitUntilDeleted(opine, jonas.id);
  expect(Object.values(await reasonsIn(lena)).sort()).toEqual(expected);
});
