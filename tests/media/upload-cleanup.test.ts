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

const lies = async (place: string) => (await everythingIn(opine.storage)).includes(place);
const incoming = ({ uploadId }: Json) => `uploads/${uploadId}`;
const photo = ({ assetId }: Json) => `photos/${assetId}`;
const media = ({ assetId }: Json) => `media/${assetId}`;

/** Waits until nothing lies at those places. */
async function untilSwept(...places: string[]): Promise<void> {
  await expectOnceWorked(opine, () => leftOf(...places)).toEqual([]);
}

/** Those of `places` where something lies. */
async function leftOf(...places: string[]): Promise<string[]> {
  return (await everythingIn(opine.storage)).filter((place) => places.includes(place));
}

describe('of an upload nothing is left', () => {
  test('in the bucket that takes files in once it is completed', async () => {
    const maya = await anAnonymous(opine);
    const file = await aJpeg(TALKATIVE);
    const sent = await aSent(maya, file);
    const { data } = await complete(maya, sent, file);
    // By the server's own worker, in its rhythm.
    await expect.poll(() => lies(incoming(sent)), TIMEOUT).toBe(false);
    expect(await lies(photo(data))).toBe(true);
  });

  test('once it has expired, while that of an open one stays', async () => {
    const maya = await anAnonymous(opine);
    const stale = await aSent(maya, picture);
    await timePasses(opine, '16 minutes');
    const later = await signedInAgain(opine, maya);
    const open = await aSent(later, picture);
    await untilSwept(incoming(stale));
    expect(await lies(incoming(open))).toBe(true);
    expect((await complete(later, open, picture)).status).toBe(201);
  });

  test('that failed, once it has expired', async () => {
    const maya = await anAnonymous(opine);
    const before = await everythingIn(opine.storage);
    const broken = picture.slice(0, 50);
    const failed = await aSent(maya, broken, 'profile_photo', { contentType: 'image/png' });
    for (const file of [picture, broken]) {
      expect((await complete(maya, failed, file)).status).toBe(409);
    }
    await timePasses(opine, '16 minutes');
    await untilSwept(incoming(failed));
    const added = (await everythingIn(opine.storage)).filter((place) => !before.includes(place));
    expect(added).toEqual([]);
  });

  test('where a file comes after it was completed', async () => {
    const maya = await anAnonymous(opine);
    const sent = await aSent(maya, picture);
    const { data } = await complete(maya, sent, picture);
    await untilSwept(incoming(sent));
    expect((await put(sent, await aPng({ green: 200 }))).status).toBe(200);
    await untilSwept(incoming(sent));
    expect((await downloaded(maya, data)).bytes).toEqual(picture);
  });

  test('that nobody asked for', async () => {
    const key = randomUUID();
    const odd = 'not-an-id.png';
    for (const name of [key, odd]) {
      const { error } = await serviceOf(opine.storage)
        .from('uploads')
        .upload(name, picture, { contentType: 'image/png' });
      expect(error).toBeNull();
    }
    await untilSwept(`uploads/${key}`, `uploads/${odd}`);
  });

  test('however many lie there', async () => {
    const maya = await anAnonymous(opine);
    const open = await aSent(maya, picture);
    const bucket = serviceOf(opine.storage).from('uploads');
    const keys = Array.from({ length: 220 }, () => randomUUID());
    await Promise.all(keys.map((key) => bucket.upload(key, picture, { contentType: 'image/png' })));
    await untilSwept(...keys.map((uploadId) => incoming({ uploadId })));
    expect((await complete(maya, open, picture)).status).toBe(201);
  });

  test('by being completed six times at once but one asset', async () => {
    const maya = await anAnonymous(opine);
    const before = await everythingIn(opine.storage);
    const sent = await aSent(maya, picture);
    const replies = await Promise.all(Array.from({ length: 6 }, () => complete(maya, sent, picture)));
    await untilSwept(incoming(sent));
    const added = async () => (await everythingIn(opine.storage)).filter((place) => !before.includes(place));
    await expectOnceWorked(opine, added).toEqual([photo(replies[0]?.data)]);
  });
});

describe('of whoever ends the account nothing is left', () => {
  test('neither what hangs somewhere nor what never did', async () => {
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
    const his = await anUpload(jonas, picture);

    expect((await maya.delete('/users/me')).status).toBe(200);
    const hers = [photo(shown), media(posted), photo(loose), media(document), incoming(open)];
    await untilSwept(...hers);
    await untilGone(opine, maya.id);
    expect(await lies(photo(his))).toBe(true);
  });

  test('also where a file comes after them', async () => {
    const maya = await anAnonymous(opine);
    const open = await aPresigned(maya, picture);
    await maya.delete('/users/me');
    expect((await put(open, picture)).status).toBe(200);
    await untilSwept(incoming(open));
  });

  test('also where they complete uploads while they leave', async () => {
    const before = await everythingIn(opine.storage);
    const leaving = await Promise.all(Array.from({ length: 6 }, () => anAnonymous(opine)));
    await Promise.all(
      leaving.map(async (person) => {
        const sent = await aSent(person, picture);
        await Promise.all([complete(person, sent, picture), person.delete('/users/me')]);
      }),
    );
    // So long may a completion take that nobody hears of again.
    await timePasses(opine, '2 hours');
    for (const { id } of leaving) await untilGone(opine, id);
    const added = async () => (await everythingIn(opine.storage)).filter((place) => !before.includes(place));
    await expectOnceWorked(opine, added).toEqual([]);
  });
});

describe('who is merged into the user of a phone', () => {
  async function merge(anonymous: Person, { phoneNumber }: Person): Promise<Json> {
    await timePasses(opine, '1 minute');
    await requestOtp(anonymous, phoneNumber);
    const { data } = await enterCode(anonymous, phoneNumber);
    expect(data.merged).toBe(true);
    return clientOf(opine.url, data.accessToken);
  }

  test('brings what was uploaded, for use', async () => {
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
    expect(await leftOf(photo(portrait), media(image))).toHaveLength(2);
    await merged.delete('/users/me');
    await untilSwept(photo(portrait), media(image));
  });

  test('completes what was under way', async () => {
    const [known, anonymous] = [await aConfirmed(opine), await anAnonymous(opine)];
    const sent = await aSent(anonymous, picture);
    const merged = await merge(anonymous, known);
    expect((await complete(merged, sent, picture)).status).toBe(201);
    expect(await complete(await anAnonymous(opine), sent, picture)).toMatchObject(
      refusal(409, 'UPLOAD_CONFLICT', { reason: 'unknown' }),
    );
  });
});

describe('while storage is away', () => {
  test('the worker waits for it, and forgets nothing', async () => {
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
    await untilSwept(photo(one), incoming(sent));
    expect(await lies(photo(next))).toBe(true);
  });
});
