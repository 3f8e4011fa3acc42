import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { advanceTime, WITH_WORKER } from '../support/opine.ts';
import {
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
  withFreshSession,
} from '../support/people.ts';
import { ALL_METADATA, aJpeg, aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { publish } from '../support/posts.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import {
  anUpload,
  aPendingUpload,
  aPresignedUpload,
  completeUpload,
  downloadFile,
  putFile,
  storageClientOf,
  storedKeys,
} from '../support/uploads.ts';
import { expectAfterWorker, WORKER_TIMEOUT, waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStorage;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage(WITH_WORKER);
  picture = await aPng();
});

afterAll(() => opine.stop());

const isStored = async (path: string) => (await storedKeys(opine.storage)).includes(path);
const incoming = ({ uploadId }: Json) => `uploads/${uploadId}`;
const photo = ({ assetId }: Json) => `photos/${assetId}`;
const media = ({ assetId }: Json) => `media/${assetId}`;

/** Waits until no object is stored at any of `paths`. */
async function waitForRemoval(...paths: string[]): Promise<void> {
  await expectAfterWorker(opine, () => storedAmong(...paths)).toEqual([]);
}

/** Returns those of `paths` where an object is stored. */
async function storedAmong(...paths: string[]): Promise<string[]> {
  return (await storedKeys(opine.storage)).filter((path) => paths.includes(path));
}

describe('cleanup of uploads', () => {
  test('a completed upload leaves the uploads bucket', async () => {
    const maya = await anonymousPerson(opine);
    const file = await aJpeg(ALL_METADATA);
    const sent = await aPendingUpload(maya, file);
    const { data } = await completeUpload(maya, sent, file);
    // The server's own worker deletes it on schedule.
    await expect.poll(() => isStored(incoming(sent)), WORKER_TIMEOUT).toBe(false);
    expect(await isStored(photo(data))).toBe(true);
  });

  test('an expired upload is deleted and an open one stays', async () => {
    const maya = await anonymousPerson(opine);
    const stale = await aPendingUpload(maya, picture);
    await advanceTime(opine, '16 minutes');
    const later = await withFreshSession(opine, maya);
    const open = await aPendingUpload(later, picture);
    await waitForRemoval(incoming(stale));
    expect(await isStored(incoming(open))).toBe(true);
    expect((await completeUpload(later, open, picture)).status).toBe(201);
  });

  test('a failed upload is deleted once it expires', async () => {
    const maya = await anonymousPerson(opine);
    const before = await storedKeys(opine.storage);
    const broken = picture.slice(0, 50);
    const failed = await aPendingUpload(maya, broken, 'profile_photo', { contentType: 'image/png' });
    for (const file of [picture, broken]) {
      expect((await completeUpload(maya, failed, file)).status).toBe(409);
    }
    await advanceTime(opine, '16 minutes');
    await waitForRemoval(incoming(failed));
    const added = (await storedKeys(opine.storage)).filter((path) => !before.includes(path));
    expect(added).toEqual([]);
  });

  // docs/product.md M4
  test('a file PUT after completion is deleted and the asset stays', async () => {
    const maya = await anonymousPerson(opine);
    const sent = await aPendingUpload(maya, picture);
    const { data } = await completeUpload(maya, sent, picture);
    await waitForRemoval(incoming(sent));
    expect((await putFile(sent, await aPng({ green: 200 }))).status).toBe(200);
    await waitForRemoval(incoming(sent));
    expect((await downloadFile(maya, data)).bytes).toEqual(picture);
  });

  test('220 objects without an upload are deleted and an open upload stays', async () => {
    const maya = await anonymousPerson(opine);
    const open = await aPendingUpload(maya, picture);
    const bucket = storageClientOf(opine.storage).from('uploads');
    const keys = ['not-an-id.png', ...Array.from({ length: 219 }, () => randomUUID())];
    await Promise.all(keys.map((key) => bucket.upload(key, picture, { contentType: 'image/png' })));
    await waitForRemoval(...keys.map((uploadId) => incoming({ uploadId })));
    expect((await completeUpload(maya, open, picture)).status).toBe(201);
  });

  test('six concurrent completions leave one asset', async () => {
    const maya = await anonymousPerson(opine);
    const before = await storedKeys(opine.storage);
    const sent = await aPendingUpload(maya, picture);
    const replies = await Promise.all(Array.from({ length: 6 }, () => completeUpload(maya, sent, picture)));
    await waitForRemoval(incoming(sent));
    const added = async () => (await storedKeys(opine.storage)).filter((path) => !before.includes(path));
    const kept = photo(replies[0]?.data);
    await expectAfterWorker(opine, added).toEqual([kept, `${kept}-thumbnail`]);
  });
});

