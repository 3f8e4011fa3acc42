import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf, type Json } from '../support/client.ts';
import { ACTS, chooseForDefaultFeed, homeFeed, homePage, newestFirst, reasonFor } from '../support/feeds.ts';
import { aComment, aRepost, place, share } from '../support/frames.ts';
import { block, follow, granted } from '../support/graph.ts';
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
import { aConfirmed, aGuest, aHubReady, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
/** What everybody sees who has no sources. */
let chosen: Json;
let jonas: Person;
let stranger: Person;

beforeAll(async () => {
  opine = await startOpine();
  const author = await aConfirmed(opine, 'Chosen');
  await chooseForDefaultFeed(opine, author);
  chosen = await aSlider(author);
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [jonas, stranger] = [await aHubReady(opine, 'Jonas'), await aHubReady(opine, 'Stranger')];
});

const MEMBERS_OF_OPINE = { registered: aRegistered, confirmed: aConfirmed, 'Hub-ready': aHubReady };

describe.each(Object.entries(MEMBERS_OF_OPINE))('lena, who is %s and follows jonas,', (_, aViewer) => {
  let lena: Person;

  beforeEach(async () => {
    lena = await aViewer(opine, 'Lena');
    await follow(lena, jonas);
  });

  test('sees what he publishes in public, and beside it in Hubs that are not hers', async () => {
    const hub = await aHub(jonas);
    const open = await aThought(jonas);
    const beside = await aHubPost(jonas, [hub], { visibility: 'public_hub' });
    await aHubPost(jonas, [hub]);
    await aHubPost(jonas, [hub, await aHub(jonas)]);
    expect(await homeFeed(lena)).toEqual([beside.id, open.id]);
  });

  test('sees nothing of those who follow her, or whom he follows', async () => {
    await follow(stranger, lena);
    await follow(jonas, stranger);
    await aSlider(stranger);
    expect(await homeFeed(lena)).toEqual([]);
  });

  test.each(Object.entries(ACTS))('sees the post of a stranger when he %s', async (act, perform) => {
    const post = await aSlider(stranger);
    const beside = await aHubPost(stranger, [await aHub(stranger)], { visibility: 'public_hub', ...SLIDER });
    expect(await homeFeed(lena)).toEqual([]);
    for (const each of [post, beside]) await perform(jonas, each);
    expect([await reasonFor(lena, post), await reasonFor(lena, beside)]).toEqual(
      Array(2).fill('friend_interaction'),
    );
    expect(await homeFeed(lena)).toHaveLength(act === 'reposts it' ? 4 : 2);
  });

  test.each(Object.entries(ACTS))('sees nothing of it when another stranger %s', async (_, perform) => {
    await perform(await aHubReady(opine), await aSlider(stranger));
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('sees nothing of a post that she votes on, comments on and shares herself', async () => {
    const post = await aSlider(stranger);
    await granted(castVote(lena, post));
    await aComment(lena, post);
    await share(lena, post);
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('sees nothing of what he shares into Hubs that are not hers', async () => {
    await place(jonas, await aSlider(stranger), await aHub(jonas), await aHub(jonas));
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('sees his repost of what is locked away from her, and not what it is of', async () => {
    const [one, other] = [await aHub(stranger), await aHub(stranger)];
    await join(stranger, one, [jonas]);
    const locked = await aHubPost(stranger, [one, other]);
    const repost = await aRepost(jonas, locked);
    await share(jonas, locked);
    await place(jonas, locked, await aHub(jonas));
    const { items } = await homePage(lena);
    expect(items).toMatchObject([{ id: repost.id, sourcePostId: locked.id, sourcePost: null }]);
  });

  test('has a feed of her own as soon as she follows him: it is empty, and not that of everybody', async () => {
    expect(await homePage(lena)).toEqual({ items: [], nextCursor: null });
  });
});

const SLIDER = { sliderText: 'Is this so?' };

describe('what everybody sees who has no sources', () => {
  test('is the same for a guest, a bearer that is no good, and people of every level', async () => {
    const nobody = [aGuest(opine), clientOf(opine.url, 'no.good.token')];
    const people = [anAnonymous, aRegistered, aConfirmed, aHubReady].map((somebody) => somebody(opine));
    for (const viewer of [...nobody, ...(await Promise.all(people))]) {
      expect((await homePage(viewer)).items).toMatchObject([
        { id: chosen.id, feedContext: 'default_feed_user' },
      ]);
    }
  });

  test('follows publication alone, whatever people do about a post', async () => {
    const other = await anOpine();
    const [author, lena] = [await aHubReady(other), await aRegistered(other, 'Lena')];
    await chooseForDefaultFeed(other, author);
    const hub = await aHub(author);
    const older = await aSlider(author);
    await aHubPost(author, [hub]);
    const newer = await aHubPost(author, [hub], { visibility: 'public_hub' });
    for (const act of Object.values(ACTS)) await act(author, older);
    const [repost] = await homeFeed(lena);
    expect((await seenBy(lena, { id: repost })).sourcePostId).toBe(older.id);
    expect(await homeFeed(lena)).toEqual([repost, newer.id, older.id]);
    await granted(author.delete('/users/me'));
    expect(await homeFeed(lena)).toEqual([]);
  });

  test('is not the feed of whoever is in some Hub, or has a post that they alone see', async () => {
    const lena = await aHubReady(opine, 'Lena');
    const hub = await aHub(lena);
    expect(await homeFeed(lena)).toEqual([]);
    const noor = await aMemberOf(opine, lena, hub, 'Noor');
    const post = await aHubPost(noor, [hub]);
    await granted(requestLeave(noor, hub));
    expect(await homeFeed(noor)).toEqual([]);
    await granted(noor.delete(`/posts/${post.id}`));
    expect(await homeFeed(noor)).toEqual([chosen.id]);
  });
});

describe('amara, who is in a Hub with jonas,', () => {
  let amara: Person;
  let hub: Json;

  beforeEach(async () => {
    amara = await aHubReady(opine, 'Amara');
    hub = await aHub(amara);
    await join(amara, hub, [jonas]);
  });

  test('sees what he publishes in public, in the Hub, and beside other Hubs, but not in them', async () => {
    const his = await aHub(jonas);
    const open = await aThought(jonas);
    const beside = await aHubPost(jonas, [his], { visibility: 'public_hub' });
    const inside = await aHubPost(jonas, [hub]);
    const both = await aHubPost(jonas, [his, hub]);
    await aHubPost(jonas, [his]);
    expect(await homeFeed(amara)).toEqual(newestFirst([open, beside, inside, both]));
  });

  test.each(Object.entries(ACTS))('sees the post of a stranger when he %s', async (_, perform) => {
    const post = await aSlider(stranger);
    await perform(jonas, post);
    expect(await reasonFor(amara, post)).toBe('friend_interaction');
  });

  test('sees what he shares into the Hub, open and locked, and nothing that he shares elsewhere', async () => {
    const his = await aHub(jonas);
    await join(jonas, his, [stranger]);
    const locked = await aHubPost(stranger, [his, await aHub(stranger)]);
    const open = await aThought(stranger);
    await place(jonas, await aThought(stranger), his);
    for (const post of [locked, open]) await place(jonas, post, hub);
    expect(await homeFeed(amara)).toEqual(newestFirst([locked, open]));
    expect(await homeFeed(stranger)).toContain(locked.id);
  });

  test('sees no locked post for what he does about it', async () => {
    const [his, other] = [await aHub(jonas), await aHub(jonas)];
    await join(jonas, his, [stranger]);
    const locked = await aHubPost(stranger, [his], SLIDER);
    const shareable = await aHubPost(jonas, [his, other], SLIDER);
    await share(jonas, locked);
    await share(jonas, shareable);
    await aRepost(jonas, shareable, { visibility: 'private_locked_hub', hubIds: [other.id] });
    expect(await homeFeed(amara)).toEqual([]);
  });

  test('shares nothing with those who are invited, or wait to be let in', async () => {
    const [invited, pending] = [await aHubReady(opine), await aHubReady(opine)];
    await anInvitation(amara, hub, invited);
    await aJoinRequest(amara, hub, pending);
    await aHubPost(jonas, [hub], { visibility: 'public_hub' });
    await place(jonas, await aThought(stranger), hub);
    for (const nonMember of [invited, pending]) {
      expect(await homeFeed(nonMember)).toEqual([chosen.id]);
      await aSlider(nonMember);
    }
    expect(await homeFeed(amara)).toHaveLength(2);
  });

  test('loses his posts when she blocks him, and sees what he shared into the Hub', async () => {
    const shared = await aSlider(stranger);
    const acted = await aSlider(stranger);
    await aThought(jonas);
    await aHubPost(jonas, [hub]);
    await place(jonas, shared, hub);
    for (const act of Object.values(ACTS)) await act(jonas, acted);
    await block(amara, jonas);
    expect(await homeFeed(amara)).toEqual([shared.id]);
  });
});
