import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { NotificationType } from '../../src/domains/notifications/schemas.ts';
import { createFcm } from '../../src/push/fcm.ts';
import { messageTo } from '../../src/push/message.ts';
import { createSender } from '../../src/push/sender.ts';
import { anAudience, audienceVotes } from '../support/audience.ts';
import { expectOk, type Json } from '../support/client.ts';
import { startFcm } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aJoinRequest,
  anInvitation,
  join,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestRemove,
} from '../support/hubs.ts';
import { notificationsOf, unreadCountOf } from '../support/inbox.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import { aComment, aReply, aRepost, aSlider, aThought, shareToFeed, shareToHubs } from '../support/posts.ts';
import { aDeviceOf, type OpineWithPush, startOpineWithPush } from '../support/pushes.ts';
import { foldAllVotes } from '../support/worker.ts';

const TEXTS = {
  post_vote_milestone: 'A slider has reached a milestone.',
  post_voted: 'Somebody voted on your post.',
  post_commented: 'Somebody commented on your post.',
  post_reposted: 'Somebody reposted you.',
  post_shared_to_feed: 'Somebody shared your post.',
  user_followed: 'You have a new follower.',
  hub_post_created: 'There is a new post in one of your Hubs.',
  post_shared_to_hub: 'A post was shared into one of your Hubs.',
  hub_invite_received: 'You are invited to a Hub.',
  hub_join_request_created: 'Somebody asks to join one of your Hubs.',
  hub_join_request_approved: 'You were let into a Hub.',
  hub_join_request_rejected: 'A Hub has declined your request.',
  hub_member_joined: 'One of your Hubs has a new member.',
  hub_member_removed: 'You are no longer a member of a Hub.',
  hub_role_changed: 'Your role in a Hub has changed.',
  followed_user_posted: 'Somebody you follow has posted.',
  comment_replied: 'Somebody replied to your comment.',
  user_mentioned: 'Somebody mentioned you.',
  moderation_decided: 'A moderation decision concerns you.',
};
const HUB_NAME = 'Quittengelee';

let opine: OpineWithPush;
let amara: Person;
let jonas: Person;
let token: string;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, jonas] = [await hubReadyPerson(opine, 'Amaranth'), await hubReadyPerson(opine, 'Jonathan')];
  token = await aDeviceOf(jonas);
});

/** Expects exactly one message of `type` to Jonas and compares all its fields. */
async function expectMessage(type: keyof typeof TEXTS, ids: Readonly<Record<string, string>>): Promise<void> {
  await opine.deliver();
  const [stored] = await notificationsOf(jonas, type);
  const badge = await unreadCountOf(jonas);
  const messages = opine.sentTo(token).filter(({ data }) => data.type === type);
  expect(messages).toEqual([
    {
      token,
      notification: { title: 'Opine', body: TEXTS[type] },
      data: { notificationId: stored?.id, type, recipientUserId: jonas.id, ...ids },
      android: {
        collapse_key: stored?.id,
        priority: 'high',
        notification: { tag: stored?.id, notification_count: badge },
      },
      apns: { headers: { 'apns-collapse-id': stored?.id }, payload: { aps: { sound: 'default', badge } } },
    },
  ]);
}

/** Returns the actor fields for Amara. */
const byAmara = () => ({ actorIsAnonymous: 'false', actorId: amara.id });

