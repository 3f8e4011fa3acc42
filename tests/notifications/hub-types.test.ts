import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  aMemberOf,
  aMessage,
  anInvitation,
  anInviteLink,
  discussionOf,
  join,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestDecline,
  requestDismiss,
  requestJoin,
  requestLeave,
  requestRemove,
} from '../support/hubs.ts';
import {
  hubField,
  notification,
  notificationsDuring,
  type TwoHubs,
  twoHubs,
  typesIn,
  wholeInboxOf,
} from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import { aRepost, aThought, shareToHubs } from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';

let opine: Opine;
let elm: Json;
let oak: Json;
let people: TwoHubs['people'];
let amara: Person;
let jonas: Person;
let noor: Person;
let lena: Person;
let sven: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  ({ elm, oak, people } = await twoHubs(opine));
  ({ amara, jonas, noor, lena, sven } = people);
});

const during = <Made>(activity: () => Promise<Made>) => notificationsDuring(opine, people, activity);

// docs/product.md H10, N3
describe('an invitation', () => {
  test('an invitation notifies the invited person only', async () => {
    for (const [inviter, invited, name] of [
      [amara, sven, 'sven'],
      [jonas, lena, 'lena'],
    ] as const) {
      const { made, notified } = await during(() => anInvitation(inviter, elm, invited));
      const fields = { ...hubField(elm), invitationId: made.id };
      expect(notified).toEqual({ [name]: [notification('hub_invite_received', inviter, fields)] });
    }
  });

  test('a declined invitation notifies nobody', async () => {
    const invitation = await anInvitation(amara, elm, sven);
    expect((await during(() => expectOk(requestDecline(sven, invitation)))).notified).toEqual({});
  });
});

// docs/product.md H10, N3
describe('a join request', () => {
  const requestedBy = (requester: Person, { id: joinRequestId }: Json) => {
    const item = notification('hub_join_request_created', requester, { ...hubField(elm), joinRequestId });
    return { amara: [item], noor: [item] };
  };

  test('a join request by link notifies admins and managers once', async () => {
    const link = await anInviteLink(amara, elm);
    const { made, notified } = await during(() => expectOk(requestJoin(sven, link)));
    expect(notified).toEqual(requestedBy(sven, made));
    expect((await during(() => requestJoin(sven, link))).notified).toEqual({});
  });

  test.each(['a member', 'a manager'])(
    'a join request from an invitation by %s notifies admins and managers',
    async (who) => {
      const invitation = await anInvitation(who === 'a member' ? jonas : noor, elm, sven);
      const { made, notified } = await during(() => expectOk(requestAccept(sven, invitation)));
      expect(notified).toEqual(requestedBy(sven, { id: made.joinRequestId }));
    },
  );

  test('an approval notifies the requester of the decision and the members of the new member', async () => {
    await expectOk(requestAppoint(amara, elm, noor));
    const { id: joinRequestId } = await aJoinRequest(amara, elm, sven);
    const { notified } = await during(() =>
      expectOk(requestDecide(noor, elm, { id: joinRequestId }, 'approve')),
    );
    const joined = notification('hub_member_joined', sven, hubField(elm));
    expect(notified).toEqual({
      amara: [joined],
      jonas: [joined],
      noor: [joined],
      sven: [notification('hub_join_request_approved', noor, { ...hubField(elm), joinRequestId })],
    });
  });

  test('a rejection notifies the requester only', async () => {
    const { id: joinRequestId } = await aJoinRequest(amara, elm, sven);
    const { notified } = await during(() =>
      expectOk(requestDecide(amara, elm, { id: joinRequestId }, 'reject')),
    );
    const fields = { ...hubField(elm), joinRequestId };
    expect(notified).toEqual({ sven: [notification('hub_join_request_rejected', amara, fields)] });
  });
});

// docs/product.md H10, N3
describe('a membership change', () => {
  test('a new member notifies all other members, including the inviter', async () => {
    const invitation = await anInvitation(amara, elm, sven);
    const { notified } = await during(() => expectOk(requestAccept(sven, invitation)));
    const joined = notification('hub_member_joined', sven, hubField(elm));
    expect(notified).toEqual({ amara: [joined], jonas: [joined], noor: [joined] });
  });

  test('a removal notifies the removed person only', async () => {
    const { notified } = await during(() => expectOk(requestRemove(amara, elm, jonas)));
    expect(notified).toEqual({ jonas: [notification('hub_member_removed', amara, hubField(elm))] });
  });

  test('a role change notifies the person whose role changed, once in a day', async () => {
    const changed = { jonas: [notification('hub_role_changed', amara, hubField(elm))] };
    const appoint = () => expectOk(requestAppoint(amara, elm, jonas, 'manager'));
    expect((await during(appoint)).notified).toEqual(changed);
    const dismiss = () => expectOk(requestDismiss(amara, elm, jonas));
    expect((await during(dismiss)).notified).toEqual({});
  });
});

