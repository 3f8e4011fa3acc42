import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TIMEOUT } from '../support/account-deletions.ts';
import { type Json, refusal } from '../support/client.ts';
import { aDiscussingCircle, messagesOf, nonMembersOf } from '../support/discussions.ts';
import { granted, NOBODY } from '../support/graph.ts';
import {
  aHubPost,
  aMemberOf,
  aMessage,
  discussionOf,
  join,
  requestLeave,
  requestMessage,
} from '../support/hubs.ts';
import { anAnonymous, type Person } from '../support/people.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, aSent, downloaded, everythingIn, requestDownload } from '../support/uploads.ts';

const NO_ASSET = refusal(404, 'ASSET_NOT_FOUND');

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

const uploadImage = (person: Person) => anUpload(person, picture, 'post_image');

describe('a picture of a message', () => {
  test('every member downloads the picture of a message without text', async () => {
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const { assetId } = await uploadImage(jonas);
    const { status, data } = await requestMessage(jonas, discussion, { assetId });
    expect([status, data.text, data.assetId]).toEqual([201, null, assetId]);
    expect(await messagesOf(amara, discussion)).toEqual([data]);
    const newcomer = await aMemberOf(opine, amara, hub, 'Lena');
    for (const member of [amara, jonas, newcomer]) {
      expect((await downloaded(member, { assetId })).bytes).toEqual(picture);
    }
  });

  test('non-members and former members cannot download the picture, except its owner', async () => {
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const { assetId } = await uploadImage(jonas);
    expect(await requestDownload(lena, assetId)).toMatchObject(NO_ASSET);
    await aMessage(jonas, discussion, 'Look.', { assetId });
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const member of [lena, jonas]) await granted(requestLeave(member, hub));
    for (const nonMember of [...nonMembers.values(), lena, await anAnonymous(opine)]) {
      expect(await requestDownload(nonMember, assetId)).toMatchObject(NO_ASSET);
    }
    for (const viewer of [jonas, amara]) expect((await downloaded(viewer, { assetId })).status).toBe(200);
    await join(amara, hub, [lena]);
    expect((await downloaded(lena, { assetId })).bytes).toEqual(picture);
  });

  test('a message accepts only a completed post_image of its author', async () => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    const hers = await uploadImage(amara);
    await aMessage(amara, discussion, 'Mine.', { assetId: hers.assetId });
    const { uploadId } = await aSent(jonas, picture, 'post_image');
    const others = [
      await anUpload(jonas, picture, 'profile_photo'),
      await anUpload(jonas, picture, 'hub_photo'),
      await anUpload(jonas, aPdf(), 'document'),
    ];
    for (const assetId of [...assetIdsOf([hers, ...others]), uploadId, NOBODY.id]) {
      expect(await requestMessage(jonas, discussion, { text: 'Look.', assetId })).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['assetId'], code: 'unknown_asset' }] }),
      );
    }
    expect(await messagesOf(jonas, discussion)).toHaveLength(1);
  });

  test('the deletion of the post deletes the picture unless another message shows it', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const otherDiscussion = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
    const [alone, shared] = [await uploadImage(jonas), await uploadImage(jonas)];
    for (const { assetId } of [alone, shared]) await aMessage(jonas, discussion, 'Look.', { assetId });
    await aMessage(jonas, otherDiscussion, 'Again.', { assetId: shared.assetId });
    await granted(amara.delete(`/posts/${post.id}`));
    for (const viewer of [amara, jonas]) {
      expect(await requestDownload(viewer, alone.assetId)).toMatchObject(NO_ASSET);
      expect((await downloaded(viewer, shared)).bytes).toEqual(picture);
    }
    const isStored = async () => (await everythingIn(opine.storage)).includes(`media/${alone.assetId}`);
    await expect.poll(isStored, TIMEOUT).toBe(false);
  });
});

function assetIdsOf(assets: readonly Json[]): string[] {
  return assets.map(({ assetId }) => assetId);
}
