import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubOfTwo, discussionsOf, nonMembersOf } from '../support/discussions.ts';
import { listedIds } from '../support/graph.ts';
import { aHub, aHubPost, requestLeave } from '../support/hubs.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  registeredPerson,
} from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { publish, seenBy } from '../support/posts.ts';
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
const requestPublishIn = (author: Client, hubIds: unknown, fields: object = {}) =>
  publish(author, { visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds, ...fields });
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

describe.each(VISIBILITIES)('POST /posts with visibility %s', (visibility) => {
  test('a member publishes into one Hub, and the card names the Hub', async () => {
    const { hub, jonas } = await aHubOfTwo(opine);
    const { status, data } = await requestPublishIn(jonas, [hub.id], { visibility, ...SLIDER });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      author: { id: jonas.id, username: jonas.username },
      ...SLIDER,
      visibility,
      hubs: [hubSummary(hub)],
      isShareable: visibility === 'public_hub',
      viewerVote: { hasVoted: false, votedAt: null },
      permissions: { canVote: true, canDelete: true },
    });
    expect(await seenBy(jonas, data)).toEqual(data);
  });

  test('a member publishes into twenty Hubs', async () => {
    const amara = await hubReadyPerson(opine);
    const hubs = await Promise.all(Array.from({ length: 20 }, () => aHub(amara)));
    const { data } = await requestPublishIn(
      amara,
      hubs.map(({ id }) => id.toUpperCase()),
      { visibility },
    );
    expect(new Set(data.hubs.map(({ id }: Json) => id))).toEqual(new Set(hubs.map(({ id }) => id)));
    expect(data.isShareable).toBe(true);
    for (const hub of hubs) expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([data.id]);
  });
});

describe('a refused post into Hubs', () => {
  test('guests, people below level 4 and non-members of one of the Hubs are refused', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    expect(await requestPublishIn(aGuest(opine), [hub.id])).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const confirmed = await requestPublishIn(await confirmedPerson(opine), [hub.id]);
    const details = { requiredLevel: 4, level: 3, nextStep: 'contacts' };
    expect([confirmed.status, confirmed.error.details]).toEqual([403, details]);
    for (const nonMember of (await nonMembersOf(opine, amara, hub)).values()) {
      const refused = await requestPublishIn(nonMember, [(await aHub(nonMember)).id, hub.id]);
      expect([refused.status, refused.error.code, refused.error.details]).toEqual([403, 'FORBIDDEN', {}]);
    }
    expect(await requestPublishIn(jonas, [hub.id, NONEXISTENT.id])).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect([await listedIds(amara, `/hubs/${hub.id}/feed`), await discussionsOf(amara, hub)]).toEqual([
      [],
      [],
    ]);
  });

  test('a malformed hubIds is refused with 422', async () => {
    const amara = await hubReadyPerson(opine);
    const { id } = await aHub(amara);
    const none = [undefined, null, [], id, { id }, [null], [7], [[id]], [{ id }], ['']];
    const pairs = [id, id.toUpperCase(), ...MALFORMED_IDS].map((other) => [id, other]);
    for (const hubIds of [...none, ...pairs]) {
      expect(await requestPublishIn(amara, hubIds)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    expect(await listedIds(amara, `/hubs/${id}/feed`)).toEqual([]);
  });
});

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
  test('every viewer sees the post without its Hub, and the global pool counts votes of non-members', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const post = await aHubPost(jonas, [hub], { visibility: 'public_hub', ...SLIDER });
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const viewer of [aGuest(opine), await anonymousPerson(opine), ...nonMembers.values()]) {
      expect(await seenBy(viewer, post)).toMatchObject({ id: post.id, hubs: [], isShareable: true });
    }
    expect((await castVote(amara, post, 'left')).status).toBe(201);
    expect((await castVote(await registeredPerson(opine), post, 'right')).status).toBe(201);
    expect(await countsOf(aGuest(opine), post)).toEqual([0, 1, 0, 1, 0]);
  });
});

describe('DELETE /posts/{postId} of a private post', () => {
  test('the author deletes the post, even after leaving, and the Hub no longer lists it', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const [one, other] = [await aHubPost(jonas, [hub]), await aHubPost(jonas, [hub])];
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
    const post = await aHubPost(jonas, [hub]);
    expect(await amara.delete(`/posts/${post.id}`)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect((await seenBy(jonas, post)).id).toBe(post.id);
  });
});
