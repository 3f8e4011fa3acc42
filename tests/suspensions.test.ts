import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timePasses } from './builders/clock.ts';
import { chooseForDefaultFeed, homeFeed } from './builders/feeds.ts';
import { aComment } from './builders/frames.ts';
import { amid, follow } from './builders/graph.ts';
import { aHubWorld, call, HUB_OPERATIONS } from './builders/hub-worlds.ts';
import { aHubPost, anInviteLink, askToJoin, hubSeenBy } from './builders/hubs.ts';
import { inboxOf, toldTo } from './builders/inbox.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous } from './builders/people.ts';
import { aSlider, aThought } from './builders/posts.ts';
import { askForCode, enterCode } from './builders/sign-in.ts';
import { staffDecides } from './builders/staff.ts';
import { castVote, countsOf } from './builders/votes.ts';
import { clientOf, refusal } from './harness/client.ts';
import { type Opine, startOpine } from './harness/opine.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const SUSPENDED = refusal(403, 'ACCOUNT_SUSPENDED');

describe('somebody who is suspended', () => {
  test('is signed out at once, and cannot sign in until they are restored', async () => {
    const maya = await aConfirmed(opine, 'Maya');
    await staffDecides(opine, 'suspend_user', maya);
    expect(await maya.get('/users/me/profile')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const { refreshToken } = maya.session;
    expect(await aGuest(opine).post('/auth/session/refresh', { refreshToken })).toMatchObject({
      status: 401,
    });
    await timePasses(opine, '2 minutes');
    await askForCode(aGuest(opine), maya.phoneNumber);
    expect(await enterCode(aGuest(opine), maya.phoneNumber)).toMatchObject(SUSPENDED);
    await staffDecides(opine, 'restore_user', maya);
    const { data } = await enterCode(aGuest(opine), maya.phoneNumber);
    expect(await clientOf(opine.url, data.accessToken).get('/users/me/profile')).toMatchObject({
      status: 200,
      data: { username: maya.username },
    });
  });

  test('does not come in by the device of an anonymous account', async () => {
    const olaf = await anAnonymous(opine);
    const deviceId = 'a device of somebody who is suspended';
    const { data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId });
    await staffDecides(opine, 'suspend_user', data.user);
    expect(await aGuest(opine).post('/auth/anonymous/session', { deviceId })).toMatchObject(SUSPENDED);
    expect((await olaf.get('/users/me/onboarding/status')).status).toBe(200);
  });

  test.each(['their phone', 'their device'])(
    'is not let in by %s while that is being decided',
    async (way) => {
      const deviceId = `a device that comes at the wrong moment, by ${way}`;
      const { data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId });
      const maya =
        way === 'their phone' ? await aConfirmed(opine, 'Maya') : { id: data.user.id, phoneNumber: '' };
      await timePasses(opine, '2 minutes');
      if (way === 'their phone') await askForCode(aGuest(opine), maya.phoneNumber);
      const comes = () =>
        way === 'their phone'
          ? enterCode(aGuest(opine), maya.phoneNumber)
          : aGuest(opine).post('/auth/anonymous/session', { deviceId });
      const reply = await amid(opine, comes, async (holder) => {
        await sql`select staff.suspend_user(${maya.id}, 'a test')`.execute(holder);
      });
      expect(reply).toMatchObject(SUSPENDED);
      const { rows } = await sql`select from app.sessions where user_id = ${maya.id}`.execute(
        opine.database.superuser,
      );
      expect(rows).toHaveLength(0);
    },
  );

  test('is nowhere to be seen, and all is there again afterwards', async () => {
    const [maya, jonas] = [await aConfirmed(opine, 'Maya'), await aConfirmed(opine, 'Jonas')];
    const [hers, his] = [await aSlider(maya), await aThought(jonas)];
    const said = await aComment(maya, his);
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
    expect(before).toEqual({ post: 200, profile: 200, comments: [said.id], isInFeed: true });
    await staffDecides(opine, 'suspend_user', maya);
    expect(await seen()).toEqual({ post: 404, profile: 404, comments: [], isInFeed: false });
    expect((await castVote(await aConfirmed(opine), hers)).status).toBe(404);
    await staffDecides(opine, 'restore_user', maya);
    expect(await seen()).toEqual(before);
    expect(await countsOf(jonas, hers)).toEqual([0, 0, 0, 1, 0]);
  });

  test('is no default feed user meanwhile', async () => {
    const maya = await aConfirmed(opine, 'Maya');
    const post = await aThought(maya);
    await chooseForDefaultFeed(opine, maya);
    const shows = async () => (await homeFeed(aGuest(opine))).includes(post.id);
    expect(await shows()).toBe(true);
    await staffDecides(opine, 'suspend_user', maya);
    expect(await shows()).toBe(false);
  });
});

describe('a Hub that is suspended', () => {
  test('is there for nobody, and for nobody different', async () => {
    const world = await aHubWorld(opine);
    const link = await anInviteLink(world.admin, world.hub);
    await staffDecides(opine, 'suspend_hub', world.hub);
    const lost = { id: '01900000-0000-7000-8000-00000000dead' };
    for (const person of [world.admin, world.member, world.invited, world.stranger])
      for (const operation of HUB_OPERATIONS) {
        const [here, nowhere] = [
          await call(person, world.hub, operation),
          await call(person, lost, operation),
        ];
        expect([operation, here.status, here.error?.code]).toEqual([
          operation,
          nowhere.status,
          nowhere.error?.code,
        ]);
      }
    expect(await askToJoin(world.stranger, link)).toMatchObject(refusal(404, 'INVITE_LINK_NOT_FOUND'));
    expect((await world.member.get('/users/me/hubs')).data.items).toEqual([]);
  });

  test('hides its posts and what was told of it, and shows them again when it is restored', async () => {
    const { admin, member, hub } = await aHubWorld(opine);
    const post = await aHubPost(admin, [hub], { sliderText: 'Benches?' });
    await castVote(member, post, 'left');
    const seen = async () => ({
      post: (await member.get(`/posts/${post.id}`)).status,
      told: (await toldTo(member, 'hub_post_created')).length,
      unread: (await inboxOf(member)).unreadCount,
      hubs: (await member.get('/users/me/hubs')).data.items.length,
    });
    const before = await seen();
    expect(before).toMatchObject({ post: 200, told: 1, hubs: 1 });
    await staffDecides(opine, 'suspend_hub', hub);
    expect(await seen()).toMatchObject({ post: 404, told: 0, hubs: 0 });
    await staffDecides(opine, 'restore_hub', hub);
    expect(await seen()).toEqual(before);
    expect(await countsOf(member, post)).toEqual([0, 1, 0, 0, 0]);
    expect(await hubSeenBy(admin, hub)).toMatchObject({ viewerRole: 'admin', viewerStatus: 'member' });
  });

  test('lets nobody in who was invited before, and does so afterwards', async () => {
    const { admin, hub } = await aHubWorld(opine);
    const lena = await aHubReady(opine, 'Lena');
    const link = await anInviteLink(admin, hub);
    await staffDecides(opine, 'suspend_hub', hub);
    expect(await askToJoin(lena, link)).toMatchObject(refusal(404, 'INVITE_LINK_NOT_FOUND'));
    await staffDecides(opine, 'restore_hub', hub);
    expect((await askToJoin(lena, link)).status).toBe(201);
  });
});
