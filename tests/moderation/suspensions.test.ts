import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { DELETED_AUTHOR, discussionsOf, messagesOf, pathOf, textsOf } from '../support/discussions.ts';
import { addToDefaultFeed, homeFeed } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aHubWithMember,
  aHubWorld,
  aMessage,
  anInvitation,
  anInviteLink,
  callHubOperation,
  discussionOf,
  HUB_OPERATIONS,
  hubSeenBy,
  requestAccept,
  requestJoin,
  requestLeave,
} from '../support/hubs.ts';
import { inboxOf, notificationsOf } from '../support/inbox.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, confirmedPerson, hubReadyPerson } from '../support/people.ts';
import { aComment, aSlider, aThought } from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { runStaffAction } from '../support/staff.ts';
import { castVote, countsOf } from '../support/votes.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const SUSPENDED = refusal(403, 'ACCOUNT_SUSPENDED');

describe('a suspended user', () => {
  // docs/product.md I20, S11
  test('a suspended user is signed out at once and cannot sign in until restored', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    await runStaffAction(opine, 'suspend_user', maya);
    expect(await maya.get('/users/me/profile')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const { refreshToken } = maya.session;
    expect(await aGuest(opine).post('/auth/session/refresh', { refreshToken })).toMatchObject({
      status: 401,
    });
    await advanceTime(opine, '2 minutes');
    await requestOtp(aGuest(opine), maya.phoneNumber);
    expect(await enterCode(aGuest(opine), maya.phoneNumber)).toMatchObject(SUSPENDED);
    await runStaffAction(opine, 'restore_user', maya);
    const { data } = await enterCode(aGuest(opine), maya.phoneNumber);
    expect(await clientOf(opine.url, data.accessToken).get('/users/me/profile')).toMatchObject({
      status: 200,
      data: { username: maya.username },
    });
  });

  // docs/product.md I20
  test('a suspended anonymous user cannot start a session from their device', async () => {
    const olaf = await anonymousPerson(opine);
    const deviceId = 'a device of somebody who is suspended';
    const { data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId });
    await runStaffAction(opine, 'suspend_user', data.user);
    expect(await aGuest(opine).post('/auth/anonymous/session', { deviceId })).toMatchObject(SUSPENDED);
    expect((await olaf.get('/users/me/onboarding/status')).status).toBe(200);
  });

  // Every sign-in locks its user before it opens a session; this test calls insert_session without the lock.
  test('insert_session refuses a user whom a concurrent transaction suspends', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const request = { refreshTokenHash: '00'.repeat(32), deviceKind: 'web' };
    const opens = () =>
      sql`select app.insert_session(${maya.id}, ${request}::jsonb)`
        .execute(opine.database.superuser)
        .then(() => 'a session')
        .catch(({ message }: Error) => message);
    const answer = await duringTransaction(opine, opens, async (holder) => {
      await sql`select staff.suspend_user(${maya.id}, 'spam', 'a test')`.execute(holder);
    });
    expect(answer).toBe('ACCOUNT_SUSPENDED');
    expect(await maya.get('/users/me/profile')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  // docs/product.md S11, S13
  test('posts, profile and comments of a suspended user are hidden, and return unchanged when restored', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
    const [hers, his] = [await aSlider(maya), await aThought(jonas)];
    const comment = await aComment(maya, his);
    await follow(jonas, maya);
    await castVote(jonas, hers, 'right');
    const seen = async () => {
      const [post, profile, comments, feed] = [
        await jonas.get(`/posts/${hers.id}`),
        await jonas.get(`/users/${maya.id}/profile`),
        await jonas.get(`/posts/${his.id}/comments`),
        await homeFeed(jonas),
      ];
      return {
        post: post.status,
        profile: profile.status,
        comments: comments.data.items.map(({ id }: { id: string }) => id),
        isInFeed: feed.includes(hers.id),
      };
    };
    const before = await seen();
    expect(before).toEqual({ post: 200, profile: 200, comments: [comment.id], isInFeed: true });
    await runStaffAction(opine, 'suspend_user', maya);
    expect(await seen()).toEqual({ post: 404, profile: 404, comments: [], isInFeed: false });
    expect((await castVote(await confirmedPerson(opine), hers)).status).toBe(404);
    await runStaffAction(opine, 'restore_user', maya);
    expect(await seen()).toEqual(before);
    expect(await countsOf(jonas, hers)).toEqual([0, 0, 0, 1, 0]);
  });

  test('the default feed leaves out a suspended user', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const post = await aThought(maya);
    await addToDefaultFeed(opine, maya);
    const shows = async () => (await homeFeed(aGuest(opine))).includes(post.id);
    expect(await shows()).toBe(true);
    await runStaffAction(opine, 'suspend_user', maya);
    expect(await shows()).toBe(false);
  });

  test('messages of a suspended member are hidden, and previews of their posts name no author', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    const discussion = await discussionOf(amara, hub, await aHubPost(jonas, [hub]));
    const message = await aMessage(jonas, discussion, 'Buy my pills.');
    await aMessage(amara, discussion, 'Please do not.');
    const seen = async () => ({
      texts: textsOf(await messagesOf(amara, discussion)),
      thread: (await amara.get(`${pathOf(discussion, 'messages')}?parentMessageId=${message.id}`)).status,
      preview: (await discussionsOf(amara, hub))[0]?.preview,
    });
    const before = await seen();
    expect(before).toMatchObject({ texts: ['Buy my pills.', 'Please do not.'], thread: 200 });
    await runStaffAction(opine, 'suspend_user', jonas);
    expect(await seen()).toEqual({
      texts: ['Please do not.'],
      thread: 404,
      preview: { thoughtText: null, sliderText: null, articleTitle: null, author: DELETED_AUTHOR },
    });
    await runStaffAction(opine, 'restore_user', jonas);
    expect(await seen()).toEqual(before);
  });

  // docs/product.md S14, H17
  test('a Hub whose only admin is suspended gets a new admin', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    await runStaffAction(opine, 'suspend_user', amara);
    expect((await hubSeenBy(jonas, hub)).viewerRole).toBe('admin');
    expect((await notificationsOf(jonas, 'hub_role_changed')).length).toBe(1);
    expect(await requestLeave(jonas, hub)).toMatchObject(refusal(409, 'LAST_ADMIN'));
    await runStaffAction(opine, 'restore_user', amara);
    expect(await requestLeave(jonas, hub)).toMatchObject({ status: 200 });
  });

  // docs/product.md S14
  test('a restored user becomes the admin of a Hub that everybody else has left', async () => {
    const { hub, amara, jonas } = await aHubWithMember(opine);
    await runStaffAction(opine, 'suspend_user', jonas);
    expect((await amara.delete('/users/me')).status).toBe(200);
    await waitUntilDeleted(opine, amara.id);
    await runStaffAction(opine, 'restore_user', jonas);
    await requestOtp(aGuest(opine), jonas.phoneNumber);
    const { data } = await enterCode(aGuest(opine), jonas.phoneNumber);
    expect((await hubSeenBy(clientOf(opine.url, data.accessToken), hub)).viewerRole).toBe('admin');
  });

  // docs/product.md S12, N5
  test('notifications name a suspended actor as anonymous until restored', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
    await follow(maya, jonas);
    const actors = async () => (await notificationsOf(jonas, 'user_followed')).map(({ actor }) => actor);
    const before = await actors();
    expect(before).toMatchObject([{ id: maya.id, username: maya.username }]);
    await runStaffAction(opine, 'suspend_user', maya);
    expect(await actors()).toEqual([{ id: '', username: '', profilePhotoUrl: null, isAnonymous: true }]);
    await runStaffAction(opine, 'restore_user', maya);
    expect(await actors()).toEqual(before);
  });

  test('an invitation by a suspended admin leads only to a pending request', async () => {
    const [amara, jonas] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Jonas')];
    const invitation = await anInvitation(amara, await aHub(amara), jonas);
    await runStaffAction(opine, 'suspend_user', amara);
    expect(await requestAccept(jonas, invitation)).toMatchObject({
      data: { viewerStatus: 'pending_admin_approval' },
    });
  });
});

