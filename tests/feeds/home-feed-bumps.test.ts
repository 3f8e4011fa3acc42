import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client, Json } from '../support/client.ts';
import { ACTS, homeFeed, homePages, reasonFor, trendingFor } from '../support/feeds.ts';
import { aComment, aRepost, place, requestCommentDeletion, share } from '../support/frames.ts';
import { block, follow, granted, idsOf, unblock } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../support/hubs.ts';
import { inboxOf } from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
let lena: Person;
/** Whom Lena follows, whom she is in a Hub with, and whom she does not know. */
let noor: Person;
let jonas: Person;
let stranger: Person;
let hub: Hub;
/** What Noor has published, the newest first. */
let fresh: string;
let middle: string;
let old: string;
let posts: Record<string, Json>;

beforeAll(async () => {
  opine = await startOpine();
  stranger = await aHubReady(opine, 'Stranger');
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [lena, noor, jonas] = [
    await aHubReady(opine, 'Lena'),
    await aHubReady(opine, 'Noor'),
    await aHubReady(opine, 'Jonas'),
  ];
  hub = await aHub(lena);
  await join(lena, hub, [jonas]);
  await follow(lena, noor);
  const published = [await aSlider(noor), await aSlider(noor), await aSlider(noor)];
  [old = '', middle = '', fresh = ''] = idsOf(published);
  posts = Object.fromEntries(published.map((post) => [post.id, post]));
});

const post = (id: string) => posts[id];
/** Lena's feed without frames that came after those of Noor. */
const order = async () => (await homeFeed(lena)).filter((id) => id in posts);

describe.each([
  ['whom she follows', () => noor],
  ['with whom she is in a Hub', () => jonas],
])('when somebody %s', (_, friend) => {
  test.each(Object.entries(ACTS))('%s, a post comes to the top', async (_act, perform) => {
    await perform(friend(), post(old));
    expect(await order()).toEqual([old, fresh, middle]);
    await perform(friend(), post(middle));
    expect(await order()).toEqual([middle, old, fresh]);
  });

  test('acts on it again and again, it comes to the top each time', async () => {
    for (const act of Object.values(ACTS)) {
      await act(friend(), post(old));
      expect((await order())[0]).toBe(old);
      await share(friend(), post(middle));
      expect((await order())[0]).toBe(middle);
    }
    const root = await aComment(friend(), post(old));
    await share(friend(), post(middle));
    await aComment(friend(), post(old), 'Indeed.', { parentCommentId: root.id });
    expect((await order()).slice(0, 2)).toEqual([old, middle]);
  });

  test('publishes a repost, it is a frame at the top, of its own', async () => {
    const repost = await aRepost(friend(), post(old));
    expect(await homeFeed(lena)).toEqual([repost.id, old, fresh, middle]);
    await aComment(friend(), repost);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([repost.id, old]);
  });
});

describe('a post comes to the top when it is shared into a Hub of hers', () => {
  test('whoever does it, once for each Hub', async () => {
    const next = await aHub(lena);
    await join(lena, next, [jonas, stranger]);
    await place(jonas, post(old), hub);
    expect(await order()).toEqual([old, fresh, middle]);
    await place(jonas, post(middle), hub);
    await place(jonas, post(old), hub);
    expect(await order()).toEqual([middle, old, fresh]);
    await place(stranger, post(old), next);
    expect(await order()).toEqual([old, middle, fresh]);
  });

  test('but not when she does it herself, though it is new to the others', async () => {
    await place(lena, post(old), hub);
    expect(await order()).toEqual([fresh, middle, old]);
    expect((await homeFeed(jonas))[0]).toBe(old);
  });

  test('by herself, it is in her feed at the time of the share where nothing else brings it there', async () => {
    const [next, early, late] = [await aHub(lena), await aThought(stranger), await aThought(stranger)];
    await place(lena, early, hub);
    const own = await aThought(lena);
    await place(lena, late, hub);
    expect(await homeFeed(lena)).toEqual([late.id, own.id, early.id, fresh, middle, old]);
    for (const foreign of [early, late]) {
      expect([await reasonFor(lena, foreign), await reasonFor(jonas, foreign)]).toEqual([
        'shared_to_hub',
        'shared_to_hub',
      ]);
    }
    await place(lena, early, next);
    expect((await homeFeed(lena))[0]).toBe(early.id);
    await place(jonas, late, hub);
    expect((await homeFeed(lena))[0]).toBe(late.id);
    await place(lena, late, hub);
    await place(lena, early, hub);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([late.id, early.id]);
  });

  test('by herself, a private post is in her feed until she leaves the Hub', async () => {
    const [source, target] = [await aHub(jonas), await aHub(stranger)];
    const away = await aHub(jonas);
    await join(stranger, target, [jonas]);
    const shareable = await aHubPost(jonas, [source, away]);
    await join(jonas, source, [lena]);
    await place(lena, shareable, hub);
    expect(await reasonFor(lena, shareable)).toBe('joined_hub_post');
    await granted(requestLeave(lena, source));
    expect(await reasonFor(lena, shareable)).toBe('shared_to_hub');
    await join(lena, hub, [stranger], 'admin');
    await granted(requestLeave(lena, hub));
    expect(await reasonFor(lena, shareable)).toBeUndefined();
  });

  test('again by another member, it comes to the top for the others, and nobody is notified', async () => {
    const [noon, other] = [await aHubReady(opine, 'Ines'), await aThought(stranger)];
    await join(lena, hub, [noon]);
    await place(jonas, other, hub);
    await aSlider(jonas);
    const before = await Promise.all([lena, noon].map((each) => homeFeed(each)));
    const unread = () =>
      Promise.all([lena, jonas, noon].map(async (each) => (await inboxOf(each)).unreadCount));
    const counts = await unread();
    await place(jonas, other, hub);
    expect(await Promise.all([lena, noon].map((each) => homeFeed(each)))).toEqual(before);
    await place(noon, other, hub);
    expect((await homeFeed(lena))[0]).toBe(other.id);
    expect((await homeFeed(jonas))[0]).toBe(other.id);
    expect(await homeFeed(noon)).toEqual(before[1]);
    expect(await unread()).toEqual(counts);
  });
});

