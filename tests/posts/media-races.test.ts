import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Reply, refusal } from '../support/client.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { publish } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, downloadFile, requestDownload, storedKeys } from '../support/uploads.ts';
import { WORKER_TIMEOUT } from '../support/worker.ts';

let opine: OpineWithStorage;
let amara: Person;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  amara = await confirmedPerson(opine, 'Amara');
  picture = await aPng();
});

afterAll(() => opine.stop());

const anImage = () => anUpload(amara, picture, 'post_image');
const publishWith = (...assets: Json[]): Promise<Reply> =>
  publish(amara, { article: { assetIds: assets.map(({ assetId }) => assetId) } });
const deletePost = ({ id }: Json): Promise<Reply> => amara.delete(`/posts/${id}`);
const isStored = async ({ assetId }: Json) => (await storedKeys(opine.storage)).includes(`media/${assetId}`);

/** Expects a 404 for the asset at once, and its object to be deleted by the worker. */
async function expectDeleted(asset: Json): Promise<void> {
  expect(await requestDownload(amara, asset.assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
  await expect.poll(() => isStored(asset), WORKER_TIMEOUT).toBe(false);
}

/** Waits until the worker has deleted an image that was released last, so that earlier deletions have run. */
async function waitForWorker(): Promise<void> {
  const image = await anImage();
  const { data: post } = await publishWith(image);
  await deletePost(post);
  await expectDeleted(image);
}

describe('media of a deleted post', () => {
  test('a concurrent publication keeps the media or is refused as unknown_asset', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const image = await anImage();
      const { data: one } = await publishWith(image);
      const [deletion, other] = await Promise.all([deletePost(one), publishWith(image)]);
      return { image, deletion, other };
    });
    const raced = await Promise.all(races);
    await waitForWorker();
    for (const { image, deletion, other } of raced) {
      expect(deletion.status).toBe(200);
      if (other.status === 201) expect((await downloadFile(amara, image)).bytes).toEqual(picture);
      else {
        const issues = [{ path: ['article', 'assetIds', 0], code: 'unknown_asset' }];
        expect(other).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues }));
        await expectDeleted(image);
      }
    }
  });

  test('concurrent deletions of both posts with an image delete the image', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const image = await anImage();
      const posts = [(await publishWith(image)).data, (await publishWith(image)).data];
      const deletions = await Promise.all(posts.map(deletePost));
      expect(deletions.map(({ status }) => status)).toEqual([200, 200]);
      return image;
    });
    for (const image of await Promise.all(races)) await expectDeleted(image);
  });

  test('concurrent publications and deletions do not deadlock for any order of the assets', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const [one, two, three] = [await anImage(), await anImage(), await anImage()];
      const { data: post } = await publishWith(one, two, three);
      const { data: other } = await publishWith(three, one, two);
      return Promise.all([
        deletePost(post),
        publishWith(three, two, one),
        deletePost(other),
        publishWith(two, three, one),
        publishWith(one, two, three),
      ]);
    });
    for (const replies of await Promise.all(races)) {
      const [first, , second] = replies;
      expect([first?.status, second?.status]).toEqual([200, 200]);
      for (const { status } of replies) expect([200, 201, 422]).toContain(status);
    }
  });
});
