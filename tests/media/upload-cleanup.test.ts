import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TIMEOUT, untilGone } from '../support/account-deletions.ts';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aConfirmed, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aJpeg, aPdf, aPng, type Bytes, TALKATIVE } from '../support/pictures.ts';
import { publish } from '../support/posts.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import {
  anUpload,
  aPresigned,
  aSent,
  complete,
  downloaded,
  everythingIn,
  put,
  serviceOf,
  signedInAgain,
} from '../support/uploads.ts';
import { expectOnceWorked } from '../support/worker.ts';

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

const isStored = async (path: string) => (await everythingIn(opine.storage)).includes(path);
const incoming = ({ uploadId }: Json) => `uploads/${uploadId}`;
const photo = ({ assetId }: Json) => `photos/${assetId}`;
const media = ({ assetId }: Json) => `media/${assetId}`;

/** Waits until no object is stored at any of `paths`. */
async function waitForRemoval(...paths: string[]): Promise<void> {
  await expectOnceWorked(opine, () => storedAmong(...paths)).toEqual([]);
}

/** Returns those of `paths` where an object is stored. */
async function storedAmong(...paths: string[]): Promise<string[]> {
  return (await everythingIn(opine.storage)).filter((path) => paths.includes(path));
}

describe('cleanup of uploads', () => {
  test('a completed upload leaves the uploads bucket', async () => {
    const maya = await anAnonymous(opine);
    const file = await aJpeg(TALKATIVE);
    const sent = await aSent(maya, file);
    const { data } = await complete(maya, sent, file);
    // The server's own worker deletes it on schedule.
    await expect.poll(() => isStored(incoming(sent)), TIMEOUT).toBe(false);
    expect(await isStored(photo(data))).toBe(true);
  });

  test('an expired upload is deleted and an open one stays', async () => {
    const maya = await anAnonymous(opine);
    const stale = await aSent(maya, picture);
    await timePasses(opine, '16 minutes');
    const later = await signedInAgain(opine, maya);
    const open = await aSent(later, picture);
    await waitForRemoval(incoming(stale));
    expect(await isStored(incoming(open))).toBe(true);
    expect((await complete(later, open, picture)).status).toBe(201);
  });

  test('a failed upload is deleted once it expires', async () => {
    const maya = await anAnonymous(opine);
    const before = await everythingIn(opine.storage);
    const broken = picture.slice(0, 50);
    const failed = await aSent(maya, broken, 'profile_photo', { contentType: 'image/png' });
    for (const file of [picture, broken]) {
      expect((await complete(maya, failed, file)).status).toBe(409);
    }
    await timePasses(opine, '16 minutes');
    await waitForRemoval(incoming(failed));
    const added = (await everythingIn(opine.storage)).filter((path) => !before.includes(path));
    expect(added).toEqual([]);
  });

  test('a file PUT after completion is deleted and the asset stays', async () => {
    const maya = await anAnonymous(opine);
    const sent = await aSent(maya, picture);
    const { data } = await complete(maya, sent, picture);
    await waitForRemoval(incoming(sent));
    expect((await put(sent, await aPng({ green: 200 }))).status).toBe(200);
    await waitForRemoval(incoming(sent));
    expect((await downloaded(maya, data)).bytes).toEqual(picture);
  });

  test('objects without an upload are deleted', async () => {
    const key = randomUUID();
    const odd = 'not-an-id.png';
    for (const name of [key, odd]) {
      const { error } = await serviceOf(opine.storage)
        .from('uploads')
        .upload(name, picture, { contentType: 'image/png' });
      expect(error).toBeNull();
    }
    await waitForRemoval(`uploads/${key}`, `uploads/${odd}`);
  });

  test('220 objects without an upload are deleted and an open upload stays', async () => {
    const maya = await anAnonymous(opine);
    const open = await aSent(maya, picture);
    const bucket = serviceOf(opine.storage).from('uploads');
    const keys = Array.from({ length: 220 }, () => randomUUID());
    await Promise.all(keys.map((key) => bucket.upload(key, picture, { contentType: 'image/png' })));
    await waitForRemoval(...keys.map((uploadId) => incoming({ uploadId })));
    expect((await complete(maya, open, picture)).status).toBe(201);
  });

  test('six concurrent completions leave one asset', async () => {
    const maya = await anAnonymous(opine);
    const before = await everythingIn(opine.storage);
    const sent = await aSent(maya, picture);
    const replies = await Promise.all(Array.from({ length: 6 }, () => complete(maya, sent, picture)));
    await waitForRemoval(incoming(sent));
    const added = async () => (await everythingIn(opine.storage)).filter((path) => !before.includes(path));
    await expectOnceWorked(opine, added).toEqual([photo(replies[0]?.data)]);
  });
});

