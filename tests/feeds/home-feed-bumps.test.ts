import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, idsOf, type Json } from '../support/client.ts';
import { ACTIVITIES, homeFeed, homePages, reasonFor, trendingFor } from '../support/feeds.ts';
import { block, follow, unblock } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../support/hubs.ts';
import { inboxOf } from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import {
  aComment,
  aRepost,
  aSlider,
  aThought,
  requestCommentDeletion,
  seenBy,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
let lena: Person;
/** Lena follows Noor, is in a Hub with Jonas, and has no relation to `unrelated`. */
let noor: Person;
let jonas: Person;
let unrelated: Person;
let hub: Hub;
/** Ids of Noor's posts, newest first. */
let fresh: string;
let middle: string;
let old: string;
let posts: Record<string, Json>;

beforeAll(async () => {
  opine = await startOpine();
  unrelated = await hubReadyPerson(opine, 'Unrelated');
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [lena, noor, jonas] = [
    await hubReadyPerson(opine, 'Lena'),
    await hubReadyPerson(opine, 'Noor'),
    await hubReadyPerson(opine, 'Jonas'),
  ];
  hub = await aHub(lena);
  await join(lena, hub, [jonas]);
  await follow(lena, noor);
  const published = [await aSlider(noor), await aSlider(noor), await aSlider(noor)];
  [old = '', middle = '', fresh = ''] = idsOf(published);
  posts = Object.fromEntries(published.map((post) => [post.id, post]));
});

const post = (id: string) => posts[id];
/** Returns the order of Noor's first three posts in Lena's feed. */
const order = async () => (await homeFeed(lena)).filter((id) => id in posts);

describe.each([
  ['a followed person', () => noor],
  ['a co-member', () => jonas],
])('activity of %s', (_, friend) => {
  test.each(Object.entries(ACTIVITIES))('a post moves to the top when the person %s', async (_, perform) => {
    await perform(friend(), post(old));
    expect(await order()).toEqual([old, fresh, middle]);
    await perform(friend(), post(middle));
    expect(await order()).toEqual([middle, old, fresh]);
  });

  test('each repeated activity moves the post to the top', async () => {
    for (const perform of Object.values(ACTIVITIES)) {
      await perform(friend(), post(old));
      expect((await order())[0]).toBe(old);
      await shareToFeed(friend(), post(middle));
      expect((await order())[0]).toBe(middle);
    }
    const root = await aComment(friend(), post(old));
    await shareToFeed(friend(), post(middle));
    await aComment(friend(), post(old), 'Indeed.', { parentCommentId: root.id });
    expect((await order()).slice(0, 2)).toEqual([old, middle]);
  });

  test('a public repost is a frame of its own at the top', async () => {
    const repost = await aRepost(friend(), post(old));
    expect(await homeFeed(lena)).toEqual([repost.id, old, fresh, middle]);
    await aComment(friend(), repost);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([repost.id, old]);
  });
});

describe('shares into a Hub of the viewer', () => {
  test('a new share moves the post to the top once for each Hub', async () => {
    const next = await aHub(lena);
    await join(lena, next, [jonas, unrelated]);
    await shareToHubs(jonas, post(old), hub);
    expect(await order()).toEqual([old, fresh, middle]);
    await shareToHubs(jonas, post(middle), hub);
    await shareToHubs(jonas, post(old), hub);
    expect(await order()).toEqual([middle, old, fresh]);
    await shareToHubs(unrelated, post(old), next);
    expect(await order()).toEqual([old, middle, fresh]);
  });

  test('an own share moves the post for the other members and not for the viewer', async () => {
    await shareToHubs(lena, post(old), hub);
    expect(await order()).toEqual([fresh, middle, old]);
    expect((await homeFeed(jonas))[0]).toBe(old);
  });

  test('an own share adds a post that nothing else brings, at the time of the share', async () => {
    const [next, early, late] = [await aHub(lena), await aThought(unrelated), await aThought(unrelated)];
    await shareToHubs(lena, early, hub);
    const own = await aThought(lena);
    await shareToHubs(lena, late, hub);
    expect(await homeFeed(lena)).toEqual([late.id, own.id, early.id, fresh, middle, old]);
    for (const foreign of [early, late]) {
      expect([await reasonFor(lena, foreign), await reasonFor(jonas, foreign)]).toEqual([
        'shared_to_hub',
        'shared_to_hub',
      ]);
    }
    await shareToHubs(lena, early, next);
    expect((await homeFeed(lena))[0]).toBe(early.id);
    await shareToHubs(jonas, late, hub);
    expect((await homeFeed(lena))[0]).toBe(late.id);
    await shareToHubs(lena, late, hub);
    await shareToHubs(lena, early, hub);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([late.id, early.id]);
  });

  test('an own share keeps a private post in the feed until the viewer leaves the Hub', async () => {
    const [source, target] = [await aHub(jonas), await aHub(unrelated)];
    const away = await aHub(jonas);
    await join(unrelated, target, [jonas]);
    const shareable = await aHubPost(jonas, [source, away]);
    await join(jonas, source, [lena]);
    await shareToHubs(lena, shareable, hub);
    expect(await reasonFor(lena, shareable)).toBe('joined_hub_post');
    await expectOk(requestLeave(lena, source));
    expect(await reasonFor(lena, shareable)).toBe('shared_to_hub');
    await join(lena, hub, [unrelated], 'admin');
    await expectOk(requestLeave(lena, hub));
    expect(await reasonFor(lena, shareable)).toBeUndefined();
  });

  test('a repeated share by another member moves the post up for the others and notifies nobody', async () => {
    const [noon, other] = [await hubReadyPerson(opine, 'Ines'), await aThought(unrelated)];
    await join(lena, hub, [noon]);
    await shareToHubs(jonas, other, hub);
    await aSlider(jonas);
    const before = await Promise.all([lena, noon].map((each) => homeFeed(each)));
    const unread = () =>
      Promise.all([lena, jonas, noon].map(async (each) => (await inboxOf(each)).unreadCount));
    const counts = await unread();
    await shareToHubs(jonas, other, hub);
    expect(await Promise.all([lena, noon].map((each) => homeFeed(each)))).toEqual(before);
    await shareToHubs(noon, other, hub);
    expect((await homeFeed(lena))[0]).toBe(other.id);
    expect((await homeFeed(jonas))[0]).toBe(other.id);
    expect(await homeFeed(noon)).toEqual(before[1]);
    expect(await unread()).toEqual(counts);
  });
});

describe('activity that moves no post', () => {
  test.each(Object.entries(ACTIVITIES))('a post stays in place when the viewer %s', async (_, perform) => {
    await perform(lena, post(old));
    expect(await order()).toEqual([fresh, middle, old]);
  });

  test.each(Object.entries(ACTIVITIES))(
    'a post stays in place when an unrelated person %s',
    async (_, perform) => {
      await perform(unrelated, post(old));
      expect(await homeFeed(lena)).toEqual([fresh, middle, old]);
    },
  );

  test('own activity does not move an own post, and activity of a co-member does', async () => {
    const [first, second] = [await aSlider(lena), await aThought(lena)];
    await expectOk(castVote(lena, first));
    await aComment(lena, first);
    await shareToFeed(lena, first);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([second.id, first.id]);
    await aComment(jonas, first);
    expect((await homeFeed(lena)).slice(0, 2)).toEqual([first.id, second.id]);
    const repost = await aRepost(lena, first);
    await aThought(lena);
    expect((await homeFeed(lena)).slice(1, 4)).toEqual([repost.id, first.id, second.id]);
  });

  test('activity of a co-member across a block moves no post until they unblock', async () => {
    await block(jonas, lena);
    for (const perform of Object.values(ACTIVITIES)) await perform(jonas, post(old));
    expect(await order()).toEqual([fresh, middle, old]);
    await unblock(jonas, lena);
    expect(await order()).toEqual([old, fresh, middle]);
  });
});

describe('deleted activity', () => {
  test('a post falls back to its newest remaining comment', async () => {
    const first = await aComment(noor, post(old));
    await aComment(jonas, post(middle));
    const second = await aComment(noor, post(old));
    const third = await aComment(jonas, post(old));
    expect(await order()).toEqual([old, middle, fresh]);
    await expectOk(requestCommentDeletion(noor, second));
    expect(await order()).toEqual([old, middle, fresh]);
    await expectOk(requestCommentDeletion(noor, third));
    expect(await order()).toEqual([middle, old, fresh]);
    await expectOk(requestCommentDeletion(noor, first));
    expect(await order()).toEqual([middle, fresh, old]);
  });

  test('a post falls back when a comment is deleted, although its replies remain', async () => {
    const root = await aComment(jonas, post(old));
    await aComment(unrelated, post(old), 'Why?', { parentCommentId: root.id });
    await expectOk(requestCommentDeletion(jonas, root));
    expect(await order()).toEqual([fresh, middle, old]);
  });

  test('a post falls back to its newest remaining repost', async () => {
    const first = await aRepost(jonas, post(old));
    await aComment(jonas, post(middle));
    const second = await aRepost(jonas, post(old));
    await expectOk(jonas.delete(`/posts/${second.id}`));
    expect(await homeFeed(lena)).toEqual([middle, first.id, old, fresh]);
    await expectOk(jonas.delete(`/posts/${first.id}`));
    expect(await homeFeed(lena)).toEqual([middle, fresh, old]);
  });

  test('a post leaves the feed with the only comment that brought it', async () => {
    const foreign = await aSlider(unrelated);
    const comment = await aComment(noor, foreign);
    expect(await homeFeed(lena)).toEqual([foreign.id, fresh, middle, old]);
    await expectOk(requestCommentDeletion(unrelated, comment));
    expect(await homeFeed(lena)).toEqual([fresh, middle, old]);
  });
});

describe('shares into foreign Hubs', () => {
  let hubOfJonas: Hub;
  let hubs: Hub[];

  beforeEach(async () => {
    hubOfJonas = await aHub(jonas);
    hubs = [await aHub(jonas), await aHub(jonas), await aHub(jonas)];
    await join(jonas, hubOfJonas, [noor]);
    await aComment(noor, post(middle));
  });

  /** Returns the ids on each page of a feed, for several page sizes. */
  const pages = (viewer: Client) =>
    Promise.all([1, 2, 3, 50].map(async (limit) => (await homePages(viewer, limit)).map(idsOf)));

  test('foreign shares neither add a post nor change any page', async () => {
    const foreign = await aSlider(unrelated);
    const locked = await aHubPost(jonas, [hubOfJonas, await aHub(jonas)]);
    const before = await pages(lena);
    expect(before[0]).toEqual([[middle], [fresh], [old]]);
    for (const each of [foreign, locked, post(old)]) await shareToHubs(jonas, each, ...hubs);
    await shareToHubs(noor, post(old), hubOfJonas);
    expect(await pages(lena)).toEqual(before);
    expect((await homeFeed(jonas))[0]).toBe(old);
    expect((await seenBy(lena, post(old))).hubs).toEqual([]);
  });

  test('foreign shares do not change the trending order', async () => {
    expect(await trendingFor(lena)).toEqual([middle, fresh, old]);
    await shareToHubs(jonas, post(old), ...hubs);
    expect(await trendingFor(lena)).toEqual([middle, fresh, old]);
  });

  test('a foreign share does not move a post that is in a Hub of the viewer too', async () => {
    const foreign = await aSlider(unrelated);
    await shareToHubs(jonas, foreign, hub);
    await expectOk(castVote(noor, post(old)));
    expect(await homeFeed(lena)).toEqual([old, foreign.id, middle, fresh]);
    await shareToHubs(jonas, foreign, hubOfJonas);
    expect(await homeFeed(lena)).toEqual([old, foreign.id, middle, fresh]);
  });
});
