import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAudience, anAudienceIn, audienceVotes } from '../support/audience.ts';
import { expectOk, type Json } from '../support/client.ts';
import { follow, requestMute, unfollow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  anInvitation,
  join,
  requestAppoint,
  requestDecide,
  requestDismiss,
  requestRemove,
} from '../support/hubs.ts';
import {
  hubField,
  muteHub,
  notification,
  notificationsDuring,
  notifiedCount,
  type TwoHubs,
  twoHubs,
  typesIn,
  waitForFanOut,
  wholeInboxOf,
} from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';
import { aComment, aRepost, aSlider, aThought, shareToFeed, shareToHubs } from '../support/posts.ts';
import { foldAllVotes } from '../support/worker.ts';

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

  test.each(['public_hub', 'private_locked_hub'])(
    'a %s repost notifies the member in another Hub but not in the muted one',
    async (visibility) => {
      const source = await aThought(sven);
      const hubIds = [elm.id, oak.id];
      const { notified } = await during(() => aRepost(amara, source, { visibility, hubIds }));
      expect(notified.jonas).toEqual([
        expect.objectContaining({ type: 'post_shared_to_hub', ...hubField(oak) }),
      ]);
      expect(notified.noor).toEqual([
        expect.objectContaining({ type: 'post_shared_to_hub', ...hubField(elm) }),
      ]);
    },
  );

  test('a private repost of an own post notifies the member in another Hub but not in the muted one', async () => {
    const source = await aThought(jonas);
    const hubIds = [elm.id, oak.id];
    const { made, notified } = await during(() =>
      aRepost(amara, source, { visibility: 'private_locked_hub', hubIds }),
    );
    const fields = { postId: made.id, sourcePostId: source.id, ...hubField(oak) };
    expect(notified.jonas).toEqual([notification('post_reposted', amara, fields)]);
  });

  test('a public repost of an own post notifies the member despite the mute', async () => {
    const source = await aThought(jonas);
    for (const fields of [{}, { visibility: 'public_hub', hubIds: [elm.id] }]) {
      const { made, notified } = await during(() => aRepost(amara, source, fields));
      const post = { postId: made.id, sourcePostId: source.id };
      expect(notified.jonas).toEqual([notification('post_reposted', amara, post)]);
    }
  });

  test('join requests, new members, role changes and removals notify the member despite the mute', async () => {
    await expectOk(requestAppoint(amara, elm, jonas, 'manager'));
    const { notified } = await during(async () => {
      const request = await aJoinRequest(amara, elm, sven);
      await expectOk(requestDecide(amara, elm, request, 'approve'));
      await expectOk(requestDismiss(amara, elm, jonas));
    });
    expect(notified.jonas?.map(({ type }) => type)).toEqual([
      'hub_join_request_created',
      'hub_member_joined',
      'hub_role_changed',
    ]);
    const { notified: removal } = await during(() => expectOk(requestRemove(amara, elm, jonas)));
    expect(removal).toEqual({ jonas: [notification('hub_member_removed', amara, hubField(elm))] });
  });

  test('invitations and decisions on join requests notify a removed member despite the mute', async () => {
    await expectOk(requestRemove(amara, elm, jonas));
    const { notified } = await during(async () => {
      await anInvitation(amara, elm, jonas);
      await expectOk(requestDecide(amara, elm, await aJoinRequest(amara, elm, jonas), 'reject'));
      await expectOk(requestDecide(amara, elm, await aJoinRequest(amara, elm, jonas), 'approve'));
    });
    const types = ['hub_invite_received', 'hub_join_request_approved', 'hub_join_request_rejected'];
    const named = notified.jonas?.map(({ type }) => type).filter((type) => types.includes(type));
    expect(named).toEqual(types);
  });

  test('activity without a Hub notifies the member despite the mute', async () => {
    await follow(jonas, amara);
    const post = await aSlider(jonas);
    const audience = await anAudience(opine, 100);
    const { notified } = await during(async () => {
      await follow(amara, jonas);
      await aComment(amara, post);
      await shareToFeed(amara, post);
      await aHubPost(amara, [elm], { visibility: 'public_hub' });
      await audienceVotes(opine, audience, post, 8);
      await foldAllVotes(opine);
    });
    expect(notified.jonas?.map(({ type }) => type)).toEqual([
      'followed_user_posted',
      'post_commented',
      'post_shared_to_feed',
      'post_vote_milestone',
      'user_followed',
    ]);
    for (const { hub } of notified.jonas ?? []) expect(hub).toBeNull();
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
  test('a mute keeps earlier notifications', async () => {
    await aHubPost(amara, [elm]);
    const before = await wholeInboxOf(jonas);
    await muteHub(jonas, elm);
    expect(await wholeInboxOf(jonas)).toEqual(before);
    expect(before[0]).toMatchObject({ type: 'hub_post_created', read: false });
  });

  test('a mute applies to one member and one Hub', async () => {
    const birch = await aHub(amara, { name: 'Birch Street' });
    await join(amara, birch, [jonas, noor]);
    await muteHub(jonas, birch);
    await muteHub(noor, elm);
    const { notified } = await during(() => aHubPost(amara, [elm, birch]));
    expect(notified).toMatchObject({ jonas: [hubField(elm)], noor: [hubField(birch)] });
    expect([notified.jonas, notified.noor].map((items) => items?.length)).toEqual([1, 1]);
  });

  test('a mute holds in a Hub with more than 1,000 members', async () => {
    await anAudienceIn(opine, elm, 1001);
    await muteHub(jonas, elm);
    const { made: post, notified } = await during(async () => {
      const one = await aHubPost(amara, [elm]);
      await waitForFanOut(opine);
      return one;
    });
    expect(notified).toEqual({
      noor: [notification('hub_post_created', amara, { postId: post.id, ...hubField(elm) })],
    });
    expect(await notifiedCount(opine, post)).toBe(1002);
  });

  test('a mute by the author does not silence the post for other members', async () => {
    await muteHub(amara, elm);
    expect(typesIn(await during(() => aHubPost(amara, [elm])))).toEqual({
      jonas: ['hub_post_created'],
      noor: ['hub_post_created'],
    });
  });
});

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
