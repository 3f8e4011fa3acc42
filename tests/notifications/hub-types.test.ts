import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { aRepost, place, requestReport } from '../support/frames.ts';
import { follow, granted } from '../support/graph.ts';
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
  aQuarter,
  inHub,
  notification,
  notificationsDuring,
  type Quarter,
  typesIn,
  wholeInboxOf,
} from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

let opine: Opine;
let elm: Json;
let oak: Json;
let people: Quarter['people'];
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
  ({ elm, oak, people } = await aQuarter(opine));
  ({ amara, jonas, noor, lena, sven } = people);
});

const during = <Made>(activity: () => Promise<Made>) => notificationsDuring(opine, people, activity);

describe('an invitation', () => {
  test('an invitation notifies the invited person only', async () => {
    for (const inviter of [amara, jonas]) {
      const { made, told } = await during(() => anInvitation(inviter, elm, sven));
      const fields = { ...inHub(elm), invitationId: made.id };
      expect(told).toEqual({ sven: [notification('hub_invite_received', inviter, fields)] });
    }
  });

  test('an invitation appears when the invited person becomes Hub-ready', async () => {
    const newcomer = await aConfirmed(opine, 'Newcomer');
    const invitation = await anInvitation(amara, elm, newcomer);
    expect(await wholeInboxOf(newcomer)).toEqual([]);
    await granted(newcomer.put('/users/me/onboarding/contacts', { permission: 'granted' }));
    const fields = { ...inHub(elm), invitationId: invitation.id };
    expect(await wholeInboxOf(newcomer)).toEqual([notification('hub_invite_received', amara, fields)]);
  });

  test('a declined invitation notifies nobody', async () => {
    const invitation = await anInvitation(amara, elm, sven);
    expect((await during(() => granted(requestDecline(sven, invitation)))).told).toEqual({});
  });
});

describe('a join request', () => {
  const requestedBy = (requester: Person, { id: joinRequestId }: Json) => {
    const item = notification('hub_join_request_created', requester, { ...inHub(elm), joinRequestId });
    return { amara: [item], noor: [item] };
  };

  test('a join request by link notifies admins and managers once', async () => {
    const link = await anInviteLink(amara, elm);
    const { made, told } = await during(() => granted(requestJoin(sven, link)));
    expect(told).toEqual(requestedBy(sven, made));
    expect((await during(() => requestJoin(sven, link))).told).toEqual({});
  });

  test.each(['a member', 'a manager'])(
    'a join request from an invitation by %s notifies admins and managers',
    async (who) => {
      const invitation = await anInvitation(who === 'a member' ? jonas : noor, elm, sven);
      const { made, told } = await during(() => granted(requestAccept(sven, invitation)));
      expect(told).toEqual(requestedBy(sven, { id: made.joinRequestId }));
    },
  );

  test('an approval notifies the requester of the decision and the members of the new member', async () => {
    await granted(requestAppoint(amara, elm, noor));
    const { id: joinRequestId } = await aJoinRequest(amara, elm, sven);
    const { told } = await during(() => granted(requestDecide(noor, elm, { id: joinRequestId }, 'approve')));
    const joined = notification('hub_member_joined', sven, inHub(elm));
    expect(told).toEqual({
      amara: [joined],
      jonas: [joined],
      noor: [joined],
      sven: [notification('hub_join_request_approved', noor, { ...inHub(elm), joinRequestId })],
    });
  });

  test('a rejection notifies the requester only', async () => {
    const { id: joinRequestId } = await aJoinRequest(amara, elm, sven);
    const { told } = await during(() => granted(requestDecide(amara, elm, { id: joinRequestId }, 'reject')));
    const fields = { ...inHub(elm), joinRequestId };
    expect(told).toEqual({ sven: [notification('hub_join_request_rejected', amara, fields)] });
  });
});

