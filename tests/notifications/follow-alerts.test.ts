import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { homeFeed } from '../support/feeds.ts';
import { block, follow, mergeInto, profileSeenBy, requestMute, unblock, unfollow } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person, registeredPerson, type UserRef } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

let opine: Opine;
let maya: Person;
let amara: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NO_FOLLOW = refusal(404, 'FOLLOW_NOT_FOUND');
const isMuted = async (viewer: Client, other: UserRef) =>
  (await profileSeenBy(viewer, other)).viewer.publicPostsMuted;

/** Creates Maya and Amara, and lets Maya follow Amara. */
async function mayaFollowsAmara(): Promise<void> {
  [maya, amara] = [await registeredPerson(opine), await confirmedPerson(opine)];
  await follow(maya, amara);
}

describe('PATCH /users/{userId}/notification-settings', () => {
  // docs/product.md P14
  test('publication alerts are on until muted and on again when unmuted', async () => {
    await mayaFollowsAmara();
    expect(await isMuted(maya, amara)).toBe(false);
    for (const publicPostsMuted of [true, true, false, false, true]) {
      const { status, data } = await requestMute(maya, amara, publicPostsMuted);
      expect([status, data]).toEqual([200, { publicPostsMuted }]);
      expect(await isMuted(maya, amara)).toBe(publicPostsMuted);
    }
  });

  test('a mute changes neither the home feed nor the follower count', async () => {
    await mayaFollowsAmara();
    const post = await aThought(amara);
    await requestMute(maya, amara);
    expect(await homeFeed(maya)).toEqual([post.id]);
    expect((await profileSeenBy(maya, amara)).counts.followers).toBe(1);
  });

  test('two concurrent changes leave the value of one of them', async () => {
    await mayaFollowsAmara();
    const replies = await Promise.all([true, false].map((muted) => requestMute(maya, amara, muted)));
    expect(replies.map(({ data }) => data.publicPostsMuted)).toEqual([true, false]);
    expect([true, false]).toContain(await isMuted(maya, amara));
  });
});

describe('the mute of a follow in a merge', () => {
  test('a muted follow of the merged user stays muted', async () => {
    const owner = await confirmedPerson(opine);
    await mayaFollowsAmara();
    await requestMute(maya, amara);
    expect(await isMuted(await mergeInto(opine, maya, owner), amara)).toBe(true);
  });
});

// docs/product.md P14
describe('a mute without a follow', () => {
  test('the mute of a person who was unfollowed is 404', async () => {
    await mayaFollowsAmara();
    await unfollow(maya, amara);
    expect(await requestMute(maya, amara)).toMatchObject(NO_FOLLOW);
  });

  test.each(['the follower', 'the followed'])(
    'a mute after a block by %s is 404, also when the block has ended',
    async (who) => {
      await mayaFollowsAmara();
      const [blocker, blocked] = who === 'the follower' ? [maya, amara] : [amara, maya];
      await block(blocker, blocked);
      expect(await requestMute(maya, amara)).toMatchObject(NO_FOLLOW);
      await unblock(blocker, blocked);
      expect(await requestMute(maya, amara)).toMatchObject(NO_FOLLOW);
    },
  );
});
