import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAudience, audienceVotes } from '../support/audience.ts';
import { follow } from '../support/graph.ts';
import {
  aHubPost,
  aHubWithMember,
  aHubWithMemberAndNonMember,
  aJoinRequest,
  anInvitation,
  requestDecide,
  requestRemove,
} from '../support/hubs.ts';
import { inboxOf, notificationsOf } from '../support/inbox.ts';
import { advanceTime, anOpine, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aComment, aRepost, aSlider } from '../support/posts.ts';
import {
  openReadyStream,
  receivedIds,
  signalFor,
  signalOfType,
  whilePublishingIsBlocked,
} from '../support/streams.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Returns the whole payload of a signal to `recipient` about an activity of `actor`. */
function payloadOf(type: string, recipient: Person, actor: Person | null, ids: object = {}) {
  return {
    notificationId: expect.any(String),
    type,
    recipientUserId: recipient.id,
    actorIsAnonymous: actor === null,
    ...(actor !== null && { actorId: actor.id }),
    ...ids,
    inboxVersion: expect.any(Number),
  };
}

/** Runs `activity` and returns its signal to `recipient`, whose inbox must be at least as new as the signal. */
async function signalDuring(recipient: Person, type: string, activity: () => Promise<unknown>) {
  const stream = await openReadyStream(opine, recipient);
  await activity();
  const { event, id, data } = await signalOfType(stream, type);
  const { items, inboxVersion } = await inboxOf(recipient);
  expect([event, id]).toEqual(['notification', data.notificationId]);
  expect(items.find((item: { id: string }) => item.id === id)?.type).toBe(type);
  expect(inboxVersion).toBeGreaterThanOrEqual(data.inboxVersion);
  return data;
}

describe('the payload of a signal', () => {
  test('a follow names the follower', async () => {
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    const data = await signalDuring(maya, 'user_followed', () => follow(jonas, maya));
    expect(data).toEqual(payloadOf('user_followed', maya, jonas));
  });

  test('a comment names its author, the post and the comment', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    const post = await aSlider(maya);
    let comment = { id: '' };
    const data = await signalDuring(maya, 'post_commented', async () => {
      comment = await aComment(jonas, post);
    });
    const ids = { postId: post.id, commentId: comment.id };
    expect(data).toEqual(payloadOf('post_commented', maya, jonas, ids));
  });

  test('a repost names the reposter, the repost and its source', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    const post = await aSlider(maya);
    let repost = { id: '' };
    const data = await signalDuring(maya, 'post_reposted', async () => {
      repost = await aRepost(jonas, post);
    });
    const ids = { postId: repost.id, sourcePostId: post.id };
    expect(data).toEqual(payloadOf('post_reposted', maya, jonas, ids));
  });

  test('a vote milestone names the post and no voter', async () => {
    const maya = await confirmedPerson(opine);
    const post = await aSlider(maya);
    const data = await signalDuring(maya, 'post_vote_milestone', async () => {
      await audienceVotes(opine, await anAudience(opine, 100), post, 4);
      await foldAllVotes(opine);
    });
    expect(data).toEqual(payloadOf('post_vote_milestone', maya, null, { postId: post.id }));
  });

  test('a Hub post names its author, the post and the Hub', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    let post = { id: '' };
    const data = await signalDuring(jonas, 'hub_post_created', async () => {
      post = await aHubPost(amara, [hub]);
    });
    const ids = { postId: post.id, hubId: hub.id };
    expect(data).toEqual(payloadOf('hub_post_created', jonas, amara, ids));
  });

  test('an invitation names the inviter, the Hub and the invitation', async () => {
    const { hub, amara, lena } = await aHubWithMemberAndNonMember(opine);
    let invitation = { id: '' };
    const data = await signalDuring(lena, 'hub_invite_received', async () => {
      invitation = await anInvitation(amara, hub, lena);
    });
    const ids = { hubId: hub.id, invitationId: invitation.id };
    expect(data).toEqual(payloadOf('hub_invite_received', lena, amara, ids));
  });

  test('a join request, its approval and a removal name the actor, the Hub and the request', async () => {
    const { hub, amara, lena } = await aHubWithMemberAndNonMember(opine);
    let request = { id: '' };
    const requested = await signalDuring(amara, 'hub_join_request_created', async () => {
      request = await aJoinRequest(amara, hub, lena);
    });
    const ids = { hubId: hub.id, joinRequestId: request.id };
    expect(requested).toEqual(payloadOf('hub_join_request_created', amara, lena, ids));
    const approved = await signalDuring(lena, 'hub_join_request_approved', () =>
      requestDecide(amara, hub, request, 'approve'),
    );
    expect(approved).toEqual(payloadOf('hub_join_request_approved', lena, amara, ids));
    const removed = await signalDuring(lena, 'hub_member_removed', () => requestRemove(amara, hub, lena));
    expect(removed).toEqual(payloadOf('hub_member_removed', lena, amara, { hubId: hub.id }));
  });
});

test('a signal reaches every stream of its recipient and nobody else', async () => {
  const [maya, jonas, lena] = [
    await registeredPerson(opine),
    await registeredPerson(opine),
    await registeredPerson(opine),
  ];
  const [phone, tablet, streamOfJonas] = [
    await openReadyStream(opine, maya),
    await openReadyStream(opine, maya),
    await openReadyStream(opine, jonas),
  ];
  await follow(lena, maya, jonas);
  const [forMaya] = await notificationsOf(maya);
  const [forJonas] = await notificationsOf(jonas);
  for (const stream of [phone, tablet]) await signalFor(stream, forMaya);
  await signalFor(streamOfJonas, forJonas);
  expect([phone, tablet, streamOfJonas].map(receivedIds)).toEqual([
    [forMaya.id],
    [forMaya.id],
    [forJonas.id],
  ]);
});

test('waiting signals come in the order of their notifications, each newer than the ready event', async () => {
  const maya = await registeredPerson(opine);
  const stream = await openReadyStream(opine, maya);
  await whilePublishingIsBlocked(opine, async () => {
    for (const _ of [1, 2, 3, 4, 5]) await follow(await registeredPerson(opine), maya);
  });
  const notifications = (await notificationsOf(maya)).toReversed();
  for (const notification of notifications) await signalFor(stream, notification);
  expect(receivedIds(stream)).toEqual(notifications.map(({ id }) => id));
  const [began, ...versions] = stream.events.map(({ data }) => data.inboxVersion);
  for (const version of versions) expect(version).toBeGreaterThan(began);
});

test('a stream goes on when its access token has expired', async () => {
  const aged = await anOpine();
  const maya = await registeredPerson(aged);
  const stream = await openReadyStream(aged, maya);
  await advanceTime(aged, '20 minutes');
  expect((await maya.get('/notifications')).status).toBe(401);
  const jonas = await registeredPerson(aged);
  await follow(jonas, maya);
  expect((await signalOfType(stream, 'user_followed')).data.actorId).toBe(jonas.id);
});