describe('a membership change', () => {
  test('a new member notifies all other members, including the inviter', async () => {
    const invitation = await anInvitation(amara, elm, sven);
    const { told } = await during(() => granted(requestAccept(sven, invitation)));
    const joined = notification('hub_member_joined', sven, inHub(elm));
    expect(told).toEqual({ amara: [joined], jonas: [joined], noor: [joined] });
  });

  test('a removal notifies the removed person only', async () => {
    const { told } = await during(() => granted(requestRemove(amara, elm, jonas)));
    expect(told).toEqual({ jonas: [notification('hub_member_removed', amara, inHub(elm))] });
  });

  test('every role change notifies the person whose role changed', async () => {
    const changed = { jonas: [notification('hub_role_changed', amara, inHub(elm))] };
    for (const activity of [
      () => requestAppoint(amara, elm, jonas, 'manager'),
      () => requestAppoint(amara, elm, jonas),
      () => requestAppoint(amara, elm, jonas, 'manager'),
      () => requestDismiss(amara, elm, jonas),
    ])
      expect((await during(() => granted(activity()))).told).toEqual(changed);
  });
});

describe('a post', () => {
  const created = (post: Json, hub: Json) =>
    notification('hub_post_created', amara, { postId: post.id, ...inHub(hub) });

  test('a post in a Hub notifies its other members, but no invited or requesting person', async () => {
    await anInvitation(amara, elm, sven);
    await aJoinRequest(amara, elm, lena);
    for (const visibility of ['public_hub', 'private_locked_hub']) {
      const { made, told } = await during(() => aHubPost(amara, [elm], { visibility }));
      expect(told).toEqual({ jonas: [created(made, elm)], noor: [created(made, elm)] });
    }
  });

  test.each(['public_hub', 'private_locked_hub'])(
    'a %s post in two Hubs notifies members once in each Hub',
    async (visibility) => {
      const { made, told } = await during(() => aHubPost(amara, [elm, oak], { visibility }));
      expect(told).toEqual({
        jonas: [created(made, elm), created(made, oak)],
        noor: [created(made, elm)],
        lena: [created(made, oak)],
      });
    },
  );
});

test('concurrent posts notify every other member of each post once', async () => {
  const authors = [amara, jonas, noor];
  const { made: posts, told } = await during(() =>
    Promise.all([1, 2, 3].flatMap(() => authors.map((author) => aHubPost(author, [elm])))),
  );
  for (const [name, reader] of Object.entries({ amara, jonas, noor })) {
    const others = posts.filter(({ author }) => author.id !== reader.id);
    expect(told[name]?.map(({ postId }) => postId).sort()).toEqual(others.map(({ id }) => id).sort());
  }
  expect(Object.keys(told)).toEqual(['amara', 'jonas', 'noor']);
});

describe('a Hub share', () => {
  const shared = (post: Json, hub: Json, fields: object = {}) =>
    notification('post_shared_to_hub', jonas, { postId: post.id, ...inHub(hub), ...fields });

  test('a share into two Hubs notifies their members, including the author of the post', async () => {
    const post = await aThought(amara);
    const { told } = await during(() => place(jonas, post, elm, oak));
    expect(told).toEqual({
      amara: [shared(post, elm), shared(post, oak)],
      noor: [shared(post, elm)],
      lena: [shared(post, oak)],
    });
  });

  test('a share into a Hub does not notify an author who is a non-member', async () => {
    for (const author of [lena, people.maya]) {
      const post = await aThought(author);
      const { told } = await during(() => place(jonas, post, elm));
      expect(told).toEqual({ amara: [shared(post, elm)], noor: [shared(post, elm)] });
    }
  });

  test('a share notifies only the Hub where the post is new, and its repeat notifies nobody', async () => {
    const post = await aHubPost(amara, [elm], { visibility: 'public_hub' });
    const { told } = await during(() => place(jonas, post, elm, oak));
    expect(told).toEqual({ amara: [shared(post, oak)], lena: [shared(post, oak)] });
    expect((await during(() => place(jonas, post, elm, oak))).told).toEqual({});
  });

  test('a share of a repost names the repost and its source', async () => {
    const repost = await aRepost(people.maya, await aThought(sven));
    const { told } = await during(() => place(jonas, repost, elm));
    const item = shared(repost, elm, { sourcePostId: repost.sourcePostId });
    expect(told).toEqual({ amara: [item], noor: [item] });
  });

  test('a share of a repost does not notify the author of the source', async () => {
    const repost = await aRepost(people.maya, await aThought(amara));
    const { told } = await during(() => place(jonas, repost, elm));
    expect(Object.keys(told)).toEqual(['noor']);
  });

  test('a share of a private post into a third Hub notifies its members, but not a non-member author', async () => {
    const birch = await aHub(jonas, { name: 'Birch Street' });
    await join(jonas, birch, [noor, sven]);
    const post = await aHubPost(amara, [elm, oak]);
    const { told } = await during(() => place(jonas, post, birch));
    expect(told).toEqual({ noor: [shared(post, birch)], sven: [shared(post, birch)] });
  });
});