// docs/product.md N16, N17, N30
describe('the payload of a push message', () => {
  test('a follow names the follower', async () => {
    await follow(amara, jonas);
    await expectMessage('user_followed', byAmara());
  });

  test('a publication names the author and the post', async () => {
    await follow(jonas, amara);
    const { id: postId } = await aThought(amara, 'Rhabarberkuchen!');
    await expectMessage('followed_user_posted', { ...byAmara(), postId });
  });

  test('a comment names the author, the post and the comment', async () => {
    const post = await aThought(jonas, 'Rhabarberkuchen?');
    const { id: commentId } = await aComment(amara, post, 'Mirabellenmus.');
    await expectMessage('post_commented', { ...byAmara(), postId: post.id, commentId });
  });

  test('a reply and a mention name the author, the post and the comment', async () => {
    const post = await aThought(await hubReadyPerson(opine), 'Rhabarberkuchen?');
    const root = await aComment(jonas, post, 'Mirabellenmus.');
    const reply = await aReply(amara, post, root);
    await expectMessage('comment_replied', { ...byAmara(), postId: post.id, commentId: reply.id });
    const mention = await aComment(amara, post, `Mirabellenmus, @${jonas.username}!`);
    await expectMessage('user_mentioned', { ...byAmara(), postId: post.id, commentId: mention.id });
  });

  test('a repost names the reposter, the repost and its source', async () => {
    const source = await aThought(jonas, 'Rhabarberkuchen?');
    const { id: postId } = await aRepost(amara, source, { thoughtText: 'Mirabellenmus.' });
    await expectMessage('post_reposted', { ...byAmara(), postId, sourcePostId: source.id });
  });

  test('a feed share names the sharer and the post', async () => {
    const { id: postId } = await aThought(jonas, 'Rhabarberkuchen?');
    await shareToFeed(amara, { id: postId });
    await expectMessage('post_shared_to_feed', { ...byAmara(), postId });
  });

  test('a vote milestone names the post and no actor', async () => {
    const post = await aSlider(jonas, { sliderText: 'Mirabellenmus?' });
    await audienceVotes(opine, await anAudience(opine, 100), post, 4);
    await foldAllVotes(opine);
    await expectMessage('post_vote_milestone', { actorIsAnonymous: 'true', postId: post.id });
  });

  test('invitations and membership changes name the actor, the Hub, the invitation and the join request', async () => {
    const { id: hubId } = await aHub(amara, { name: HUB_NAME });
    const invitation = await anInvitation(amara, { id: hubId }, jonas);
    await expectMessage('hub_invite_received', { ...byAmara(), hubId, invitationId: invitation.id });
    await expectOk(requestAccept(jonas, invitation));
    const karim = await hubReadyPerson(opine, 'Mirabellenmus');
    await join(amara, { id: hubId }, [karim]);
    await expectMessage('hub_member_joined', { actorIsAnonymous: 'false', actorId: karim.id, hubId });
    await expectOk(requestAppoint(amara, { id: hubId }, jonas, 'manager'));
    await expectMessage('hub_role_changed', { ...byAmara(), hubId });
    const request = await aJoinRequest(amara, { id: hubId }, await hubReadyPerson(opine));
    const [stored] = await notificationsOf(jonas, 'hub_join_request_created');
    await expectMessage('hub_join_request_created', {
      actorIsAnonymous: 'false',
      actorId: stored?.actor.id,
      hubId,
      joinRequestId: request.id,
    });
    await expectOk(requestRemove(amara, { id: hubId }, jonas));
    await expectMessage('hub_member_removed', { ...byAmara(), hubId });
  });

  test.each(['approve', 'reject'] as const)(
    'a decision names the admin, the Hub and the join request (%s)',
    async (verdict) => {
      const hub = await aHub(amara, { name: HUB_NAME });
      const { id: joinRequestId } = await aJoinRequest(amara, hub, jonas);
      await expectOk(requestDecide(amara, hub, { id: joinRequestId }, verdict));
      const type = verdict === 'approve' ? 'hub_join_request_approved' : 'hub_join_request_rejected';
      await expectMessage(type, { ...byAmara(), hubId: hub.id, joinRequestId });
    },
  );

  test('a Hub post and a Hub share name the actor, the Hub and the post', async () => {
    const hub = await aHub(amara, { name: HUB_NAME });
    await join(amara, hub, [jonas]);
    const { id: postId } = await aHubPost(amara, [hub], { thoughtText: 'Rhabarberkuchen.' });
    await expectMessage('hub_post_created', { ...byAmara(), hubId: hub.id, postId });
    const elsewhere = await aThought(amara);
    await shareToHubs(amara, elsewhere, hub);
    await expectMessage('post_shared_to_hub', { ...byAmara(), hubId: hub.id, postId: elsewhere.id });
  });

  test('an actor who has ended their account is anonymous', async () => {
    await follow(amara, jonas);
    const [stored] = await notificationsOf(jonas);
    await expectOk(amara.delete('/users/me'));
    await opine.deliver();
    expect(opine.sentTo(token).map(({ data }) => data)).toEqual([
      {
        notificationId: stored?.id,
        type: 'user_followed',
        recipientUserId: jonas.id,
        actorIsAnonymous: 'true',
      },
    ]);
  });
});

