import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, refusal } from '../support/client.ts';
import { aHubOfTwo, discussionsOf, nonMembersOf } from '../support/discussions.ts';
import { listedIds } from '../support/graph.ts';
import { aHub, aHubPost, requestLeave } from '../support/hubs.ts';
import { anonymousPerson, hubReadyPerson, registeredPerson } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import {
  publish,
  requestComment,
  requestSavePost,
  requestShareToFeed,
  requestShareToHubs,
  seenBy,
} from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, downloadFile, requestDownload } from '../support/uploads.ts';
import { castVote } from '../support/votes.ts';

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

describe.each(VISIBILITIES)('POST /posts with visibility %s', (visibility) => {
  // docs/product.md PO10, PO15
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
});

test('a member publishes into twenty Hubs', async () => {
  const amara = await hubReadyPerson(opine);
  const hubs = await Promise.all(Array.from({ length: 20 }, () => aHub(amara)));
  const { data } = await requestPublishIn(
    amara,
    hubs.map(({ id }) => id.toUpperCase()),
    {},
  );
  expect(new Set(data.hubs.map(({ id }: Json) => id))).toEqual(new Set(hubs.map(({ id }) => id)));
  expect(data.isShareable).toBe(true);
  for (const hub of hubs) expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([data.id]);
});

describe('a private post', () => {
  // docs/product.md PO13
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

describe('DELETE /posts/{postId} of a private post', () => {
  // docs/product.md PO18
  test('the author deletes the post, even after leaving, and the Hub no longer lists it', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const [one, other] = [await aHubPost(jonas, [hub]), await aHubPost(jonas, [hub])];
    await expectOk(jonas.delete(`/posts/${one.id}`));
    expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([other.id]);
    await expectOk(requestLeave(jonas, hub));
    await expectOk(jonas.delete(`/posts/${other.id}`));
    expect(await listedIds(amara, `/hubs/${hub.id}/feed`)).toEqual([]);
    expect(await discussionsOf(amara, hub)).toEqual([]);
    for (const viewer of [amara, jonas]) {
      expect(await viewer.get(`/posts/${one.id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    }
  });
});

// docs/product.md L5
test('a registered person reads, votes, comments, saves and shares a public_hub post, and does nothing in its Hub', async () => {
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  const post = await aHubPost(amara, [hub], { visibility: 'public_hub', ...SLIDER });
  const person = await registeredPerson(opine);

  await expectOk(person.get(`/posts/${post.id}`));
  await expectOk(castVote(person, post));
  await expectOk(requestComment(person, post, { text: 'It is.' }));
  await expectOk(requestSavePost(person, post));
  await expectOk(requestShareToFeed(person, post));
  const belowLevel4 = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level: 2, nextStep: 'media' });
  for (const acting of [
    requestShareToHubs(person, post, [hub]),
    requestPublishIn(person, [hub.id], { visibility: 'public_hub' }),
    person.get(`/hubs/${hub.id}/feed`),
    person.get(`/hubs/${hub.id}/discussions`),
  ])
    expect(await acting).toMatchObject(belowLevel4);
});