describe('a repost', () => {
  const reposted = async (source: Json, visibility: string, ...hubs: Json[]) => {
    const fields = { visibility, ...(hubs.length > 0 && { hubIds: hubs.map(({ id }) => id) }) };
    const { made, told } = await during(() => aRepost(jonas, source, fields));
    const itemOf = (type: string) => (hub?: Json) =>
      notification(type, jonas, { postId: made.id, sourcePostId: source.id, ...(hub && inHub(hub)) });
    return { told, toAuthor: itemOf('post_reposted'), toMember: itemOf('post_shared_to_hub') };
  };

  test('a public repost notifies the author once, without a Hub', async () => {
    const { told, toAuthor } = await reposted(await aThought(amara), 'public');
    expect(told).toEqual({ amara: [toAuthor()] });
  });

  test('a public_hub repost notifies the author once and the other members in each Hub', async () => {
    const { told, toAuthor, toMember } = await reposted(await aThought(amara), 'public_hub', elm, oak);
    expect(told).toEqual({ amara: [toAuthor()], noor: [toMember(elm)], lena: [toMember(oak)] });
  });

  test('a public_hub repost notifies a non-member author once', async () => {
    const { told, toAuthor, toMember } = await reposted(await aThought(people.maya), 'public_hub', elm, oak);
    expect(told).toEqual({
      maya: [toAuthor()],
      amara: [toMember(elm), toMember(oak)],
      noor: [toMember(elm)],
      lena: [toMember(oak)],
    });
  });

  test('a private repost notifies the author in each of its Hubs', async () => {
    const { told, toAuthor, toMember } = await reposted(
      await aThought(amara),
      'private_locked_hub',
      elm,
      oak,
    );
    expect(told).toEqual({
      amara: [toAuthor(elm), toAuthor(oak)],
      noor: [toMember(elm)],
      lena: [toMember(oak)],
    });
  });

  test('a private repost notifies the author only in the Hubs where the author is a member', async () => {
    const { told, toAuthor, toMember } = await reposted(await aThought(lena), 'private_locked_hub', elm, oak);
    expect(told).toEqual({
      amara: [toMember(elm), toMember(oak)],
      noor: [toMember(elm)],
      lena: [toAuthor(oak)],
    });
  });

  test('a private repost does not notify a non-member author', async () => {
    const { told, toMember } = await reposted(await aThought(sven), 'private_locked_hub', elm, oak);
    expect(told).toEqual({
      amara: [toMember(elm), toMember(oak)],
      noor: [toMember(elm)],
      lena: [toMember(oak)],
    });
  });

  test('a repost of an own post notifies the members but not its author', async () => {
    const { told, toMember } = await reposted(await aThought(jonas), 'private_locked_hub', elm);
    expect(told).toEqual({ amara: [toMember(elm)], noor: [toMember(elm)] });
  });

  test('a repost of a private post notifies its author in the target Hub', async () => {
    const source = await aHubPost(amara, [elm, oak]);
    const { told, toAuthor, toMember } = await reposted(source, 'private_locked_hub', elm);
    expect(told).toEqual({ amara: [toAuthor(elm)], noor: [toMember(elm)] });
  });
});

