import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAudienceIn } from '../support/audience.ts';
import { expectOk, type Json } from '../support/client.ts';
import { block, mergeInto, unblock } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  anInvitation,
  join,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import { inboxOf, requestMarkAllRead, requestMarkRead } from '../support/inbox.ts';
import {
  aFullInbox,
  hubField,
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
import { type Person, registeredPerson } from '../support/people.ts';
import { aComment, aRepost, aThought, shareToFeed, shareToHubs } from '../support/posts.ts';

/** The blocker of the pair. */
const DIRECTIONS = ['Amara', 'Jonas'] as const;

/** Every type that the activity of one person can create for another. */
const EVERY_TYPE = [
  'comment_replied',
  'followed_user_posted',
  'hub_invite_received',
  'hub_join_request_approved',
  'hub_join_request_created',
  'hub_join_request_rejected',
  'hub_member_joined',
  'hub_member_removed',
  'hub_post_created',
  'hub_role_changed',
  'post_commented',
  'post_reposted',
  'post_shared_to_feed',
  'post_shared_to_hub',
  'post_vote_milestone',
  'user_followed',
  'user_mentioned',
];

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Returns the blocker and the blocked person. */
function pairOf({ amara, jonas }: TwoHubs['people'], blocker: string): [Person, Person] {
  return blocker === 'Amara' ? [amara, jonas] : [jonas, amara];
}

describe.each(DIRECTIONS)('a block by %s', (blocker) => {
  // docs/product.md P19, N10
  test('notifications from the other person, and no others, are hidden until the block ends', async () => {
    const { people, inbox } = await aFullInbox(opine);
    const { noor, jonas } = people;
    const pair = pairOf(people, blocker);
    const byOthers = inbox.filter(({ actor }) => actor.id === noor.id);
    const byAmara = inbox.filter((item) => !byOthers.includes(item));
    expect([...new Set(byAmara.map(({ type }) => type))].sort()).toEqual(EVERY_TYPE);
    expect(byOthers.map(({ type }) => type)).toEqual([
      'post_commented',
      'user_followed',
      'hub_member_joined',
    ]);
    const { inboxVersion } = await inboxOf(jonas);
    await block(...pair);
    expect(await wholeInboxOf(jonas)).toEqual(byOthers);
    const hidden = await inboxOf(jonas);
    expect(hidden.unreadCount).toBe(byOthers.length);
    expect(hidden.inboxVersion).toBeGreaterThan(inboxVersion);
    await unblock(...pair);
    expect(await wholeInboxOf(jonas)).toEqual(inbox);
    const shown = await inboxOf(jonas);
    expect(shown.unreadCount).toBe(inbox.length);
    expect(shown.inboxVersion).toBeGreaterThan(hidden.inboxVersion);
  });

  test('hidden notifications stay unread', async () => {
    const { people } = await twoHubs(opine);
    const { amara, jonas, noor } = people;
    const post = await aThought(jonas);
    await aComment(amara, post);
    await aComment(noor, post);
    const pair = pairOf(people, blocker);
    const before = await wholeInboxOf(jonas);
    const byAmara = before.filter(({ actor }) => actor.id === amara.id);
    await block(...pair);
    expect((await requestMarkRead(jonas, byAmara[0])).data).toMatchObject({ updated: 0 });
    const seen = before.length - byAmara.length;
    expect((await requestMarkAllRead(jonas)).data).toEqual({ updated: seen, unreadCount: 0 });
    await unblock(...pair);
    const after = await wholeInboxOf(jonas);
    expect(after.filter(({ read }) => !read)).toEqual(byAmara);
    await requestMarkAllRead(jonas);
    await block(...pair);
    expect((await inboxOf(jonas)).unreadCount).toBe(0);
  });
});

describe.each(DIRECTIONS)('a blocked pair (block by %s)', (blocker) => {
  let elm: Json;
  let people: TwoHubs['people'];
  let amara: Person;
  let jonas: Person;
  let noor: Person;

  beforeEach(async () => {
    ({ elm, people } = await twoHubs(opine));
    ({ amara, jonas, noor } = people);
  });

  const during = <Made>(activity: () => Promise<Made>) => notificationsDuring(opine, people, activity);

  /** Returns the types that `activity` creates during the block; the end of the block adds none. */
  async function typesWhileBlocked(activity: () => Promise<unknown>): Promise<Record<string, string[]>> {
    const pair = pairOf(people, blocker);
    await block(...pair);
    const outcome = await during(async () => {
      const { notified } = await during(activity);
      await unblock(...pair);
      return notified;
    });
    // The end of the block creates no late notifications.
    expect(outcome.notified).toEqual(outcome.made);
    return typesIn(outcome);
  }

  test('a post in a common Hub notifies every member except the other person of the pair', async () => {
    expect(await typesWhileBlocked(() => aHubPost(amara, [elm]))).toEqual({ noor: ['hub_post_created'] });
    expect(await typesWhileBlocked(() => aHubPost(jonas, [elm]))).toEqual({ noor: ['hub_post_created'] });
  });

  test('a join request, its approval and an accepted invitation of one person do not notify the other person', async () => {
    const birch = await aHub(amara, { name: 'Birch Street' });
    await expectOk(requestAccept(noor, await anInvitation(amara, birch, noor)));
    await expectOk(requestAppoint(amara, birch, noor));
    let request: Json;
    const requested = await typesWhileBlocked(async () => {
      request = await aJoinRequest(noor, birch, jonas);
    });
    expect(requested).toEqual({ noor: ['hub_join_request_created'] });
    expect(await typesWhileBlocked(() => expectOk(requestDecide(noor, birch, request, 'approve')))).toEqual({
      noor: ['hub_member_joined'],
      jonas: ['hub_join_request_approved'],
    });
    await expectOk(requestRemove(noor, birch, jonas));
    const invitation = await anInvitation(noor, birch, jonas);
    expect(await typesWhileBlocked(() => expectOk(requestAccept(jonas, invitation)))).toEqual({
      noor: ['hub_member_joined'],
    });
  });

  test('activity between a person of the pair and a third person notifies as usual', async () => {
    const post = await aThought(noor);
    expect(
      await typesWhileBlocked(async () => {
        await aComment(amara, post);
        await aComment(jonas, post);
      }),
    ).toEqual({ noor: ['post_commented', 'post_commented'] });
    expect(await typesWhileBlocked(() => aHubPost(noor, [elm]))).toEqual({
      amara: ['hub_post_created'],
      jonas: ['hub_post_created'],
    });
    const [hers, his] = [await aThought(amara), await aThought(jonas)];
    expect(
      await typesWhileBlocked(async () => {
        await shareToFeed(noor, hers);
        await shareToFeed(noor, his);
      }),
    ).toEqual({ amara: ['post_shared_to_feed'], jonas: ['post_shared_to_feed'] });
  });
});

describe.each(DIRECTIONS)('a post whose author is in a block by %s', (blocker) => {
  let quarter: TwoHubs;

  beforeEach(async () => {
    quarter = await twoHubs(opine);
  });

  test('the notification of a share by a third person is hidden until the block ends', async () => {
    const { elm, people } = quarter;
    const { amara, jonas, noor } = people;
    const post = await aThought(amara);
    await shareToHubs(noor, post, elm);
    const before = await wholeInboxOf(jonas);
    expect(before[0]).toMatchObject({ type: 'post_shared_to_hub', postId: post.id });
    await block(...pairOf(people, blocker));
    expect((await wholeInboxOf(jonas)).map(({ postId }) => postId)).not.toContain(post.id);
    expect((await wholeInboxOf(amara)).map(({ postId }) => postId)).toContain(post.id);
    await unblock(...pairOf(people, blocker));
    expect(await wholeInboxOf(jonas)).toEqual(before);
  });

  test('a post in a Hub with more than 1,000 members notifies all but the other person of the pair', async () => {
    const { elm, people } = quarter;
    const { amara, jonas, noor } = people;
    await anAudienceIn(opine, elm, 1001);
    await block(...pairOf(people, blocker));
    const { made: posts, notified } = await notificationsDuring(opine, { jonas, noor }, async () => {
      const made = [await aHubPost(amara, [elm]), await aThought(amara)] as const;
      await shareToHubs(noor, made[1], elm);
      await runFanOut(opine);
      return made;
    });
    expect(notified).toEqual({
      noor: [notification('hub_post_created', amara, { postId: posts[0].id, ...hubField(elm) })],
    });
    for (const post of posts) expect(await notifiedCount(opine, post)).toBe(1002);
  });

  test('a repost by a third person notifies the other person, because the reposter is its author', async () => {
    const { elm, people } = quarter;
    const { amara, jonas, noor } = people;
    const source = await aThought(amara);
    await block(...pairOf(people, blocker));
    const fields = { visibility: 'private_locked_hub', hubIds: [elm.id] };
    const { made, notified } = await notificationsDuring(opine, { amara, jonas }, () =>
      aRepost(noor, source, fields),
    );
    const post = { postId: made.id, sourcePostId: source.id, ...hubField(elm) };
    expect(notified).toEqual({
      amara: [notification('post_reposted', noor, post)],
      jonas: [notification('post_shared_to_hub', noor, post)],
    });
  });
});

describe('a notification that is hidden for two reasons', () => {
  let elm: Json;
  let amara: Person;
  let jonas: Person;
  let noor: Person;

  beforeEach(async () => {
    const quarter = await twoHubs(opine);
    elm = quarter.elm;
    ({ amara, jonas, noor } = quarter.people);
  });

  /** Returns after which steps Jonas sees `wanted`; his badge must be right after each. */
  async function seenAfter(wanted: Json[], steps: (() => Promise<unknown>)[]): Promise<boolean[]> {
    const ids = new Set(wanted.map(({ id }) => id));
    const seen: boolean[] = [];
    for (const step of steps) {
      await step();
      const count = (await wholeInboxOf(jonas)).filter(({ id }) => ids.has(id)).length;
      expect([0, ids.size]).toContain(count);
      seen.push(count > 0);
    }
    return seen;
  }

  const inboxItems = async (...types: string[]) =>
    (await wholeInboxOf(jonas)).filter(({ type }) => types.includes(type));

  test('a notification hidden by blocks in both directions returns when both have ended', async () => {
    await aHubPost(amara, [elm]);
    await aComment(amara, await aThought(jonas));
    const rows = await inboxItems('hub_post_created', 'post_commented');
    expect(rows).toHaveLength(2);
    // A blocked person cannot block back: only a merge of two users leaves blocks in both directions.
    const install = await registeredPerson(opine);
    await block(install, jonas);
    const steps = [
      () => block(jonas, amara),
      () => mergeInto(opine, install, amara),
      () => unblock(jonas, amara),
      () => unblock(amara, jonas),
    ];
    expect(await seenAfter(rows, steps)).toEqual([false, false, false, true]);
  });

  test('a notification hidden by a block and by leaving the Hub returns when neither applies', async () => {
    await aHubPost(amara, [elm]);
    const rows = await inboxItems('hub_post_created');
    expect(rows).toHaveLength(1);
    await expectOk(requestAppoint(amara, elm, noor));
    const leave = () => expectOk(requestLeave(jonas, elm));
    const steps = [
      () => block(jonas, amara),
      leave,
      () => unblock(jonas, amara),
      () => join(noor, elm, [jonas]),
      leave,
      () => block(amara, jonas),
      () => join(noor, elm, [jonas]),
      () => unblock(amara, jonas),
    ];
    expect(await seenAfter(rows, steps)).toEqual([false, false, false, true, false, false, false, true]);
  });

  test('a notification hidden by a block stays away when its post or comment is deleted', async () => {
    const [kept, gone] = [await aHubPost(amara, [elm]), await aHubPost(amara, [elm])];
    const comment = await aComment(amara, await aThought(jonas));
    await block(jonas, amara);
    await expectOk(amara.delete(`/posts/${gone.id}`));
    await expectOk(amara.delete(`/comments/${comment.id}`));
    expect(await inboxItems('hub_post_created', 'post_commented')).toEqual([]);
    await unblock(jonas, amara);
    const rows = await inboxItems('hub_post_created', 'post_commented');
    expect(rows.map(({ postId }) => postId)).toEqual([kept.id]);
  });
});
