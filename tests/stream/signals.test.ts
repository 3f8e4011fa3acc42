import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAudience, audienceVotes } from '../support/audience.ts';
import { timePasses } from '../support/clock.ts';
import { votesAreFolded } from '../support/fold.ts';
import { aComment, aRepost } from '../support/frames.ts';
import { follow } from '../support/graph.ts';
import { aPair, aTrio } from '../support/hub-worlds.ts';
import { aHubPost, aJoinRequest, anInvitation, requestDecide, requestRemove } from '../support/hubs.ts';
import { inboxOf, notificationsOf } from '../support/inbox.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aRegistered, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { heardOf, idsHeard, listening, signalOf, whileNothingIsPublished } from '../support/streams.ts';

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
  const stream = await listening(opine, recipient);
  await activity();
  const { event, id, data } = await signalOf(stream, type);
  const { items, inboxVersion } = await inboxOf(recipient);
  expect([event, id]).toEqual(['notification', data.notificationId]);
  expect(items.find((item: { id: string }) => item.id === id)?.type).toBe(type);
  expect(inboxVersion).toBeGreaterThanOrEqual(data.inboxVersion);
  return data;
}

describe('the payload of a signal', () => {
  test('a follow names the follower', async () => {
    const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    const data = await signalDuring(maya, 'user_followed', () => follow(jonas, maya));
    expect(data).toEqual(payloadOf('user_followed', maya, jonas));
  });

  test('a comment names its author, the post and the comment', async () => {
    const [maya, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    const post = await aSlider(maya);
    let comment = { id: '' };
    const data = await signalDuring(maya, 'post_commented', async () => {
      comment = await aComment(jonas, post);
    });
    const ids = { postId: post.id, commentId: comment.id };
    expect(data).toEqual(payloadOf('post_commented', maya, jonas, ids));
  });

  test('a repost names the reposter, the repost and its source', async () => {
    const [maya, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    const post = await aSlider(maya);
    let repost = { id: '' };
    const data = await signalDuring(maya, 'post_reposted', async () => {
      repost = await aRepost(jonas, post);
    });
    const ids = { postId: repost.id, sourcePostId: post.id };
    expect(data).toEqual(payloadOf('post_reposted', maya, jonas, ids));
  });

  test('a vote milestone names the post and no voter', async () => {
    const maya = await aConfirmed(opine);
    const post = await aSlider(maya);
    const data = await signalDuring(maya, 'post_vote_milestone', async () => {
      await audienceVotes(opine, await anAudience(opine, 100), post, 4);
      await votesAreFolded(opine);
    });
    expect(data).toEqual(payloadOf('post_vote_milestone', maya, null, { postId: post.id }));
  });

  test('a Hub post names its author, the post and the Hub', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    let post = { id: '' };
    const data = await signalDuring(jonas, 'hub_post_created', async () => {
      post = await aHubPost(amara, [hub]);
    });
    const ids = { postId: post.id, hubId: hub.id };
    expect(data).toEqual(payloadOf('hub_post_created', jonas, amara, ids));
  });

  test('an invitation names the inviter, the Hub and the invitation', async () => {
    const { hub, amara, lena } = await aTrio(opine);
    let invitation = { id: '' };
    const data = await signalDuring(lena, 'hub_invite_received', async () => {
      invitation = await anInvitation(amara, hub, lena);
    });
    const ids = { hubId: hub.id, invitationId: invitation.id };
    expect(data).toEqual(payloadOf('hub_invite_received', lena, amara, ids));
  });

  test('a join request, its approval and a removal name the actor, the Hub and the request', async () => {
    const { hub, amara, lena } = await aTrio(opine);
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
  const [maya, jonas, lena] = [await aRegistered(opine), await aRegistered(opine), await aRegistered(opine)];
  const [phone, tablet, streamOfJonas] = [
    await listening(opine, maya),
    await listening(opine, maya),
    await listening(opine, jonas),
  ];
  await follow(lena, maya, jonas);
  const [forMaya] = await notificationsOf(maya);
  const [forJonas] = await notificationsOf(jonas);
  for (const stream of [phone, tablet]) await heardOf(stream, forMaya);
  await heardOf(streamOfJonas, forJonas);
  expect([phone, tablet, streamOfJonas].map(idsHeard)).toEqual([[forMaya.id], [forMaya.id], [forJonas.id]]);
});

test('waiting signals come in the order of their notifications, each newer than the ready event', async () => {
  const maya = await aRegistered(opine);
  const stream = await listening(opine, maya);
  await whileNothingIsPublished(opine, async () => {
    for (const _ of [1, 2, 3, 4, 5]) await follow(await aRegistered(opine), maya);
  });
  const notifications = (await notificationsOf(maya)).toReversed();
  for (const notification of notifications) await heardOf(stream, notification);
  expect(idsHeard(stream)).toEqual(notifications.map(({ id }) => id));
  const [began, ...versions] = stream.events.map(({ data }) => data.inboxVersion);
  for (const version of versions) expect(version).toBeGreaterThan(began);
});

test('a stream goes on when its access token has expired', async () => {
  const aged = await anOpine();
  const maya = await aRegistered(aged);
  const stream = await listening(aged, maya);
  await timePasses(aged, '20 minutes');
  expect((await maya.get('/notifications')).status).toBe(401);
  const jonas = await aRegistered(aged);
  await follow(jonas, maya);
  expect((await signalOf(stream, 'user_followed')).data.actorId).toBe(jonas.id);
});