describe('the notifications of a Hub', () => {
  test('notifications are visible to members only, return on rejoining and stay hidden from later members', async () => {
    await aHubPost(amara, [elm]);
    const before = await wholeInboxOf(noor);
    expect(before.map(({ type }) => type)).toEqual([
      'hub_post_created',
      'hub_role_changed',
      'hub_invite_received',
    ]);
    await granted(requestLeave(noor, elm));
    expect((await wholeInboxOf(noor)).map(({ type }) => type)).toEqual(['hub_invite_received']);
    await aHubPost(amara, [elm]);
    await join(amara, elm, [noor, sven]);
    expect((await wholeInboxOf(noor)).filter(({ type }) => type !== 'hub_member_joined')).toEqual([
      expect.objectContaining({ type: 'hub_invite_received' }),
      ...before,
    ]);
    expect((await wholeInboxOf(sven)).map(({ type }) => type)).toEqual(['hub_invite_received']);
  });
});

test('the notification of a post shows the current Hub name and is deleted with the post', async () => {
  const [post, other] = [await aHubPost(amara, [elm]), await aHubPost(amara, [elm])];
  await granted(amara.patch(`/hubs/${elm.id}`, { name: 'Maple Street' }));
  const created = (await wholeInboxOf(jonas)).filter(({ type }) => type === 'hub_post_created');
  expect(created.map(({ postId, hub }) => [postId, hub.name])).toEqual([
    [other.id, 'Maple Street'],
    [post.id, 'Maple Street'],
  ]);
  await granted(amara.delete(`/posts/${post.id}`));
  expect(await wholeInboxOf(jonas)).not.toContainEqual(created[1]);
  expect(await wholeInboxOf(jonas)).toContainEqual(created[0]);
});

describe('an activity without notification', () => {
  test('messages, saved discussions, reports, settings, links, leaving and founding a Hub notify nobody', async () => {
    const discussion = await discussionOf(amara, elm, await aHubPost(amara, [elm]));
    const mallory = await aMemberOf(opine, amara, elm, 'Mallory');
    const { told } = await during(async () => {
      const message = await aMessage(jonas, discussion);
      await aMessage(noor, discussion, 'Indeed.', { parentMessageId: message.id });
      const path = `/hubs/${elm.id}/discussions/${discussion.id}/save`;
      await granted(jonas.post(path));
      await granted(jonas.delete(path));
      await granted(requestReport(jonas, 'hubs', elm));
      await granted(jonas.patch(`/hubs/${elm.id}/notification-settings`, { contentMuted: false }));
      await granted(amara.patch(`/hubs/${elm.id}`, { description: 'Who lives here.' }));
      const { id } = await anInviteLink(amara, elm);
      await granted(amara.delete(`/hubs/${elm.id}/invite-links/${id}`));
      await granted(requestAppoint(amara, elm, noor, 'manager'));
      await granted(requestLeave(mallory, elm));
      await aHub(jonas);
    });
    expect(told).toEqual({});
    expect(typesIn(await during(() => aHubPost(jonas, [oak])))).toMatchObject({ lena: ['hub_post_created'] });
  });

  test('resigning a role and leaving a Hub notify nobody', async () => {
    await granted(requestAppoint(amara, elm, noor));
    const { told } = await during(async () => {
      await granted(requestDismiss(noor, elm, noor));
      await granted(requestLeave(noor, elm));
    });
    expect(told).toEqual({});
  });

  test('activity in a Hub does not notify a non-member who follows its members', async () => {
    const fan = await aHubReady(opine, 'Fan');
    await follow(fan, amara, jonas);
    const { told } = await notificationsDuring(opine, { fan }, async () => {
      const post = await aHubPost(amara, [elm, oak]);
      await aRepost(jonas, post, { visibility: 'private_locked_hub', hubIds: [elm.id] });
      await join(amara, elm, [sven]);
    });
    expect(told).toEqual({});
  });
});
