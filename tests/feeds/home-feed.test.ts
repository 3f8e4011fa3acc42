import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, expectOk, idsOf, type Json, newestFirst } from '../support/client.ts';
import { addToDefaultFeed, homeFeed, homePage, homePages, reasonFor, reasonsIn } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  type Hub,
  join,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aComment, aRepost, aSlider, aThought, seenBy, shareToFeed, shareToHubs } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
/** The post of the default feed user. */
let chosen: Json;
let jonas: Person;
let unrelated: Person;

beforeAll(async () => {
  opine = await startOpine();
  const author = await confirmedPerson(opine, 'Chosen');
  await addToDefaultFeed(opine, author);
  chosen = await aSlider(author);
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [jonas, unrelated] = [await hubReadyPerson(opine, 'Jonas'), await hubReadyPerson(opine, 'Unrelated')];
});

describe('the home feed of a follower', () => {
  let lena: Person;

  beforeEach(async () => {
    lena = await registeredPerson(opine, 'Lena');
    await follow(lena, jonas);
  });

  test('the feed holds the public and public_hub posts of the followed author', async () => {
    const hub = await aHub(jonas);
    const open = await aThought(jonas);
    const beside = await aHubPost(jonas, [hub], { visibility: 'public_hub' });
    await aHubPost(jonas, [hub]);
    await aHubPost(jonas, [hub, await aHub(jonas)]);
    expect(await homeFeed(lena)).toEqual([beside.id, open.id]);
  });

  test('the feed omits posts of followers and of followees of the followed author', async () => {
    await follow(unrelated, lena);
    await follow(jonas, unrelated);
    await aSlider(unrelated);
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('a public repost of a hidden private post appears with sourcePost null', async () => {
    const [one, other] = [await aHub(unrelated), await aHub(unrelated)];
    await join(unrelated, one, [jonas]);
    const locked = await aHubPost(unrelated, [one, other]);
    const repost = await aRepost(jonas, locked);
    await shareToFeed(jonas, locked);
    await shareToHubs(jonas, locked, await aHub(jonas));
    const { items } = await homePage(lena);
    expect(items).toMatchObject([{ id: repost.id, sourcePostId: locked.id, sourcePost: null }]);
  });
});

describe('the default home feed', () => {
  test('guests, invalid bearers and people of every level without sources get the default feed', async () => {
    const unauthenticated = [aGuest(opine), clientOf(opine.url, 'no.good.token')];
    const people = [anonymousPerson, registeredPerson, confirmedPerson, hubReadyPerson].map((somebody) =>
      somebody(opine),
    );
    for (const viewer of [...unauthenticated, ...(await Promise.all(people))]) {
      expect((await homePage(viewer)).items).toMatchObject([
        { id: chosen.id, feedContext: 'default_feed_user' },
      ]);
    }
  });

  test('each card is the card of the post, with voteDistribution for voters only', async () => {
    const viewer = await registeredPerson(opine);
    await expectOk(castVote(viewer, chosen));
    const { permissions: _, ...card } = await seenBy(viewer, chosen);
    const { items } = await homePage(viewer);
    expect(items).toEqual([{ ...card, feedContext: 'default_feed_user' }]);
    expect(items[0].voteDistribution).toHaveLength(5);
    expect((await homePage(aGuest(opine))).items[0]).not.toHaveProperty('voteDistribution');
  });
});

describe('the home feed of an author', () => {
  test('a page has 20 posts by default and 50 at most', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    await Promise.all(Array.from({ length: 51 }, () => aThought(maya)));
    const sizes = async (limit?: number) => (await homePages(maya, limit)).map(({ length }) => length);
    expect([await sizes(50), await sizes()]).toEqual([
      [50, 1],
      [20, 20, 11],
    ]);
  });
});

describe('the home feed of a Hub member', () => {
  let amara: Person;
  let hub: Json;

  beforeEach(async () => {
    amara = await hubReadyPerson(opine, 'Amara');
    hub = await aHub(amara);
    await join(amara, hub, [jonas]);
  });

  test('the feed holds public posts of co-members and private posts of the common Hub only', async () => {
    const hubOfJonas = await aHub(jonas);
    const open = await aThought(jonas);
    const beside = await aHubPost(jonas, [hubOfJonas], { visibility: 'public_hub' });
    const inside = await aHubPost(jonas, [hub]);
    const both = await aHubPost(jonas, [hubOfJonas, hub]);
    await aHubPost(jonas, [hubOfJonas]);
    expect(await homeFeed(amara)).toEqual(newestFirst([open, beside, inside, both]));
  });

  test('the feed holds posts that a co-member shares into the common Hub and none shared elsewhere', async () => {
    const hubOfJonas = await aHub(jonas);
    await join(jonas, hubOfJonas, [unrelated]);
    const locked = await aHubPost(unrelated, [hubOfJonas, await aHub(unrelated)]);
    const open = await aThought(unrelated);
    await shareToHubs(jonas, await aThought(unrelated), hubOfJonas);
    for (const post of [locked, open]) await shareToHubs(jonas, post, hub);
    expect(await homeFeed(amara)).toEqual(newestFirst([locked, open]));
    expect(await homeFeed(unrelated)).toContain(locked.id);
  });

  test('invited people and applicants see nothing of the Hub, and members nothing of theirs', async () => {
    const [invited, pending] = [await hubReadyPerson(opine), await hubReadyPerson(opine)];
    await anInvitation(amara, hub, invited);
    await aJoinRequest(amara, hub, pending);
    await aHubPost(jonas, [hub], { visibility: 'public_hub' });
    await shareToHubs(jonas, await aThought(unrelated), hub);
    for (const nonMember of [invited, pending]) {
      expect(await homeFeed(nonMember)).toEqual([chosen.id]);
      await aSlider(nonMember);
    }
    expect(await homeFeed(amara)).toHaveLength(2);
  });
});

describe('Hub membership and the home feed', () => {
  let amara: Person;
  let jonas: Person;
  let lena: Person;
  let noor: Person;
  let hub: Hub;

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
    test('joining a Hub adds its earlier activity to the home feed, at its own time', async () => {
      const { byNoor, all } = await aHistory();
      expect(await homeFeed(lena)).toEqual(newestFirst(byNoor));
      await join(amara, hub, [lena]);
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
  });

  describe('leaving a Hub', () => {
    const WAYS: Record<string, () => Promise<unknown>> = {
      'a member who leaves': () => expectOk(requestLeave(lena, hub)),
      'a removed member': () => expectOk(requestRemove(amara, hub, lena)),
    };

    test.each(Object.entries(WAYS))(
      '%s loses the Hub activity at once, on the next page too, and regains it by rejoining, with later posts',
      async (_, leaveHub) => {
        await join(amara, hub, [lena]);
        const { byNoor, all } = await aHistory();
        const { items, nextCursor } = await homePage(lena, 3);
        expect(idsOf(items)).toEqual(newestFirst(all).slice(0, 3));
        await leaveHub();
        const since = await aHubPost(jonas, [hub]);
        expect(await homeFeed(lena)).toEqual(newestFirst(byNoor));
        const rest = await homePage(lena, 50, nextCursor);
        expect(idsOf(rest.items)).toEqual(newestFirst(byNoor).filter((id) => !idsOf(items).includes(id)));
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
});
