import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAudience, anAudienceIn, audienceVotes } from '../support/audience.ts';
import type { Json } from '../support/client.ts';
import { votesAreFolded } from '../support/fold.ts';
import {
  aComment,
  aRepost,
  place,
  requestComment,
  requestRepost,
  requestShare,
  share,
} from '../support/frames.ts';
import { block, follow, granted, mergeInto, requestFollow, unblock } from '../support/graph.ts';
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
  anAcquaintance,
  aQuarter,
  everyoneIsNotified,
  inHub,
  notification,
  notificationsDuring,
  notifiedCount,
  type Quarter,
  typesIn,
  wholeInboxOf,
} from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

/** Who of Amara and Jonas blocks whom. */
const DIRECTIONS = ['Amara', 'Jonas'] as const;

/** Everything that is told of what one does with another, or in their Hub. */
const EVERY_TYPE = [
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
];

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Who blocks, and who is blocked, where `blocker` is the name of the first. */
function pairOf({ amara, jonas }: Quarter['people'], blocker: string): [Person, Person] {
  return blocker === 'Amara' ? [amara, jonas] : [jonas, amara];
}

describe.each(DIRECTIONS)('a block by %s of what was told', (blocker) => {
  test('of the other hides all, and only that, until it ends', async () => {
    const { people, inbox } = await anAcquaintance(opine);
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

  test('keeps what is hidden unread', async () => {
    const { people } = await aQuarter(opine);
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

describe.each(DIRECTIONS)('while %s blocks the other', (blocker) => {
  let elm: Json;
  let people: Quarter['people'];
  let amara: Person;
  let jonas: Person;
  let noor: Person;
  let sven: Person;

  beforeEach(async () => {
    ({ elm, people } = await aQuarter(opine));
    ({ amara, jonas, noor, sven } = people);
  });

  const during = <Made>(act: () => Promise<Made>) => notificationsDuring(opine, people, act);

  /** What is told of `act`, while the block stands; nobody is told later. */
  async function told(act: () => Promise<unknown>): Promise<Record<string, string[]>> {
    const pair = pairOf(people, blocker);
    await block(...pair);
    const telling = await during(async () => {
      const { told: meanwhile } = await during(act);
      await unblock(...pair);
      return meanwhile;
    });
    // Whoever was not told while it stood is not when it has ended.
    expect(telling.told).toEqual(telling.made);
    return typesIn(telling);
  }

  test('neither is told what the other posts in a Hub of both, and all others are', async () => {
    expect(await told(() => aHubPost(amara, [elm]))).toEqual({ noor: ['hub_post_created'] });
    expect(await told(() => aHubPost(jonas, [elm]))).toEqual({ noor: ['hub_post_created'] });
  });

  test('neither is told what the other shares into a Hub of both, and all others are', async () => {
    const [one, other] = [await aThought(sven), await aThought(sven)];
    expect(await told(() => place(amara, one, elm))).toEqual({ noor: ['post_shared_to_hub'] });
    expect(await told(() => place(jonas, other, elm))).toEqual({ noor: ['post_shared_to_hub'] });
  });

  test('neither is told what the other reposts into a Hub of both, and all others are', async () => {
    const fields = { visibility: 'private_locked_hub', hubIds: [elm.id] };
    const source = await aThought(noor);
    for (const author of [amara, jonas])
      expect(await told(() => aRepost(author, source, fields))).toEqual({ noor: ['post_reposted'] });
  });

  test('neither is told that the other invites them', async () => {
    const birch = await aHub(jonas, { name: 'Birch Street' });
    expect(await told(() => anInvitation(jonas, birch, amara))).toEqual({});
    const willow = await aHub(amara, { name: 'Willow Street' });
    expect(await told(() => anInvitation(amara, willow, jonas))).toEqual({});
    // It is for its Hub that an invitation stands, whoever wrote it.
    const { told: noorsToo } = await during(() => anInvitation(noor, elm, sven));
    expect(Object.keys(noorsToo)).toEqual(['sven']);
  });

  test('neither is told that the other asks to join, is let in or accepts an invitation', async () => {
    const birch = await aHub(amara, { name: 'Birch Street' });
    await granted(requestAccept(noor, await anInvitation(amara, birch, noor)));
    await granted(requestAppoint(amara, birch, noor));
    let request: Json;
    const asked = await told(async () => {
      request = await aJoinRequest(noor, birch, jonas);
    });
    expect(asked).toEqual({ noor: ['hub_join_request_created'] });
    expect(await told(() => granted(requestDecide(noor, birch, request, 'approve')))).toEqual({
      noor: ['hub_member_joined'],
      jonas: ['hub_join_request_approved'],
    });
    await granted(requestRemove(noor, birch, jonas));
    const invitation = await anInvitation(noor, birch, jonas);
    expect(await told(() => granted(requestAccept(jonas, invitation)))).toEqual({
      noor: ['hub_member_joined'],
    });
  });

  test('neither is told what the other decides of them', async () => {
    const birch = await aHub(amara, { name: 'Birch Street' });
    const rejected = await aJoinRequest(amara, birch, jonas);
    expect(await told(() => granted(requestDecide(amara, birch, rejected, 'reject')))).toEqual({});
    const approved = await aJoinRequest(amara, birch, jonas);
    expect(await told(() => granted(requestDecide(amara, birch, approved, 'approve')))).toEqual({});
    expect(await told(() => granted(requestAppoint(amara, birch, jonas)))).toEqual({});
    expect(await told(() => granted(requestAppoint(jonas, birch, amara, 'manager')))).toEqual({});
    expect(await told(() => granted(requestRemove(jonas, birch, amara)))).toEqual({});
  });

  test('neither can do what the other would be told of outside Hubs', async () => {
    const [hers, his] = [await aThought(amara), await aThought(jonas)];
    const refused = await told(async () => {
      for (const [actor, owner, post] of [
        [amara, jonas, his],
        [jonas, amara, hers],
      ] as const) {
        const replies = [
          await requestComment(actor, post, { text: 'Well.' }),
          await requestRepost(actor, post),
          await requestShare(actor, post),
        ];
        expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
        expect((await requestFollow(actor, owner)).status).toBeGreaterThanOrEqual(400);
      }
    });
    expect(refused).toEqual({});
  });

  test('who followed the other is told nothing of what they publish', async () => {
    await follow(jonas, amara);
    await follow(people.maya, amara);
    expect(await told(() => aThought(amara))).toEqual({ maya: ['followed_user_posted'] });
  });

  test("who voted on the other's post hears nothing of its votes, and the other does", async () => {
    const post = await aSlider(amara);
    await granted(castVote(jonas, post));
    const audience = await anAudience(opine, 500);
    await audienceVotes(opine, audience.slice(0, 400), post, 8);
    await votesAreFolded(opine);
    const heard = await told(async () => {
      await audienceVotes(opine, audience.slice(400), post, 8);
      await votesAreFolded(opine);
    });
    expect(heard).toEqual({ amara: ['post_vote_milestone'] });
  });

  test('a third is told of both, and both of a third', async () => {
    const post = await aThought(noor);
    expect(
      await told(async () => {
        await aComment(amara, post);
        await aComment(jonas, post);
      }),
    ).toEqual({ noor: ['post_commented', 'post_commented'] });
    expect(await told(() => aHubPost(noor, [elm]))).toEqual({
      amara: ['hub_post_created'],
      jonas: ['hub_post_created'],
    });
    const [hers, his] = [await aThought(amara), await aThought(jonas)];
    expect(
      await told(async () => {
        await share(noor, hers);
        await share(noor, his);
      }),
    ).toEqual({ amara: ['post_shared_to_feed'], jonas: ['post_shared_to_feed'] });
  });
});

describe.each(DIRECTIONS)('of a post whose author stands in a block by %s', (blocker) => {
  let quarter: Quarter;

  beforeEach(async () => {
    quarter = await aQuarter(opine);
  });

  test('a share of a third into the Hub of both is told to all but the other', async () => {
    const { elm, people } = quarter;
    const post = await aThought(people.amara);
    await block(...pairOf(people, blocker));
    const { told } = await notificationsDuring(opine, people, () => place(people.noor, post, elm));
    const item = notification('post_shared_to_hub', people.noor, { postId: post.id, ...inHub(elm) });
    expect(told).toEqual({ amara: [item] });
    await unblock(...pairOf(people, blocker));
    expect((await wholeInboxOf(people.jonas)).filter(({ actor }) => actor.id === people.noor.id)).toEqual([
      expect.objectContaining({ type: 'hub_member_joined' }),
    ]);
  });

  test('what a third shared hides from the other until the block ends', async () => {
    const { elm, people } = quarter;
    const { amara, jonas, noor } = people;
    const post = await aThought(amara);
    await place(noor, post, elm);
    const before = await wholeInboxOf(jonas);
    expect(before[0]).toMatchObject({ type: 'post_shared_to_hub', postId: post.id });
    await block(...pairOf(people, blocker));
    expect((await wholeInboxOf(jonas)).map(({ postId }) => postId)).not.toContain(post.id);
    expect((await wholeInboxOf(amara)).map(({ postId }) => postId)).toContain(post.id);
    await unblock(...pairOf(people, blocker));
    expect(await wholeInboxOf(jonas)).toEqual(before);
  });

  test('in a Hub of more than are told at once all but the other are told', async () => {
    const { elm, people } = quarter;
    const { amara, jonas, noor } = people;
    await anAudienceIn(opine, elm, 1001);
    await block(...pairOf(people, blocker));
    const { made: posts, told } = await notificationsDuring(opine, { jonas, noor }, async () => {
      const made = [await aHubPost(amara, [elm]), await aThought(amara)] as const;
      await place(noor, made[1], elm);
      await everyoneIsNotified(opine);
      return made;
    });
    expect(told).toEqual({
      noor: [notification('hub_post_created', amara, { postId: posts[0].id, ...inHub(elm) })],
    });
    for (const post of posts) expect(await notifiedCount(opine, post)).toBe(1002);
  });

  test('a repost of a third is told to the other, as it is no post of that author', async () => {
    const { elm, people } = quarter;
    const { amara, jonas, noor } = people;
    const source = await aThought(amara);
    await block(...pairOf(people, blocker));
    const fields = { visibility: 'private_locked_hub', hubIds: [elm.id] };
    const { made, told } = await notificationsDuring(opine, { amara, jonas }, () =>
      aRepost(noor, source, fields),
    );
    const post = { postId: made.id, sourcePostId: source.id, ...inHub(elm) };
    expect(told).toEqual({
      amara: [notification('post_reposted', noor, post)],
      jonas: [notification('post_shared_to_hub', noor, post)],
    });
  });
});

describe('what is hidden for two reasons', () => {
  let elm: Json;
  let amara: Person;
  let jonas: Person;
  let noor: Person;

  beforeEach(async () => {
    const quarter = await aQuarter(opine);
    elm = quarter.elm;
    ({ amara, jonas, noor } = quarter.people);
  });

  /** Whether Jonas sees what `wanted` is of, by step, and that his badge is right at each. */
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

  const told = async (...types: string[]) =>
    (await wholeInboxOf(jonas)).filter(({ type }) => types.includes(type));

  test('a block of either, comes back when both have ended', async () => {
    await aHubPost(amara, [elm]);
    await aComment(amara, await aThought(jonas));
    const rows = await told('hub_post_created', 'post_commented');
    expect(rows).toHaveLength(2);
    // Who is blocked cannot answer in kind: it comes to that where two blocks become those of one person.
    const install = await aRegistered(opine);
    await block(install, jonas);
    const steps = [
      () => block(jonas, amara),
      () => mergeInto(opine, install, amara),
      () => unblock(jonas, amara),
      () => unblock(amara, jonas),
    ];
    expect(await seenAfter(rows, steps)).toEqual([false, false, false, true]);
  });

  test('a block of whoever shared and of whoever wrote, comes back when both have ended', async () => {
    await place(noor, await aThought(amara), elm);
    const rows = await told('post_shared_to_hub');
    expect(rows).toHaveLength(1);
    const steps = [
      () => block(jonas, amara),
      () => block(jonas, noor),
      () => unblock(jonas, amara),
      () => block(jonas, amara),
      () => unblock(jonas, noor),
      () => unblock(jonas, amara),
    ];
    expect(await seenAfter(rows, steps)).toEqual([false, false, false, false, false, true]);
  });

  test('a block and a Hub that was left, comes back when neither is', async () => {
    await aHubPost(amara, [elm]);
    const rows = await told('hub_post_created');
    expect(rows).toHaveLength(1);
    await granted(requestAppoint(amara, elm, noor));
    const leave = () => granted(requestLeave(jonas, elm));
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

  test('a block and the end of its post or comment, stays away', async () => {
    const [kept, gone] = [await aHubPost(amara, [elm]), await aHubPost(amara, [elm])];
    const comment = await aComment(amara, await aThought(jonas));
    await block(jonas, amara);
    await granted(amara.delete(`/posts/${gone.id}`));
    await granted(amara.delete(`/comments/${comment.id}`));
    expect(await told('hub_post_created', 'post_commented')).toEqual([]);
    await unblock(jonas, amara);
    const rows = await told('hub_post_created', 'post_commented');
    expect(rows.map(({ postId }) => postId)).toEqual([kept.id]);
  });
});