// docs/product.md N17
test('every type has its own text, which names nobody', () => {
  const textOf = (type: Json) => {
    const payload = { notificationId: 'one', type, actorId: 'Amaranth', hubId: HUB_NAME };
    return messageTo({ token: 'a token' }, payload, 1).notification;
  };
  const texts = NotificationType.options.map((type) => [type, textOf(type)]);
  expect(texts).toEqual(Object.entries(TEXTS).map(([type, body]) => [type, { title: 'Opine', body }]));
  expect(new Set(Object.values(TEXTS)).size).toBe(NotificationType.options.length);
});

// docs/product.md N17
test.each(NotificationType.options)(
  'with keys the message of %s has no text but those for the app',
  (type) => {
    const payload = { notificationId: 'one', type };
    const { notification, android, apns } = messageTo({ token: 'a token' }, payload, 1, 'keys');
    const [title, body] = [`opine_push_${type}_title`, `opine_push_${type}_body`];
    expect(notification).toBeUndefined();
    expect(android?.notification).toEqual({
      tag: 'one',
      notificationCount: 1,
      titleLocKey: title,
      bodyLocKey: body,
    });
    expect(apns?.payload?.aps).toEqual({
      sound: 'default',
      badge: 1,
      alert: { titleLocKey: title, locKey: body },
    });
  },
);

test.each([
  [true, { notification: undefined, body: 'opine_push_user_followed_body' }],
  [false, { notification: { title: 'Opine', body: TEXTS.user_followed }, body: undefined }],
])('with PUSH_LOC_KEYS=%s a sender writes what phones then show', async (PUSH_LOC_KEYS, expected) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-keys-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const PUSH_FILE = path.join(directory, 'push.jsonl');
  const nobody = { FIREBASE_SERVICE_ACCOUNT: undefined, PUSH_ADDRESS: undefined };
  const sender = createSender({ ...nobody, PUSH_FILE, PUSH_LOC_KEYS });
  const payload = { notificationId: 'one', type: 'user_followed' } as const;
  const push = { device: { token: 'a token of tests', platform: 'android' }, badge: 1, payload } as const;
  await sender?.send([push], new AbortController().signal);
  const { message } = JSON.parse(readFileSync(PUSH_FILE, 'utf8'));
  expect({ notification: message.notification, body: message.android.notification.bodyLocKey }).toEqual(
    expected,
  );
});

test('keys have the wire format of FCM', async () => {
  const fcm = await startFcm();
  onTestFinished(() => fcm.close());
  const sender = createFcm(fcm.account, fcm.agent(), 'keys');
  onTestFinished(() => sender.close());
  const payload = { notificationId: crypto.randomUUID(), type: 'user_followed' } as const;
  const push = { device: { token: 'a token of tests', platform: 'ios' }, badge: 1, payload } as const;
  await sender.send([push], new AbortController().signal);
  const message = fcm.taken[0]?.message;
  expect(message.apns.payload.aps.alert).toEqual({
    'title-loc-key': 'opine_push_user_followed_title',
    'loc-key': 'opine_push_user_followed_body',
  });
  expect(message.android.notification).toMatchObject({
    title_loc_key: 'opine_push_user_followed_title',
    body_loc_key: 'opine_push_user_followed_body',
  });
});
