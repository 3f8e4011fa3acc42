import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aCircle, discussionsOf, nonMembersOf } from '../support/discussions.ts';
import { chooseForDefaultFeed, homeFeed } from '../support/feeds.ts';
import { block, everybodyIn, follow, granted } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, join, requestLeave } from '../support/hubs.ts';
import { aGuest, aHubReady, anAnonymous, aRegistered } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { aThought, seenBy } from '../support/posts.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, downloaded, requestDownload } from '../support/uploads.ts';
import { castVote, countsOf } from '../support/votes.ts';

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const SLIDER = { sliderText: 'Is the street too loud?' };
const VISIBILITIES = ['public_hub', 'private_locked_hub'] as const;

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

const inHub = ({ id, name }: Json) => ({ id, name });
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
  test('is there for its author and the members, and for nobody else', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const post = await aHubPost(jonas, [hub], SLIDER);
    for (const member of [amara, jonas]) expect((await seenBy(member, post)).hubs).toEqual([inHub(hub)]);
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of nonMembers.values()) await expectHidden(nonMember, post);
    await expectHidden(await aRegistered(opine), post);
    for (const path of [`/posts/${post.id}`, `/posts/${post.id}/vote/summary`]) {
      for (const viewer of [aGuest(opine), await anAnonymous(opine)]) {
        expect(await viewer.get(path)).toMatchObject(HIDDEN);
      }
    }
  });

  test('follows membership: who joins later sees it, who left does not', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const post = await aHubPost(jonas, [hub]);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    expect((await seenBy(lena, post)).id).toBe(post.id);
    await granted(requestLeave(lena, hub));
    await expectHidden(lena, post);
    await join(amara, hub, [lena]);
    expect((await seenBy(lena, post)).id).toBe(post.id);
  });

  test('in two Hubs is shareable, and names to a member of one that one alone', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const other = await aHub(jonas, { name: 'Oak Street' });
    const lena = await aMemberOf(opine, jonas, other, 'Lena');
    const both = await aHubPost(jonas, [hub, other]);
    const one = await aHubPost(jonas, [hub]);
    expect(await seenBy(amara, both)).toMatchObject({ hubs: [inHub(hub)], isShareable: true });
    expect(await seenBy(lena, both)).toMatchObject({ hubs: [inHub(other)], isShareable: true });
    expect(await seenBy(amara, one)).toMatchObject({ hubs: [inHub(hub)], isShareable: false });
    expect(new Set((await seenBy(jonas, both)).hubs)).toEqual(new Set([inHub(hub), inHub(other)]));
    await granted(requestLeave(lena, other));
    await expectHidden(lena, both);
  });

  test('stays with its author who left, and with those who stayed', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const post = await aHubPost(jonas, [hub], SLIDER);
    await granted(requestLeave(jonas, hub));
    expect(await seenBy(jonas, post)).toMatchObject({ hubs: [], permissions: { canDelete: true } });
    expect(await castVote(jonas, post)).toMatchObject(refusal(403, 'VOTE_NOT_ALLOWED'));
    expect((await seenBy(amara, post)).author.id).toBe(jonas.id);
    await granted(requestLeave(amara, hub));
    expect((await seenBy(jonas, post)).hubs).toEqual([]);
    await expectHidden(amara, post);
  });

  test('is in the home feed of no non-member: of no follower, and of no guest of a chosen author', async () => {
    const { hub, jonas } = await aCircle(opine);
    const follower = await aHubReady(opine);
    await follow(follower, jonas);
    await chooseForDefaultFeed(opine, jonas);
    const [locked, open] = [await aHubPost(jonas, [hub]), await aThought(jonas)];
    for (const viewer of [aGuest(opine), await anAnonymous(opine), follower]) {
      const feed = await homeFeed(viewer);
      expect(feed).toContain(open.id);
      expect(feed).not.toContain(locked.id);
    }
  });

  test('is hidden between members where there is a block', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const [hers, his] = [await aHubPost(amara, [hub]), await aHubPost(jonas, [hub])];
    await block(amara, jonas);
    await expectHidden(amara, his);
    await expectHidden(jonas, hers);
  });

  test('has pictures for its members alone', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const picture = await aPng();
    const image = await anUpload(jonas, picture, 'post_image');
    await aHubPost(jonas, [hub], { article: { assetIds: [image.assetId] } });
    expect((await downloaded(amara, image)).bytes).toEqual(picture);
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of [...nonMembers.values(), await anAnonymous(opine)]) {
      const refused = await requestDownload(nonMember, image.assetId);
      expect(refused).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
    }
  });
});

describe('a post for everybody and a Hub', () => {
  test('is there for everybody, and its Hub for members alone', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const post = await aHubPost(jonas, [hub], { visibility: 'public_hub' });
    const nonMembers = await nonMembersOf(opine, amara, hub);
    const everybody = [aGuest(opine), await anAnonymous(opine), await aRegistered(opine)];
    for (const viewer of [...everybody, ...nonMembers.values()]) {
      expect(await seenBy(viewer, post)).toMatchObject({ id: post.id, hubs: [], isShareable: true });
    }
    expect((await seenBy(amara, post)).hubs).toEqual([inHub(hub)]);
  });

  test('counts the votes of all of them together', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const post = await aHubPost(jonas, [hub], { visibility: 'public_hub', ...SLIDER });
    expect((await castVote(amara, post, 'left')).status).toBe(201);
    expect((await castVote(await aRegistered(opine), post, 'right')).status).toBe(201);
    expect(await countsOf(aGuest(opine), post)).toEqual([0, 1, 0, 1, 0]);
  });
});

describe.each(VISIBILITIES)('a %s post is deleted', (visibility) => {
  test('by its author, also one who left, and is gone from the Hub', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const [one, other] = [
      await aHubPost(jonas, [hub], { visibility }),
      await aHubPost(jonas, [hub], { visibility }),
    ];
    await granted(jonas.delete(`/posts/${one.id}`));
    expect(await everybodyIn(amara, `/hubs/${hub.id}/feed`)).toEqual([other.id]);
    await granted(requestLeave(jonas, hub));
    await granted(jonas.delete(`/posts/${other.id}`));
    expect(await everybodyIn(amara, `/hubs/${hub.id}/feed`)).toEqual([]);
    expect(await discussionsOf(amara, hub)).toEqual([]);
    for (const viewer of [amara, jonas]) await expectHidden(viewer, one);
  });

  test('by no admin of its Hub', async () => {
    const { hub, amara, jonas } = await aCircle(opine);
    const post = await aHubPost(jonas, [hub], { visibility });
    expect(await amara.delete(`/posts/${post.id}`)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect((await seenBy(jonas, post)).id).toBe(post.id);
  });
});