describe('cleanup after account deletion', () => {
  test('attached, unattached and open uploads are deleted', async () => {
    const maya = await confirmedPerson(opine);
    const shown = await anUpload(maya, picture);
    await maya.patch('/users/me/profile', { profileAssetId: shown.assetId });
    const posted = await anUpload(maya, picture, 'post_image');
    await publish(maya, { article: { assetIds: [posted.assetId] } });
    const [loose, document] = [
      await anUpload(maya, picture, 'hub_photo'),
      await anUpload(maya, aPdf(), 'document'),
    ];
    const open = await aPendingUpload(maya, picture);
    const jonas = await anonymousPerson(opine);
    const ofJonas = await anUpload(jonas, picture);

    expect((await maya.delete('/users/me')).status).toBe(200);
    const ofMaya = [photo(shown), media(posted), photo(loose), media(document), incoming(open)];
    await waitForRemoval(...ofMaya);
    await waitUntilDeleted(opine, maya.id);
    expect(await isStored(photo(ofJonas))).toBe(true);
  });

  test('a file PUT after account deletion is deleted', async () => {
    const maya = await anonymousPerson(opine);
    const open = await aPresignedUpload(maya, picture);
    await maya.delete('/users/me');
    expect((await putFile(open, picture)).status).toBe(200);
    await waitForRemoval(incoming(open));
  });

  test('uploads completed during account deletion are deleted', async () => {
    const before = await storedKeys(opine.storage);
    const leaving = await Promise.all(Array.from({ length: 6 }, () => anonymousPerson(opine)));
    await Promise.all(
      leaving.map(async (person) => {
        const sent = await aPendingUpload(person, picture);
        await Promise.all([completeUpload(person, sent, picture), person.delete('/users/me')]);
      }),
    );
    // An unanswered completion is over after this time at the latest.
    await advanceTime(opine, '2 hours');
    for (const { id } of leaving) await waitUntilDeleted(opine, id);
    const added = async () => (await storedKeys(opine.storage)).filter((path) => !before.includes(path));
    await expectAfterWorker(opine, added).toEqual([]);
  });
});

describe('uploads and a merge', () => {
  async function merge(anonymous: Person, { phoneNumber }: Person): Promise<Json> {
    await advanceTime(opine, '1 minute');
    await requestOtp(anonymous, phoneNumber);
    const { data } = await enterCode(anonymous, phoneNumber);
    expect(data.merged).toBe(true);
    return clientOf(opine.url, data.accessToken);
  }

  test('the phone user attaches and owns the uploads of the merged user', async () => {
    const [known, anonymous] = [await confirmedPerson(opine), await registeredPerson(opine)];
    const [portrait, image] = [
      await anUpload(anonymous, picture),
      await anUpload(anonymous, picture, 'post_image'),
    ];
    const merged = await merge(anonymous, known);
    await waitUntilDeleted(opine, anonymous.id);
    expect((await downloadFile(merged, portrait)).bytes).toEqual(picture);
    expect((await publish(merged, { article: { assetIds: [image.assetId] } })).status).toBe(201);
    const { data } = await merged.patch('/users/me/profile', { profileAssetId: portrait.assetId });
    expect(data.editable.profileAssetId).toBe(portrait.assetId);
    expect(await storedAmong(photo(portrait), media(image))).toHaveLength(2);
    await merged.delete('/users/me');
    await waitForRemoval(photo(portrait), media(image));
  });

  test('the phone user completes an open upload of the merged user', async () => {
    const [known, anonymous] = [await confirmedPerson(opine), await anonymousPerson(opine)];
    const sent = await aPendingUpload(anonymous, picture);
    const merged = await merge(anonymous, known);
    expect((await completeUpload(merged, sent, picture)).status).toBe(201);
    expect(await completeUpload(await anonymousPerson(opine), sent, picture)).toMatchObject(
      refusal(409, 'UPLOAD_CONFLICT', { reason: 'unknown' }),
    );
  });
});

describe('a storage outage', () => {
  test('the worker performs all deletions after the outage', async () => {
    const maya = await confirmedPerson(opine);
    const [one, next] = [await anUpload(maya, picture), await anUpload(maya, picture)];
    await maya.patch('/users/me/profile', { profileAssetId: one.assetId });
    const sent = await aPendingUpload(maya, picture);
    const { somebodyWaits } = await opine.storage.hang();
    const { status } = await maya.patch('/users/me/profile', { profileAssetId: next.assetId });
    expect(status).toBe(200);
    await expect.poll(somebodyWaits, WORKER_TIMEOUT).toBe(true);
    await opine.storage.takeDown();
    await advanceTime(opine, '16 minutes');
    await opine.storage.bringBack();
    await advanceTime(opine, '1 day');
    await waitForRemoval(photo(one), incoming(sent));
    expect(await isStored(photo(next))).toBe(true);
  });
});
