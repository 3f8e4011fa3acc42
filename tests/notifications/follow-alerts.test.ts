import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { homeFeed } from '../support/feeds.ts';
import {
  block,
  follow,
  mergeInto,
  NO_IDS,
  NOBODY,
  profileSeenBy,
  requestMute,
  type Somebody,
  unblock,
  unfollow,
} from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;
let maya: Person;
let amara: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NO_FOLLOW = refusal(404, 'FOLLOW_NOT_FOUND');
const isMuted = async (viewer: Client, other: Somebody) =>
  (await profileSeenBy(viewer, other)).viewer.publicPostsMuted;

/** Maya follows Amara, both of them new. */
async function mayaFollowsAmara(): Promise<void> {
  [maya, amara] = [await aRegistered(opine), await aConfirmed(opine)];
  await follow(maya, amara);
}

describe('alerts of a followed person', () => {
  test('are on until muted, and on again when that ends', async () => {
    await mayaFollowsAmara();
    expect(await isMuted(maya, amara)).toBe(false);
    for (const publicPostsMuted of [true, true, false, false, true]) {
      const { status, data } = await requestMute(maya, amara, publicPostsMuted);
      expect([status, data]).toEqual([200, { publicPostsMuted }]);
      expect(await isMuted(maya, amara)).toBe(publicPostsMuted);
    }
  });

  test('are a matter of one follow', async () => {
    await mayaFollowsAmara();
    const jonas = await aRegistered(opine);
    await follow(maya, jonas);
    await follow(jonas, amara);
    await follow(amara, maya);
    await requestMute(maya, amara);
    expect(await isMuted(maya, jonas)).toBe(false);
    expect(await isMuted(jonas, amara)).toBe(false);
    expect(await isMuted(amara, maya)).toBe(false);
  });

  test('that are muted leave the feed as it is', async () => {
    await mayaFollowsAmara();
    const post = await aThought(amara);
    await requestMute(maya, amara);
    expect(await homeFeed(maya)).toEqual([post.id]);
    expect((await profileSeenBy(maya, amara)).counts.followers).toBe(1);
  });

  test('are on again in a new follow', async () => {
    await mayaFollowsAmara();
    await requestMute(maya, amara);
    await unfollow(maya, amara);
    expect(await isMuted(maya, amara)).toBe(false);
    await follow(maya, amara);
    expect(await isMuted(maya, amara)).toBe(false);
  });

  test('are set by two at once to what one of them says', async () => {
    await mayaFollowsAmara();
    const replies = await Promise.all([true, false].map((muted) => requestMute(maya, amara, muted)));
    expect(replies.map(({ data }) => data.publicPostsMuted)).toEqual([true, false]);
    expect([true, false]).toContain(await isMuted(maya, amara));
  });
});

describe('in a merge', () => {
  test('a muted follow stays muted', async () => {
    const owner = await aConfirmed(opine);
    await mayaFollowsAmara();
    await requestMute(maya, amara);
    expect(await isMuted(await mergeInto(opine, maya, owner), amara)).toBe(true);
  });

  test.each([true, false])('what the owner of the phone said counts: %s', async (said) => {
    const owner = await aConfirmed(opine);
    await mayaFollowsAmara();
    await follow(owner, amara);
    await requestMute(maya, amara, !said);
    await requestMute(owner, amara, said);
    expect(await isMuted(await mergeInto(opine, maya, owner), amara)).toBe(said);
  });
});

describe('there are none to mute', () => {
  test('of whom one does not follow', async () => {
    const [jonas, other] = [await aRegistered(opine), await aRegistered(opine)];
    await follow(other, jonas);
    expect(await requestMute(jonas, other)).toMatchObject(NO_FOLLOW);
    expect(await requestMute(jonas, jonas)).toMatchObject(NO_FOLLOW);
    expect(await isMuted(jonas, other)).toBe(false);
  });

  test('of whom one no longer follows', async () => {
    await mayaFollowsAmara();
    await unfollow(maya, amara);
    expect(await requestMute(maya, amara)).toMatchObject(NO_FOLLOW);
  });

  test.each(['the follower', 'the followed'])('after a block by %s, nor when it has ended', async (who) => {
    await mayaFollowsAmara();
    const [blocker, blocked] = who === 'the follower' ? [maya, amara] : [amara, maya];
    await block(blocker, blocked);
    expect(await requestMute(maya, amara)).toMatchObject(NO_FOLLOW);
    await unblock(blocker, blocked);
    expect(await requestMute(maya, amara)).toMatchObject(NO_FOLLOW);
  });

  test('of whom there is not', async () => {
    await mayaFollowsAmara();
    await amara.delete('/users/me');
    for (const nobody of [NOBODY, amara, await anAnonymous(opine)]) {
      expect(await requestMute(maya, nobody)).toMatchObject(NO_FOLLOW);
    }
    for (const id of NO_IDS) expect((await requestMute(maya, { id })).status).toBe(404);
  });
});

describe('what is refused changes nothing', () => {
  test.each([undefined, null, 'true', 1, 0, [], {}])('like %j for the setting', async (value) => {
    await mayaFollowsAmara();
    const reply = await maya.patch(`/users/${amara.id}/notification-settings`, { publicPostsMuted: value });
    expect(reply).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['publicPostsMuted'] }] }),
    );
    expect(await isMuted(maya, amara)).toBe(false);
  });

  test('like a setting that nobody knows', async () => {
    await mayaFollowsAmara();
    const body = { publicPostsMuted: true, contentMuted: true };
    const reply = await maya.patch(`/users/${amara.id}/notification-settings`, body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await isMuted(maya, amara)).toBe(false);
  });

  test('like what somebody without a profile says', async () => {
    await mayaFollowsAmara();
    const anonymous = await anAnonymous(opine);
    expect(await requestMute(anonymous, amara)).toMatchObject(
      refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' }),
    );
  });

  test('like what a guest says, or somebody who logged out', async () => {
    await mayaFollowsAmara();
    await logOut(opine, maya.session);
    for (const caller of [aGuest(opine), maya]) {
      expect(await requestMute(caller, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });
});