describe('a post', () => {
  const created = (post: Json, hub: Json) =>
    notification('hub_post_created', amara, { postId: post.id, ...hubField(hub) });

  test('a post in a Hub notifies its other members, but no invited or requesting person', async () => {
    await anInvitation(amara, elm, sven);
    await aJoinRequest(amara, elm, lena);
    for (const visibility of ['public_hub', 'private_locked_hub']) {
      const { made, notified } = await during(() => aHubPost(amara, [elm], { visibility }));
      expect(notified).toEqual({ jonas: [created(made, elm)], noor: [created(made, elm)] });
    }
  });

  test.each(['public_hub', 'private_locked_hub'])(
    'a %s post in two Hubs notifies members once in each Hub',
    async (visibility) => {
      const { made, notified } = await during(() => aHubPost(amara, [elm, oak], { visibility }));
      expect(notified).toEqual({
        jonas: [created(made, elm), created(made, oak)],
        noor: [created(made, elm)],
        lena: [created(made, oak)],
      });
    },
  );
});

test('concurrent posts notify every other member of each post once', async () => {
  const authors = [amara, jonas, noor];
  const { made: posts, notified } = await during(() =>
    Promise.all([1, 2, 3].flatMap(() => authors.map((author) => aHubPost(author, [elm])))),
  );
  for (const [name, reader] of Object.entries({ amara, jonas, noor })) {
    const others = posts.filter(({ author }) => author.id !== reader.id);
    expect(notified[name]?.map(({ postId }) => postId).sort()).toEqual(others.map(({ id }) => id).sort());
  }
  expect(Object.keys(notified)).toEqual(['amara', 'jonas', 'noor']);
});

// docs/product.md N3
describe('a Hub share', () => {
  const shared = (post: Json, hub: Json, fields: object = {}) =>
    notification('post_shared_to_hub', jonas, { postId: post.id, ...hubField(hub), ...fields });

  test('a share into two Hubs notifies their members, including the author of the post', async () => {
    const post = await aThought(amara);
    const { notified } = await during(() => shareToHubs(jonas, post, elm, oak));
    expect(notified).toEqual({
      amara: [shared(post, elm), shared(post, oak)],
      noor: [shared(post, elm)],
      lena: [shared(post, oak)],
    });
  });

  test('a share of a repost names the repost and its source', async () => {
    const repost = await aRepost(people.maya, await aThought(sven));
    const { notified } = await during(() => shareToHubs(jonas, repost, elm));
    const item = shared(repost, elm, { sourcePostId: repost.sourcePostId });
    expect(notified).toEqual({ amara: [item], noor: [item] });
  });

  test('a share of a private post into a third Hub notifies its members, but not a non-member author', async () => {
    const birch = await aHub(jonas, { name: 'Birch Street' });
    await join(jonas, birch, [noor, sven]);
    const post = await aHubPost(amara, [elm, oak]);
    const { notified } = await during(() => shareToHubs(jonas, post, birch));
    expect(notified).toEqual({ noor: [shared(post, birch)], sven: [shared(post, birch)] });
  });
});

// docs/product.md N3, N7
describe('a repost', () => {
  const BOTH = ['elm', 'oak'] as const;
  type Case = readonly [
    title: string,
    author: keyof TwoHubs['people'],
    visibility: string,
    hubs: readonly ('elm' | 'oak')[],
    expected: Readonly<Record<string, readonly string[]>>,
  ];
  const CASES: readonly Case[] = [
    ['a public repost notifies the author once, without a Hub', 'amara', 'public', [], { amara: ['author'] }],
    [
      'a public_hub repost notifies the author once and the other members in each Hub',
      'amara',
      'public_hub',
      BOTH,
      { amara: ['author'], noor: ['member elm'], lena: ['member oak'] },
    ],
    [
      'a public_hub repost notifies a non-member author once',
      'maya',
      'public_hub',
      BOTH,
      { maya: ['author'], amara: ['member elm', 'member oak'], noor: ['member elm'], lena: ['member oak'] },
    ],
    [
      'a private repost notifies the author in each of its Hubs',
      'amara',
      'private_locked_hub',
      BOTH,
      { amara: ['author elm', 'author oak'], noor: ['member elm'], lena: ['member oak'] },
    ],
    [
      'a private repost notifies the author only in the Hubs where the author is a member',
      'lena',
      'private_locked_hub',
      BOTH,
      { amara: ['member elm', 'member oak'], noor: ['member elm'], lena: ['author oak'] },
    ],
    [
      'a private repost does not notify a non-member author',
      'sven',
      'private_locked_hub',
      BOTH,
      { amara: ['member elm', 'member oak'], noor: ['member elm'], lena: ['member oak'] },
    ],
    [
      'a repost of an own post notifies the members but not its author',
      'jonas',
      'private_locked_hub',
      ['elm'],
      { amara: ['member elm'], noor: ['member elm'] },
    ],
  ];

  test.each(CASES)('%s', async (_, author, visibility, hubs, expected) => {
    const named: Json = { elm, oak };
    const source = await aThought(people[author]);
    const hubIds = hubs.map((name) => named[name].id);
    const { made, notified } = await during(() =>
      aRepost(jonas, source, { visibility, ...(hubIds.length > 0 && { hubIds }) }),
    );
    const itemOf = (role: string) => {
      const [as, hub] = role.split(' ');
      return notification(as === 'author' ? 'post_reposted' : 'post_shared_to_hub', jonas, {
        postId: made.id,
        sourcePostId: source.id,
        ...(hub !== undefined && hubField(named[hub])),
      });
    };
    const items = Object.entries(expected).map(([name, roles]) => [name, roles.map(itemOf)]);
    expect(notified).toEqual(Object.fromEntries(items));
  });
});

