import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, refusal } from '../support/client.ts';
import { aHubOfTwo, discussionsOf, nonMembersOf } from '../support/discussions.ts';
import { addToDefaultFeed, homeFeed } from '../support/feeds.ts';
import { block, follow, listedIds } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, join, requestLeave } from '../support/hubs.ts';
import { aGuest, anonymousPerson, hubReadyPerson, registeredPerson } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { aThought, seenBy } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, downloadFile, requestDownload } from '../support/uploads.ts';
import { castVote, countsOf } from '../support/votes.ts';

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const SLIDER = { sliderText: 'Is the street too loud?' };
const VISIBILITIES = ['public_hub', 'private_locked_hub'] as const;

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

const hubSummary = ({ id, name }: Json) => ({ id, name });
const readsOf = ({ id }: Json) => [
  `/posts/${id}`,
  `/posts/${id}/vote/me`,
  `/posts/${id}/vote/summary`,
  `/posts/${id}/vote/distribution`,
];

async function expectHidden(viewer: Client, post: Json): Promise<void> {
  for (const path of readsOf(post)) expect(await viewer.get(path)).toMatchObject(HIDDEN);
  expect(await castVote(viewer, post)).toMatchObject(HIDDEN);
  expect(await viewer.delete(`/posts/${post.id}`)).toMatchObject(HIDDEN);
}

describe('a private post', () => {
  test('only the author and the members of the Hub see the post', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aHubPost(jonas, [hub], SLIDER);
    for (const member of [amara, jonas]) expect((await seenBy(member, post)).hubs).toEqual([hubSummary(hub)]);
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of nonMembers.values()) await expectHidden(nonMember, post);
    await expectHidden(await registeredPerson(opine), post);
    for (const path of [`/posts/${post.id}`, `/posts/${post.id}/vote/summary`]) {
      for (const viewer of [aGuest(opine), await anonymousPerson(opine)]) {
        expect(await viewer.get(path)).toMatchObject(HIDDEN);
      }
    }
  });

  test('a person sees the post after joining the Hub and loses it by leaving', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aHubPost(jonas, [hub]);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    expect((await seenBy(lena, post)).id).toBe(post.id);
    await expectOk(requestLeave(lena, hub));
    await expectHidden(lena, post);
    await join(amara, hub, [lena]);
    expect((await seenBy(lena, post)).id).toBe(post.id);
  });

  test('a post in two Hubs is shareable and names only the Hubs of the viewer', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const other = await aHub(jonas, { name: 'Oak Street' });
    const lena = await aMemberOf(opine, jonas, other, 'Lena');
    const both = await aHubPost(jonas, [hub, other]);
    const one = await aHubPost(jonas, [hub]);
    expect(await seenBy(amara, both)).toMatchObject({ hubs: [hubSummary(hub)], isShareable: true });
    expect(await seenBy(lena, both)).toMatchObject({ hubs: [hubSummary(other)], isShareable: true });
    expect(await seenBy(amara, one)).toMatchObject({ hubs: [hubSummary(hub)], isShareable: false });
    expect(new Set((await seenBy(jonas, both)).hubs)).toEqual(new Set([hubSummary(hub), hubSummary(other)]));
    await expectOk(requestLeave(lena, other));
    await expectHidden(lena, both);
  });

  test('the author sees the post after leaving but cannot vote, and a remaining member sees it', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aHubPost(jonas, [hub], SLIDER);
    await expectOk(requestLeave(jonas, hub));
    expect(await seenBy(jonas, post)).toMatchObject({ hubs: [], permissions: { canDelete: true } });
    expect(await castVote(jonas, post)).toMatchObject(refusal(403, 'VOTE_NOT_ALLOWED'));
    expect((await seenBy(amara, post)).author.id).toBe(jonas.id);
    await expectOk(requestLeave(amara, hub));
    expect((await seenBy(jonas, post)).hubs).toEqual([]);
    await expectHidden(amara, post);
  });

  test('the home feeds of followers and of guests omit the post', async () => {
    const { hub, jonas } = await aHubOfTwo(opine);
    const follower = await hubReadyPerson(opine);
    await follow(follower, jonas);
    await addToDefaultFeed(opine, jonas);
    const [locked, open] = [await aHubPost(jonas, [hub]), await aThought(jonas)];
    for (const viewer of [aGuest(opine), await anonymousPerson(opine), follower]) {
      const feed = await homeFeed(viewer);
      expect(feed).toContain(open.id);
      expect(feed).not.toContain(locked.id);
    }
  });

  test('a blocked pair of members do not see the posts of each other', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const [byAmara, byJonas] = [await aHubPost(amara, [hub]), await aHubPost(jonas, [hub])];
    await block(amara, jonas);
    await expectHidden(amara, byJonas);
    await expectHidden(jonas, byAmara);
  });

  test('only members download the images of the post', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const picture = await aPng();
    const image = await anUpload(jonas, picture, 'post_image');
    await aHubPost(jonas, [hub], { article: { assetIds: [image.assetId] } });
    expect((await downloadFile(amara, image)).bytes).toEqual(picture);
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of [...nonMembers.values(), await anonymousPerson(opine)]) {
      const refused = await requestDownload(nonMember, image.assetId);
      expect(refused).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
    }
  });
});

describe('a public_hub post', () => {
  test('every viewer sees the post, and only members see its Hub', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aHubPost(jonas, [hub], { visibility: 'public_hub' });
    const nonMembers = await nonMembersOf(opine, amara, hub);
    const everybody = [aGuest(opine), await anonymousPerson(opine), await registeredPerson(opine)];
    for (const viewer of [...everybody, ...nonMembers.values()]) {
      expect(await seenBy(viewer, post)).toMatchObject({ id: post.id, hubs: [], isShareable: true });
    }
    expect((await seenBy(amara, post)).hubs).toEqual([hubSummary(hub)]);
  });

  test('the global pool counts votes of members and non-members', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aHubPost(jonas, [hub], { visibility: 'public_hub', ...SLIDER });
    expect((await castVote(amara, post, 'left')).status).toBe(201);
    expect((await castVote(await registeredPerson(opine), post, 'right')).status).toBe(201);
    expect(await countsOf(aGuest(opine), post)).toEqual([0, 1, 0, 1, 0]);
  });
});

describe.each(VISIBILITIES)('DELETE /posts/{postId} of a %s post', (visibility) => {
  test('the author deletes the post, even after leaving, and the Hub no longer lists it', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const [one, other] = [
      await aHubPost(jonas, [hub], { visibility }),
      await aHubPost(jonas, [hub], { visibility }),
    ];
    await expectOk(jonas.delete(`/posts/${one.id}`));
    expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([other.id]);
    await expectOk(requestLeave(jonas, hub));
    await expectOk(jonas.delete(`/posts/${other.id}`));
    expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([]);
    expect(await discussionsOf(amara, hub)).toEqual([]);
    for (const viewer of [amara, jonas]) await expectHidden(viewer, one);
  });

  test('an admin of the Hub cannot delete the post of a member', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aHubPost(jonas, [hub], { visibility });
    expect(await amara.delete(`/posts/${post.id}`)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect((await seenBy(jonas, post)).id).toBe(post.id);
  });
});
