import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAudienceIn } from '../support/audience.ts';
import { expectOk, type Json } from '../support/client.ts';
import { follow, listedIds, requestMute, unfollow } from '../support/graph.ts';
import { aHubPost } from '../support/hubs.ts';
import {
  hubField,
  muteHub,
  notification,
  notificationsDuring,
  notifiedCount,
  runFanOut,
  type TwoHubs,
  twoHubs,
  typesIn,
  wholeInboxOf,
} from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';
import { aComment, aRepost, aThought, shareToHubs } from '../support/posts.ts';

let opine: Opine;
let elm: Json;
let oak: Json;
let people: TwoHubs['people'];
let amara: Person;
let jonas: Person;
let noor: Person;
let sven: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  ({ elm, oak, people } = await twoHubs(opine));
  ({ amara, jonas, noor, sven } = people);
});

const during = <Made>(activity: () => Promise<Made>) => notificationsDuring(opine, people, activity);

// docs/product.md N13
describe('a member who muted a Hub', () => {
  beforeEach(() => muteHub(jonas, elm));

  test('a post notifies the member in another Hub but not in the muted one', async () => {
    for (const visibility of ['public_hub', 'private_locked_hub']) {
      const { made, notified } = await during(() => aHubPost(amara, [elm, oak], { visibility }));
      const created = (hub: Json) =>
        notification('hub_post_created', amara, { postId: made.id, ...hubField(hub) });
      expect(notified).toEqual({ jonas: [created(oak)], noor: [created(elm)], lena: [created(oak)] });
    }
  });

  test('a share notifies the member in another Hub but not in the muted one, also for an own post', async () => {
    for (const author of [sven, jonas]) {
      const post = await aThought(author);
      const outcome = await during(() => shareToHubs(amara, post, elm, oak));
      expect(typesIn(outcome)).toEqual({
        jonas: ['post_shared_to_hub'],
        noor: ['post_shared_to_hub'],
        lena: ['post_shared_to_hub'],
      });
      expect(outcome.notified.jonas?.[0]?.hub.id).toBe(oak.id);
    }
  });

  test('a private repost of an own post notifies the member in another Hub but not in the muted one', async () => {
    const source = await aThought(jonas);
    const hubIds = [elm.id, oak.id];
    const { made, notified } = await during(() =>
      aRepost(amara, source, { visibility: 'private_locked_hub', hubIds }),
    );
    const fields = { postId: made.id, sourcePostId: source.id, ...hubField(oak) };
    expect(notified.jonas).toEqual([notification('post_reposted', amara, fields)]);
  });

  test('an unmute notifies the member of later activity only', async () => {
    const before = await wholeInboxOf(jonas);
    const source = await aThought(jonas);
    await aHubPost(amara, [elm]);
    await shareToHubs(amara, await aThought(sven), elm);
    await aRepost(amara, source, { visibility: 'private_locked_hub', hubIds: [elm.id] });
    await muteHub(jonas, elm, false);
    expect(await wholeInboxOf(jonas)).toEqual(before);
    const { notified } = await during(async () => {
      await aHubPost(amara, [elm]);
      await shareToHubs(amara, await aThought(sven), elm);
      await aRepost(amara, source, { visibility: 'private_locked_hub', hubIds: [elm.id] });
    });
    const types = ['hub_post_created', 'post_reposted', 'post_shared_to_hub'];
    expect(notified.jonas?.map(({ type }) => type)).toEqual(types);
  });
});

describe('the mute of a Hub', () => {
  // docs/product.md N13
  test('a mute changes no feed', async () => {
    await muteHub(jonas, elm);
    const [made, shared] = [await aHubPost(amara, [elm]), await aThought(sven)];
    await shareToHubs(amara, shared, elm);
    for (const [path, query] of [
      ['/posts', {}],
      ['/posts', { sort: 'trending' }],
      [`/hubs/${elm.id}/feed`, {}],
    ] as const)
      expect(await listedIds(jonas, path, query)).toEqual([shared.id, made.id]);
  });

  // docs/product.md N13
  test('a mute keeps earlier notifications', async () => {
    await aHubPost(amara, [elm]);
    const before = await wholeInboxOf(jonas);
    await muteHub(jonas, elm);
    expect(await wholeInboxOf(jonas)).toEqual(before);
    expect(before[0]).toMatchObject({ type: 'hub_post_created', read: false });
  });

  test('a mute holds in a Hub with more than 1,000 members', async () => {
    await anAudienceIn(opine, elm, 1001);
    await muteHub(jonas, elm);
    const { made: post, notified } = await during(async () => {
      const one = await aHubPost(amara, [elm]);
      await runFanOut(opine);
      return one;
    });
    expect(notified).toEqual({
      noor: [notification('hub_post_created', amara, { postId: post.id, ...hubField(elm) })],
    });
    expect(await notifiedCount(opine, post)).toBe(1002);
  });
});

// docs/product.md P14, N3
describe('a follower who muted publication alerts', () => {
  beforeEach(async () => {
    await follow(jonas, amara);
    await follow(people.maya, amara);
    await expectOk(requestMute(jonas, amara));
  });

  test('a post or repost notifies other followers but not the one who muted', async () => {
    const source = await aThought(sven);
    for (const activity of [() => aThought(amara), () => aRepost(amara, source)]) {
      const { notified } = await during(activity);
      expect(notified.jonas).toBeUndefined();
      expect(notified.maya).toMatchObject([{ type: 'followed_user_posted', actor: { id: amara.id } }]);
    }
  });

  test('Hub posts, other activity and posts by other people notify despite the mute', async () => {
    await follow(jonas, noor);
    const post = await aThought(jonas);
    const { notified } = await during(async () => {
      await aHubPost(amara, [elm], { visibility: 'public_hub' });
      await aComment(amara, post);
      await follow(amara, jonas);
      await aRepost(amara, post);
      await aThought(noor);
    });
    expect(notified.jonas?.map(({ type, actor }) => [type, actor.id])).toEqual([
      ['followed_user_posted', noor.id],
      ['hub_post_created', amara.id],
      ['post_commented', amara.id],
      ['post_reposted', amara.id],
      ['user_followed', amara.id],
    ]);
  });

  test.each([
    ['unmuted', () => expectOk(requestMute(jonas, amara, false))],
    ['renewed by a new follow', () => unfollow(jonas, amara).then(() => follow(jonas, amara))],
  ])('alerts that are %s notify of later posts only', async (_, unmute) => {
    await aThought(amara);
    const before = await wholeInboxOf(jonas);
    await unmute();
    expect(await wholeInboxOf(jonas)).toEqual(before);
    const { made: post, notified } = await during(() => aThought(amara));
    expect(notified.jonas).toEqual([notification('followed_user_posted', amara, { postId: post.id })]);
  });
});
