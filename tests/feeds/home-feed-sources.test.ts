import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, expectOk, type Json, newestFirst } from '../support/client.ts';
import { ACTIVITIES, addToDefaultFeed, homeFeed, homePage, reasonFor } from '../support/feeds.ts';
import { block, follow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  anInvitation,
  join,
  requestLeave,
} from '../support/hubs.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
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

const VIEWERS = { registered: registeredPerson, confirmed: confirmedPerson, 'Hub-ready': hubReadyPerson };

describe.each(Object.entries(VIEWERS))('the home feed of a %s follower', (_, aViewer) => {
  let lena: Person;

  beforeEach(async () => {
    lena = await aViewer(opine, 'Lena');
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

  test.each(Object.entries(ACTIVITIES))(
    'the post of an unrelated author appears when the followed person %s',
    async (act, perform) => {
      const post = await aSlider(unrelated);
      const beside = await aHubPost(unrelated, [await aHub(unrelated)], {
        visibility: 'public_hub',
        ...SLIDER,
      });
      expect(await homeFeed(lena)).toEqual([]);
      for (const each of [post, beside]) await perform(jonas, each);
      expect([await reasonFor(lena, post), await reasonFor(lena, beside)]).toEqual(
        Array(2).fill('friend_interaction'),
      );
      expect(await homeFeed(lena)).toHaveLength(act === 'reposts it' ? 4 : 2);
    },
  );

  test.each(Object.entries(ACTIVITIES))(
    'the post of an unrelated author stays out when another unrelated person %s',
    async (_, perform) => {
      await perform(await hubReadyPerson(opine), await aSlider(unrelated));
      expect(await homeFeed(lena)).toEqual([]);
    },
  );

  test('votes, comments and feed shares of the viewer add no post', async () => {
    const post = await aSlider(unrelated);
    await expectOk(castVote(lena, post));
    await aComment(lena, post);
    await shareToFeed(lena, post);
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('shares of the followed person into foreign Hubs add no post', async () => {
    await shareToHubs(jonas, await aSlider(unrelated), await aHub(jonas), await aHub(jonas));
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

  test('a viewer who follows an author without posts gets an empty feed and no default feed', async () => {
    expect(await homePage(lena)).toEqual({ items: [], nextCursor: null });
  });
});

const SLIDER = { sliderText: 'Is this so?' };

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

  test('only publication by default feed users adds or moves posts', async () => {
    const other = await anOpine();
    const [author, lena] = [await hubReadyPerson(other), await registeredPerson(other, 'Lena')];
    await addToDefaultFeed(other, author);
    const hub = await aHub(author);
    const older = await aSlider(author);
    await aHubPost(author, [hub]);
    const newer = await aHubPost(author, [hub], { visibility: 'public_hub' });
    for (const perform of Object.values(ACTIVITIES)) await perform(author, older);
    const [repost] = await homeFeed(lena);
    expect((await seenBy(lena, { id: repost })).sourcePostId).toBe(older.id);
    expect(await homeFeed(lena)).toEqual([repost, newer.id, older.id]);
    await expectOk(author.delete('/users/me'));
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('a Hub member and the author of a post that only they see get no default feed', async () => {
    const lena = await hubReadyPerson(opine, 'Lena');
    const hub = await aHub(lena);
    expect(await homeFeed(lena)).toEqual([]);
    const noor = await aMemberOf(opine, lena, hub, 'Noor');
    const post = await aHubPost(noor, [hub]);
    await expectOk(requestLeave(noor, hub));
    expect(await homeFeed(noor)).toEqual([]);
    await expectOk(noor.delete(`/posts/${post.id}`));
    expect(await homeFeed(noor)).toEqual([chosen.id]);
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

  test.each(Object.entries(ACTIVITIES))(
    'the post of an unrelated author appears when a co-member %s',
    async (_, perform) => {
      const post = await aSlider(unrelated);
      await perform(jonas, post);
      expect(await reasonFor(amara, post)).toBe('friend_interaction');
    },
  );

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

  test('activity of a co-member on private posts of foreign Hubs adds no post', async () => {
    const [hubOfJonas, other] = [await aHub(jonas), await aHub(jonas)];
    await join(jonas, hubOfJonas, [unrelated]);
    const locked = await aHubPost(unrelated, [hubOfJonas], SLIDER);
    const shareable = await aHubPost(jonas, [hubOfJonas, other], SLIDER);
    await shareToFeed(jonas, locked);
    await shareToFeed(jonas, shareable);
    await aRepost(jonas, shareable, { visibility: 'private_locked_hub', hubIds: [other.id] });
    expect(await homeFeed(amara)).toEqual([]);
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

  test('blocking a co-member removes their posts and activity and keeps their Hub shares', async () => {
    const shared = await aSlider(unrelated);
    const active = await aSlider(unrelated);
    await aThought(jonas);
    await aHubPost(jonas, [hub]);
    await shareToHubs(jonas, shared, hub);
    for (const perform of Object.values(ACTIVITIES)) await perform(jonas, active);
    await block(amara, jonas);
    expect(await homeFeed(amara)).toEqual([shared.id]);
  });
});