describe('a post stays where it is when', () => {
  test.each(Object.entries(ACTS))('she herself %s', async (_, perform) => {
    await perform(lena, post(old));
    expect(await order()).toEqual([fresh, middle, old]);
  });

  test.each(Object.entries(ACTS))('a stranger %s', async (_, perform) => {
    await perform(stranger, post(old));
    expect(await homeFeed(lena)).toEqual([fresh, middle, old]);
  });

  test('her own is acted on by herself; it comes up for friends alone', async () => {
    const [first, second] = [await aSlider(lena), await aThought(lena)];
    await granted(castVote(lena, first));
    await aComment(lena, first);
    await share(lena, first);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([second.id, first.id]);
    await aComment(jonas, first);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([first.id, second.id]);
    const repost = await aRepost(lena, first);
    await aThought(lena);
    expect((await homeFeed(lena)).slice(1, 4)).toEqual([repost.id, first.id, second.id]);
  });

  test('a post does not move up when somebody across a block who is in a Hub with her acts on it', async () => {
    await block(jonas, lena);
    for (const act of Object.values(ACTS)) await act(jonas, post(old));
    expect(await order()).toEqual([fresh, middle, old]);
    await unblock(jonas, lena);
    expect(await order()).toEqual([old, fresh, middle]);
  });
});

describe('what is undone does not count: a post falls back', () => {
  test('with a comment, to the newest one that is left', async () => {
    const first = await aComment(noor, post(old));
    await aComment(jonas, post(middle));
    const second = await aComment(noor, post(old));
    const third = await aComment(jonas, post(old));
    expect(await order()).toEqual([old, middle, fresh]);
    await granted(requestCommentDeletion(noor, second));
    expect(await order()).toEqual([old, middle, fresh]);
    await granted(requestCommentDeletion(noor, third));
    expect(await order()).toEqual([middle, old, fresh]);
    await granted(requestCommentDeletion(noor, first));
    expect(await order()).toEqual([middle, fresh, old]);
  });

  test('with a comment of which replies are left, by others', async () => {
    const root = await aComment(jonas, post(old));
    await aComment(stranger, post(old), 'Why?', { parentCommentId: root.id });
    await granted(requestCommentDeletion(jonas, root));
    expect(await order()).toEqual([fresh, middle, old]);
  });

  test('with a repost', async () => {
    const first = await aRepost(jonas, post(old));
    await aComment(jonas, post(middle));
    const second = await aRepost(jonas, post(old));
    await granted(jonas.delete(`/posts/${second.id}`));
    expect(await homeFeed(lena)).toEqual([middle, first.id, old, fresh]);
    await granted(jonas.delete(`/posts/${first.id}`));
    expect(await homeFeed(lena)).toEqual([middle, fresh, old]);
  });

  test('and out of the feed, where nothing else holds it', async () => {
    const foreign = await aSlider(stranger);
    const comment = await aComment(noor, foreign);
    expect(await homeFeed(lena)).toEqual([foreign.id, fresh, middle, old]);
    await granted(requestCommentDeletion(stranger, comment));
    expect(await homeFeed(lena)).toEqual([fresh, middle, old]);
  });
});

describe('shares into Hubs that are not hers', () => {
  let his: Hub;
  let hubs: Hub[];

  beforeEach(async () => {
    his = await aHub(jonas);
    hubs = [await aHub(jonas), await aHub(jonas), await aHub(jonas)];
    await join(jonas, his, [noor]);
    await aComment(noor, post(middle));
  });

  /** What is on each page of a feed, at several sizes of them. */
  const pages = (viewer: Client) =>
    Promise.all([1, 2, 3, 50].map(async (limit) => (await homePages(viewer, limit)).map(idsOf)));

  test('neither bring a post, nor move, merge or page one', async () => {
    const foreign = await aSlider(stranger);
    const locked = await aHubPost(jonas, [his, await aHub(jonas)]);
    const before = await pages(lena);
    expect(before[0]).toEqual([[middle], [fresh], [old]]);
    for (const each of [foreign, locked, post(old)]) await place(jonas, each, ...hubs);
    await place(noor, post(old), his);
    expect(await pages(lena)).toEqual(before);
    expect((await homeFeed(jonas))[0]).toBe(old);
    expect((await seenBy(lena, post(old))).hubs).toEqual([]);
  });

  test('do not rank one higher either', async () => {
    expect(await trendingFor(lena)).toEqual([middle, fresh, old]);
    await place(jonas, post(old), ...hubs);
    expect(await trendingFor(lena)).toEqual([middle, fresh, old]);
  });

  test('do not move what is in a Hub of hers too', async () => {
    const foreign = await aSlider(stranger);
    await place(jonas, foreign, hub);
    await granted(castVote(noor, post(old)));
    expect(await homeFeed(lena)).toEqual([old, foreign.id, middle, fresh]);
    await place(jonas, foreign, his);
    expect(await homeFeed(lena)).toEqual([old, foreign.id, middle, fresh]);
  });
});
