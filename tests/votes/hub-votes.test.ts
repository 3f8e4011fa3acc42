import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTown, bucketsOf, OPEN, positionsOf, SLIDER, vote } from '../simulations/votes/fixtures.ts';
import {
  type Client,
  clientOf,
  expectOk,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
} from '../support/client.ts';
import { aHubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { aHub, aHubPost, join, requestChange, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, confirmedPerson, registeredPerson } from '../support/people.ts';
import { aSlider, aThought, seenBy, shareToHubs } from '../support/posts.ts';
import { hubVotesOf } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const itemsFor = async (viewer: Client, post: Json) => (await expectOk(hubVotesOf(viewer, post))).items;
const hubsFor = async (viewer: Client, post: Json): Promise<string[]> =>
  (await itemsFor(viewer, post)).map(({ hub }: Json) => hub.id);

/** Returns the expected item of `hub` with these counts by position; none means no votes. */
const itemOf = ({ id, name }: Json, counts: number[]) => ({
  hub: { id, name },
  summary: bucketsOf(counts),
  distribution: positionsOf(counts),
});

describe('GET /posts/{postId}/vote/hubs', () => {
  test.each(['private_locked_hub', 'public_hub'])(
    'a member reads the votes of each own Hub of a %s post, before and after a fold',
    async (visibility) => {
      const { amara, noor, lena, hub, other } = await aTown(opine);
      const post = await aHubPost(amara, [hub, other], { ...SLIDER, visibility });
      await vote(noor, post, 'strong_left');
      await vote(lena, post, 'neutral');
      await vote(amara, post, 'right');
      const [inHub, inOther] = [itemOf(hub, [1, 0, 0, 1, 0]), itemOf(other, [0, 0, 1, 1, 0])];
      const check = async () => {
        const { status, data } = await hubVotesOf(amara, post);
        expect([status, data.postId, data.items.length]).toEqual([200, post.id, 2]);
        expect(data.items).toEqual(expect.arrayContaining([inHub, inOther]));
        // Members of one Hub see nothing of the other.
        expect((await hubVotesOf(noor, post)).data).toEqual({ postId: post.id, items: [inHub] });
        expect((await hubVotesOf(lena, post)).data).toEqual({ postId: post.id, items: [inOther] });
      };
      await check();
      await foldAllVotes(opine);
      await check();
    },
  );

  test('a Hub without votes of members has an empty result', async () => {
    const { amara, noor, maya, hub, other } = await aTown(opine);
    const post = await aHubPost(amara, [hub, other], OPEN);
    await vote(noor, post, 'left');
    await vote(maya, post, 'left');
    const items = await itemsFor(amara, post);
    expect(items).toHaveLength(2);
    expect(items).toEqual(expect.arrayContaining([itemOf(hub, [0, 1, 0, 0, 0]), itemOf(other, [])]));
  });

  test('Hubs are listed in the order of placement, as on the card', async () => {
    const { amara, hub, other } = await aTown(opine);
    const [third, fourth] = [await aHub(amara), await aHub(amara)];
    const post = await aHubPost(amara, [third, other], OPEN);
    await shareToHubs(amara, post, fourth);
    await shareToHubs(amara, post, hub);
    const targets = [other.id, third.id].toSorted();
    expect(await hubsFor(amara, post)).toEqual([...targets, fourth.id, hub.id]);
    const { hubs } = await seenBy(amara, post);
    expect((await itemsFor(amara, post)).map((item: Json) => item.hub)).toEqual(hubs);
  });

  test('a renamed Hub has its new name', async () => {
    const { amara, jonas, hub } = await aHubOfTwo(opine);
    const post = await aHubPost(amara, [hub], OPEN);
    await expectOk(requestChange(amara, hub, { name: 'Ash Street' }));
    expect(await itemsFor(jonas, post)).toEqual([itemOf({ id: hub.id, name: 'Ash Street' }, [])]);
  });

  test('a Hub is listed while the post is in it and the viewer is a member', async () => {
    const { amara, noor, maya, other } = await aTown(opine);
    const post = await aSlider(amara);
    await vote(maya, post, 'left');
    expect(await itemsFor(amara, post)).toEqual([]);
    await shareToHubs(amara, post, other);
    await vote(amara, post, 'right');
    expect([await hubsFor(amara, post), await hubsFor(noor, post)]).toEqual([[other.id], []]);
    await join(amara, other, [noor]);
    expect(await itemsFor(noor, post)).toEqual([itemOf(other, [0, 0, 0, 1, 0])]);
    await expectOk(requestLeave(noor, other));
    expect(await itemsFor(noor, post)).toEqual([]);
  });

  test('the list is empty for guests and non-members', async () => {
    const { amara, hub } = await aHubOfTwo(opine);
    const post = await aHubPost(amara, [hub], OPEN);
    await vote(amara, post, 'left');
    const nonMembers = await nonMembersOf(opine, amara, hub);
    const low = [await anonymousPerson(opine), await registeredPerson(opine), await confirmedPerson(opine)];
    const guests = [aGuest(opine), clientOf(opine.url, 'no.good.token')];
    for (const viewer of [...guests, ...low, ...nonMembers.values()]) {
      const { status, data } = await hubVotesOf(viewer, post);
      expect([status, data]).toEqual([200, { postId: post.id, items: [] }]);
    }
  });

  test('a Hub that its last member left is not listed', async () => {
    const { amara, jonas, hub } = await aHubOfTwo(opine);
    const closing = await aHub(jonas);
    const post = await aHubPost(amara, [hub], OPEN);
    await shareToHubs(jonas, post, closing);
    await vote(jonas, post, 'left');
    expect(await hubsFor(jonas, post)).toEqual([hub.id, closing.id]);
    await expectOk(requestLeave(jonas, closing));
    for (const viewer of [amara, jonas]) {
      expect(await itemsFor(viewer, post)).toEqual([itemOf(hub, [0, 1, 0, 0, 0])]);
    }
  });

  test('the list is empty for an author who left the Hub of a private post', async () => {
    const { amara, jonas, hub } = await aHubOfTwo(opine);
    const post = await aHubPost(jonas, [hub], SLIDER);
    await vote(amara, post, 'left');
    await expectOk(requestLeave(jonas, hub));
    expect(await itemsFor(jonas, post)).toEqual([]);
  });

  test('a post without a slider is 409 and an unknown id is 404', async () => {
    const { amara } = await aHubOfTwo(opine);
    const thought = await aThought(amara);
    for (const viewer of [amara, aGuest(opine)]) {
      expect(await hubVotesOf(viewer, thought)).toMatchObject(refusal(409, 'POST_NOT_VOTABLE'));
    }
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await hubVotesOf(amara, { id })).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    }
  });
});