describe('a suspended Hub', () => {
  // docs/product.md S15, H7
  test('every Hub operation and invite link responds as for an unknown Hub until the Hub is restored', async () => {
    const world = await aHubWorld(opine);
    const link = await anInviteLink(world.admin, world.hub);
    await runStaffAction(opine, 'suspend_hub', world.hub);
    const lost = { id: '01900000-0000-7000-8000-00000000dead' };
    for (const person of [world.admin, world.member, world.invited, world.uninvited])
      for (const operation of HUB_OPERATIONS) {
        const [here, nowhere] = [
          await callHubOperation(person, world.hub, operation),
          await callHubOperation(person, lost, operation),
        ];
        expect([operation, here.status, here.error?.code]).toEqual([
          operation,
          nowhere.status,
          nowhere.error?.code,
        ]);
      }
    expect(await requestJoin(world.uninvited, link)).toMatchObject(refusal(404, 'INVITE_LINK_NOT_FOUND'));
    expect((await world.member.get('/users/me/hubs')).data.items).toEqual([]);
    await runStaffAction(opine, 'restore_hub', world.hub);
    expect((await requestJoin(world.uninvited, link)).status).toBe(201);
  });

  // docs/product.md S15
  test('posts and notifications of a suspended Hub are hidden until it is restored', async () => {
    const { admin, member, hub } = await aHubWorld(opine);
    const post = await aHubPost(admin, [hub], { sliderText: 'Benches?' });
    await castVote(member, post, 'left');
    const seen = async () => ({
      post: (await member.get(`/posts/${post.id}`)).status,
      notified: (await notificationsOf(member, 'hub_post_created')).length,
      unread: (await inboxOf(member)).unreadCount,
      hubs: (await member.get('/users/me/hubs')).data.items.length,
    });
    const before = await seen();
    expect(before).toMatchObject({ post: 200, notified: 1, hubs: 1 });
    await runStaffAction(opine, 'suspend_hub', hub);
    expect(await seen()).toMatchObject({ post: 404, notified: 0, hubs: 0 });
    await runStaffAction(opine, 'restore_hub', hub);
    expect(await seen()).toEqual(before);
    expect(await countsOf(member, post)).toEqual([0, 1, 0, 0, 0]);
    expect(await hubSeenBy(admin, hub)).toMatchObject({ viewerRole: 'admin', viewerStatus: 'member' });
  });
});