describe('the notifications of a Hub', () => {
  // docs/product.md N8
  test('notifications are visible to members only, return on rejoining and stay hidden from later members', async () => {
    await aHubPost(amara, [elm]);
    const before = await wholeInboxOf(noor);
    expect(before.map(({ type }) => type)).toEqual([
      'hub_post_created',
      'hub_role_changed',
      'hub_invite_received',
    ]);
    await expectOk(requestLeave(noor, elm));
    expect((await wholeInboxOf(noor)).map(({ type }) => type)).toEqual(['hub_invite_received']);
    await aHubPost(amara, [elm]);
    await join(amara, elm, [noor, sven]);
    const [invited, ...others] = (await wholeInboxOf(noor)).filter(
      ({ type }) => type !== 'hub_member_joined',
    );
    expect(invited.id).toBe(before.at(-1)?.id);
    expect(others).toEqual(before.slice(0, -1));
    expect((await wholeInboxOf(sven)).map(({ type }) => type)).toEqual(['hub_invite_received']);
  });
});

test('the notification of a post shows the current Hub name and is deleted with the post', async () => {
  const [post, other] = [await aHubPost(amara, [elm]), await aHubPost(amara, [elm])];
  await expectOk(amara.patch(`/hubs/${elm.id}`, { name: 'Maple Street' }));
  const created = (await wholeInboxOf(jonas)).filter(({ type }) => type === 'hub_post_created');
  expect(created.map(({ postId, hub }) => [postId, hub.name])).toEqual([
    [other.id, 'Maple Street'],
    [post.id, 'Maple Street'],
  ]);
  await expectOk(amara.delete(`/posts/${post.id}`));
  expect(await wholeInboxOf(jonas)).not.toContainEqual(created[1]);
  expect(await wholeInboxOf(jonas)).toContainEqual(created[0]);
});

// docs/product.md N4
describe('an activity without notification', () => {
  test('messages, saved discussions, reports, settings, links, leaving and founding a Hub notify nobody', async () => {
    const discussion = await discussionOf(amara, elm, await aHubPost(amara, [elm]));
    const mallory = await aMemberOf(opine, amara, elm, 'Mallory');
    const { notified } = await during(async () => {
      const message = await aMessage(jonas, discussion);
      await aMessage(noor, discussion, 'Indeed.', { parentMessageId: message.id });
      const path = `/hubs/${elm.id}/discussions/${discussion.id}/save`;
      await expectOk(jonas.post(path));
      await expectOk(jonas.delete(path));
      await expectOk(requestReport(jonas, 'hubs', elm));
      await expectOk(jonas.patch(`/hubs/${elm.id}/notification-settings`, { contentMuted: false }));
      await expectOk(amara.patch(`/hubs/${elm.id}`, { description: 'Who lives here.' }));
      const { id } = await anInviteLink(amara, elm);
      await expectOk(amara.delete(`/hubs/${elm.id}/invite-links/${id}`));
      await expectOk(requestAppoint(amara, elm, noor, 'manager'));
      await expectOk(requestLeave(mallory, elm));
      await aHub(jonas);
    });
    expect(notified).toEqual({});
    expect(typesIn(await during(() => aHubPost(jonas, [oak])))).toMatchObject({ lena: ['hub_post_created'] });
  });

  test('resigning a role and leaving a Hub notify nobody', async () => {
    await expectOk(requestAppoint(amara, elm, noor));
    const { notified } = await during(async () => {
      await expectOk(requestDismiss(noor, elm, noor));
      await expectOk(requestLeave(noor, elm));
    });
    expect(notified).toEqual({});
  });

  test('activity in a Hub does not notify a non-member who follows its members', async () => {
    const fan = await hubReadyPerson(opine, 'Fan');
    await follow(fan, amara, jonas);
    const { notified } = await notificationsDuring(opine, { fan }, async () => {
      const post = await aHubPost(amara, [elm, oak]);
      await aRepost(jonas, post, { visibility: 'private_locked_hub', hubIds: [elm.id] });
      await join(amara, elm, [sven]);
    });
    expect(notified).toEqual({});
  });
});
