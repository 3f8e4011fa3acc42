import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aGuest, anAnonymous, type Person } from '../support/people.ts';
import { aJpeg, aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { aPresigned, aSent, complete, downloaded, put, signedInAgain } from '../support/uploads.ts';

const NOWHERE = '01990000-0000-7000-8000-000000000009';
const INVALID = refusal(422, 'VALIDATION_FAILED');
const MEBIBYTE = 1024 * 1024;

let opine: StoringOpine;
let maya: Person;
let picture: Bytes;
let other: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng({ width: 4, height: 3 });
  other = await aPng({ width: 3, height: 4 });
});

afterAll(() => opine.stop());

const somebody = () => anAnonymous(opine);
const conflict = (reason: string) => refusal(409, 'UPLOAD_CONFLICT', { reason });

/** Bytes of that length that are no file of any kind. */
function garbage(length: number): Bytes {
  return new Uint8Array(length).fill(7);
}

describe('an upload is not completed', () => {
  beforeAll(async () => {
    maya = await somebody();
  });

  test('that nobody asked for', async () => {
    expect(await complete(maya, { uploadId: NOWHERE }, picture)).toMatchObject(conflict('unknown'));
  });

  test('by somebody else, who learns nothing of it', async () => {
    const jonas = await somebody();
    const sent = await aSent(maya, picture);
    expect(await complete(jonas, sent, picture)).toMatchObject(conflict('unknown'));
    await complete(maya, sent, picture);
    for (const file of [picture, other]) {
      expect(await complete(jonas, sent, file)).toMatchObject(conflict('unknown'));
    }
  });

  test('for another purpose', async () => {
    const sent = await aSent(maya, picture);
    for (const purpose of ['hub_photo', 'post_image', 'document']) {
      expect(await complete(maya, sent, picture, { purpose })).toMatchObject(conflict('purpose_mismatch'));
    }
  });

  test('before its file is there', async () => {
    const presigned = await aPresigned(maya, picture);
    expect(await complete(maya, presigned, picture)).toMatchObject(conflict('object_missing'));
  });

  test('with another checksum', async () => {
    const sent = await aSent(maya, picture);
    expect(await complete(maya, sent, other)).toMatchObject(conflict('checksum_mismatch'));
  });

  test.each([
    ['more bytes', () => aPng({ width: 40, height: 40 })],
    ['fewer bytes', () => aPng({ width: 1, height: 1 })],
    ['no bytes, though fewer', () => garbage(0)],
    ['eleven megabytes rather', () => garbage(11 * MEBIBYTE)],
  ])('of %s than was announced', async (_, make) => {
    const file: Bytes = await make();
    const presigned = await aPresigned(maya, picture);
    expect((await put(presigned, file)).status).toBe(200);
    expect(file.length).not.toBe(picture.length);
    expect(await complete(maya, presigned, file)).toMatchObject(conflict('content_mismatch'));
  });

  test.each([
    ['an image of another kind', () => aJpeg()],
    ['a document', () => aPdf()],
    ['garbage', () => garbage(500)],
    ['a page', () => Uint8Array.from(Buffer.from('<html><script>alert(1)</script></html>'))],
    ['the first bytes of an image', () => picture.slice(0, 8)],
    ['half an image', () => picture.slice(0, Math.floor(picture.length / 2))],
  ])('of %s', async (_, make) => {
    const file: Bytes = await make();
    const sent = await aSent(maya, file, 'profile_photo', { contentType: 'image/png' });
    expect(await complete(maya, sent, file)).toMatchObject(conflict('content_mismatch'));
  });

  test('as a document that is a picture', async () => {
    const presigned = await aPresigned(maya, picture, 'document', { contentType: 'application/pdf' });
    await put(presigned, picture);
    expect(await complete(maya, presigned, picture, { purpose: 'document' })).toMatchObject(
      conflict('content_mismatch'),
    );
  });

  test('by a guest', async () => {
    const sent = await aSent(maya, picture);
    expect(await complete(aGuest(opine), sent, picture)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test.each<[string, Json]>([
    ['without an id', { uploadId: undefined }],
    ['with an id that is none', { uploadId: 'photo' }],
    ['with a path', { uploadId: `../photos/${NOWHERE}` }],
    ['with a path behind the id', { uploadId: `${NOWHERE}/../${NOWHERE}` }],
    ['without a purpose', { purpose: undefined }],
    ['for an unknown purpose', { purpose: 'contact_snapshot' }],
    ['without a checksum', { checksum: undefined }],
    ['with a short checksum', { checksum: 'a'.repeat(63) }],
    ['with a long checksum', { checksum: 'a'.repeat(65) }],
    ['with a checksum of other letters', { checksum: 'g'.repeat(64) }],
    ['with a checksum and a line end', { checksum: `${'a'.repeat(64)}\n` }],
    ['with an unknown field', { contentType: 'image/png' }],
  ])('%s', async (_, fields) => {
    expect(await complete(maya, { uploadId: NOWHERE }, picture, fields)).toMatchObject(INVALID);
  });
});

describe('of several reasons the first is told', () => {
  test('unknown, expired, purpose_mismatch, object_missing, checksum_mismatch, content_mismatch', async () => {
    const [maya, jonas] = [await somebody(), await somebody()];
    const stale = await aPresigned(maya, picture);
    await timePasses(opine, '16 minutes');
    const [owner, thief] = [await signedInAgain(opine, maya), await signedInAgain(opine, jonas)];
    const wrong = { purpose: 'post_image' };
    expect(await complete(thief, stale, other, wrong)).toMatchObject(conflict('unknown'));
    expect(await complete(owner, stale, other, wrong)).toMatchObject(conflict('expired'));

    const open = await aPresigned(owner, picture);
    expect(await complete(owner, open, other, wrong)).toMatchObject(conflict('purpose_mismatch'));
    expect(await complete(owner, open, other)).toMatchObject(conflict('object_missing'));
    await put(open, garbage(9));
    expect(await complete(owner, open, other, wrong)).toMatchObject(conflict('purpose_mismatch'));
    expect(await complete(owner, open, other)).toMatchObject(conflict('checksum_mismatch'));
    expect(await complete(owner, open, garbage(9))).toMatchObject(conflict('content_mismatch'));
  });

  test('also where everything was right in time', async () => {
    const maya = await somebody();
    const sent = await aSent(maya, picture);
    await timePasses(opine, '16 minutes');
    const late = await complete(await signedInAgain(opine, maya), sent, picture);
    expect(late).toMatchObject(conflict('expired'));
  });
});

test('a file that is replaced while it is completed is either the one that was checked or refused', async () => {
  const maya = await somebody();
  const [file, replacement] = [aPdf('checked'), aPdf('slipped in')];
  const completions = Array.from({ length: 12 }, async () => {
    const sent = await aSent(maya, file, 'document');
    const [reply] = await Promise.all([
      complete(maya, sent, file, { purpose: 'document' }),
      ...Array.from({ length: 4 }, () => put(sent, replacement)),
    ]);
    return reply;
  });
  for (const reply of await Promise.all(completions)) {
    if (reply.status === 201) expect((await downloaded(maya, reply.data)).bytes).toEqual(file);
    else expect(reply).toMatchObject(conflict('checksum_mismatch'));
  }
});