describe('cleanup after account deletion', () => {
  test('attached, unattached and open uploads are deleted', async () => {
    const maya = await aConfirmed(opine);
    const shown = await anUpload(maya, picture);
    await maya.patch('/users/me/profile', { profileAssetId: shown.assetId });
    const posted = await anUpload(maya, picture, 'post_image');
    await publish(maya, { article: { assetIds: [posted.assetId] } });
    const [loose, document] = [
      await anUpload(maya, picture, 'hub_photo'),
      await anUpload(maya, aPdf(), 'document'),
    ];
    const open = await aSent(maya, picture);
    const jonas = await anAnonymous(opine);
    const ofJonas = await anUpload(jonas, picture);

    expect((await maya.delete('/users/me')).status).toBe(200);
    const ofMaya = [photo(shown), media(posted), photo(loose), media(document), incoming(open)];
    await waitForRemoval(...ofMaya);
    await untilGone(opine, maya.id);
    expect(await isStored(photo(ofJonas))).toBe(true);
  });

  test('a file PUT after account deletion is deleted', async () => {
    const maya = await anAnonymous(opine);
    const open = await aPresigned(maya, picture);
    await maya.delete('/users/me');
    expect((await put(open, picture)).status).toBe(200);
    await waitForRemoval(incoming(open));
  });

  test('uploads completed during account deletion are deleted', async () => {
    const before = await everythingIn(opine.storage);
    const leaving = await Promise.all(Array.from({ length: 6 }, () => anAnonymous(opine)));
    await Promise.all(
      leaving.map(async (person) => {
        const sent = await aSent(person, picture);
        await Promise.all([complete(person, sent, picture), person.delete('/users/me')]);
      }),
    );
    // An unanswered completion is over after this time at the latest.
    await timePasses(opine, '2 hours');
    for (const { id } of leaving) await untilGone(opine, id);
    const added = async () => (await everythingIn(opine.storage)).filter((path) => !before.includes(path));
    await expectOnceWorked(opine, added).toEqual([]);
  });
});

describe('uploads and a merge', () => {
  async function merge(anonymous: Person, { phoneNumber }: Person): Promise<Json> {
    await timePasses(opine, '1 minute');
    await requestOtp(anonymous, phoneNumber);
    const { data } = await enterCode(anonymous, phoneNumber);
    expect(data.merged).toBe(true);
    return clientOf(opine.url, data.accessToken);
  }

  test('the phone user attaches and owns the uploads of the merged user', async () => {
    const [known, anonymous] = [await aConfirmed(opine), await aRegistered(opine)];
    const [portrait, image] = [
      await anUpload(anonymous, picture),
      await anUpload(anonymous, picture, 'post_image'),
    ];
    const merged = await merge(anonymous, known);
    await untilGone(opine, anonymous.id);
    expect((await downloaded(merged, portrait)).bytes).toEqual(picture);
    expect((await publish(merged, { article: { assetIds: [image.assetId] } })).status).toBe(201);
    const { data } = await merged.patch('/users/me/profile', { profileAssetId: portrait.assetId });
    expect(data.editable.profileAssetId).toBe(portrait.assetId);
    expect(await storedAmong(photo(portrait), media(image))).toHaveLength(2);
    await merged.delete('/users/me');
    await waitForRemoval(photo(portrait), media(image));
  });

  test('the phone user completes an open upload of the merged user', async () => {
    const [known, anonymous] = [await aConfirmed(opine), await anAnonymous(opine)];
    const sent = await aSent(anonymous, picture);
    const merged = await merge(anonymous, known);
    expect((await complete(merged, sent, picture)).status).toBe(201);
    expect(await complete(await anAnonymous(opine), sent, picture)).toMatchObject(
      refusal(409, 'UPLOAD_CONFLICT', { reason: 'unknown' }),
    );
  });
});

describe('a storage outage', () => {
  test('the worker performs all deletions after the outage', async () => {
    const maya = await aConfirmed(opine);
    const [one, next] = [await anUpload(maya, picture), await anUpload(maya, picture)];
    await maya.patch('/users/me/profile', { profileAssetId: one.assetId });
    const sent = await aSent(maya, picture);
    const { somebodyWaits } = await opine.storage.hang();
    const { status } = await maya.patch('/users/me/profile', { profileAssetId: next.assetId });
    expect(status).toBe(200);
    await expect.poll(somebodyWaits, TIMEOUT).toBe(true);
    await opine.storage.takeDown();
    await timePasses(opine, '16 minutes');
    await opine.storage.bringBack();
    await timePasses(opine, '1 day');
    await waitForRemoval(photo(one), incoming(sent));
    expect(await isStored(photo(next))).toBe(true);
  });
});
