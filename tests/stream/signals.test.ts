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

/** What a hint says to `recipient` of what `actor` did, and nothing else. */
function envelopeOf(type: string, recipient: Person, actor: Person | null, ids: object = {}) {
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

/** `act`, and what `recipient` hears of it: a hint of what lies in their inbox, which is as new as the hint says. */
async function heardWhile(recipient: Person, type: string, act: () => Promise<unknown>) {
  const stream = await listening(opine, recipient);
  await act();
  const { event, id, data } = await signalOf(stream, type);
  const { items, inboxVersion } = await inboxOf(recipient);
  expect([event, id]).toEqual(['notification', data.notificationId]);
  expect(items.find((item: { id: string }) => item.id === id)?.type).toBe(type);
  expect(inboxVersion).toBeGreaterThanOrEqual(data.inboxVersion);
  return data;
}

describe('a hint says that', () => {
  test('somebody follows', async () => {
    const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    const data = await heardWhile(maya, 'user_followed', () => follow(jonas, maya));
    expect(data).toEqual(envelopeOf('user_followed', maya, jonas));
  });

  test('somebody comments', async () => {
    const [maya, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    const post = await aSlider(maya);
    let comment = { id: '' };
    const data = await heardWhile(maya, 'post_commented', async () => {
      comment = await aComment(jonas, post);
    });
    const ids = { postId: post.id, commentId: comment.id };
    expect(data).toEqual(envelopeOf('post_commented', maya, jonas, ids));
  });

  test('somebody reposts', async () => {
    const [maya, jonas] = [await aConfirmed(opine), await aConfirmed(opine)];
    const post = await aSlider(maya);
    let frame = { id: '' };
    const data = await heardWhile(maya, 'post_reposted', async () => {
      frame = await aRepost(jonas, post);
    });
    const ids = { postId: frame.id, sourcePostId: post.id };
    expect(data).toEqual(envelopeOf('post_reposted', maya, jonas, ids));
  });

  test('a milestone is reached, and nothing of who voted', async () => {
    const maya = await aConfirmed(opine);
    const post = await aSlider(maya);
    const data = await heardWhile(maya, 'post_vote_milestone', async () => {
      await audienceVotes(opine, await anAudience(opine, 100), post, 4);
      await votesAreFolded(opine);
    });
    expect(data).toEqual(envelopeOf('post_vote_milestone', maya, null, { postId: post.id }));
  });

  test('somebody posts in a Hub', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    let post = { id: '' };
    const data = await heardWhile(jonas, 'hub_post_created', async () => {
      post = await aHubPost(amara, [hub]);
    });
    const ids = { postId: post.id, hubId: hub.id };
    expect(data).toEqual(envelopeOf('hub_post_created', jonas, amara, ids));
  });

  test('somebody is invited', async () => {
    const { hub, amara, lena } = await aTrio(opine);
    let invitation = { id: '' };
    const data = await heardWhile(lena, 'hub_invite_received', async () => {
      invitation = await anInvitation(amara, hub, lena);
    });
    const ids = { hubId: hub.id, invitationId: invitation.id };
    expect(data).toEqual(envelopeOf('hub_invite_received', lena, amara, ids));
  });

  test('somebody asks to join, may, and is removed', async () => {
    const { hub, amara, lena } = await aTrio(opine);
    let request = { id: '' };
    const asked = await heardWhile(amara, 'hub_join_request_created', async () => {
      request = await aJoinRequest(amara, hub, lena);
    });
    const ids = { hubId: hub.id, joinRequestId: request.id };
    expect(asked).toEqual(envelopeOf('hub_join_request_created', amara, lena, ids));
    const approved = await heardWhile(lena, 'hub_join_request_approved', () =>
      requestDecide(amara, hub, request, 'approve'),
    );
    expect(approved).toEqual(envelopeOf('hub_join_request_approved', lena, amara, ids));
    const removed = await heardWhile(lena, 'hub_member_removed', () => requestRemove(amara, hub, lena));
    expect(removed).toEqual(envelopeOf('hub_member_removed', lena, amara, { hubId: hub.id }));
  });
});

test('every stream of a person hears, and nobody else', async () => {
  const [maya, jonas, lena] = [await aRegistered(opine), await aRegistered(opine), await aRegistered(opine)];
  const [phone, tablet, another] = [
    await listening(opine, maya),
    await listening(opine, maya),
    await listening(opine, jonas),
  ];
  await follow(lena, maya, jonas);
  const [mayas] = await notificationsOf(maya);
  const [jonass] = await notificationsOf(jonas);
  for (const stream of [phone, tablet]) await heardOf(stream, mayas);
  await heardOf(another, jonass);
  expect([phone, tablet, another].map(idsHeard)).toEqual([[mayas.id], [mayas.id], [jonass.id]]);
});

test('signals that wait come in the order of what they are of, and each is newer than what the stream began with', async () => {
  const maya = await aRegistered(opine);
  const stream = await listening(opine, maya);
  await whileNothingIsPublished(opine, async () => {
    for (const _ of [1, 2, 3, 4, 5]) await follow(await aRegistered(opine), maya);
  });
  const told = (await notificationsOf(maya)).toReversed();
  for (const one of told) await heardOf(stream, one);
  expect(idsHeard(stream)).toEqual(told.map(({ id }) => id));
  const [began, ...versions] = stream.events.map(({ data }) => data.inboxVersion);
  for (const version of versions) expect(version).toBeGreaterThan(began);
});

test('a stream goes on when the access token that opened it is too old', async () => {
  const aged = await anOpine();
  const maya = await aRegistered(aged);
  const stream = await listening(aged, maya);
  await timePasses(aged, '20 minutes');
  expect((await maya.get('/notifications')).status).toBe(401);
  const jonas = await aRegistered(aged);
  await follow(jonas, maya);
  expect((await signalOf(stream, 'user_followed')).data.actorId).toBe(jonas.id);
});
