import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Extras, type Json, refusal } from '../support/client.ts';
import { stopTimeouts } from '../support/clock.ts';
import { aGuest, anonymousPerson, type Person } from '../support/people.ts';
import { aJpeg, aPdf, aPng, ascii, aWebp, type Bytes, bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { eventually } from '../support/streams.ts';
import {
  anUpload,
  aPendingUpload,
  aPresignedUpload,
  checksumOf,
  completeUpload,
  downloadFile,
  type Purpose,
  putFile,
} from '../support/uploads.ts';

const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

/** How long the service takes for a file. */
const TIMEOUT_MS = 20_000;

let opine: OpineWithStorage;
let picture: Bytes;
let other: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng({ width: 4, height: 3 });
  other = await aPng({ width: 3, height: 4 });
});

afterEach(() => opine.storage.bringBack());

afterAll(() => opine.stop());

// Tests move the clock, which ends sessions: each test has new people.
const newPerson = () => anonymousPerson(opine);
const conflict = (reason: string) => refusal(409, 'UPLOAD_CONFLICT', { reason });

/** Returns `length` bytes of no known file type. */
function garbage(length: number): Bytes {
  return new Uint8Array(length).fill(7);
}

describe('a completed upload', () => {
  // docs/product.md M4, M12
  test.each<[Purpose, string]>([
    ['profile_photo', 'image/png'],
    ['hub_photo', 'image/jpeg'],
    ['post_image', 'image/webp'],
  ])('a %s of %s is an asset with dimensions and blurhash', async (purpose, contentType) => {
    const maya = await newPerson();
    const make = { 'image/png': aPng, 'image/jpeg': aJpeg, 'image/webp': aWebp }[contentType] ?? aPng;
    const file = await make({ width: 4, height: 3 });
    const sent = await aPendingUpload(maya, file, purpose);
    const { status, data } = await completeUpload(maya, sent, file, { purpose });
    expect(status).toBe(201);
    expect(data).toEqual({
      assetId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      purpose,
      contentType,
      sizeBytes: file.length,
      checksum: checksumOf(file),
      width: 4,
      height: 3,
      blurhash: expect.stringMatching(/^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,}$/),
    });
    expect(data.assetId).not.toBe(sent.uploadId);
    const { headers, bytes } = await downloadFile(maya, data);
    expect(headers.get('content-type')).toBe(contentType);
    expect(bytes).toEqual(file);
  });

  // docs/product.md M4, M12
  test('a document is an asset without dimensions and blurhash', async () => {
    const maya = await newPerson();
    const file = await aPdf();
    expect(await anUpload(maya, file, 'document', { fileName: 'a.pdf' })).toEqual({
      assetId: expect.any(String),
      purpose: 'document',
      contentType: 'application/pdf',
      sizeBytes: file.length,
      checksum: checksumOf(file),
      width: null,
      height: null,
      blurhash: null,
    });
  });

  test('an upper-case upload id and checksum are accepted, and the checksum is answered in lower case', async () => {
    const maya = await newPerson();
    const sent = await aPendingUpload(maya, picture);
    const checksum = checksumOf(picture);
    const upper = { uploadId: sent.uploadId.toUpperCase(), checksum: checksum.toUpperCase() };
    const { status, data } = await completeUpload(maya, sent, picture, upper);
    expect([status, data.checksum]).toEqual([201, checksum]);
    expect((await completeUpload(maya, sent, picture)).data).toEqual(data);
  });

  test('the asset has the announced content type and not the type of the PUT', async () => {
    const maya = await newPerson();
    const presigned = await aPresignedUpload(maya, picture);
    expect((await putFile(presigned, picture, { 'Content-Type': 'image/webp' })).status).toBe(200);
    const { data } = await completeUpload(maya, presigned, picture);
    expect((await downloadFile(maya, data)).headers.get('content-type')).toBe('image/png');
  });

  test('concurrent uploads of the same file are separate assets', async () => {
    const [maya, jonas] = [await newPerson(), await newPerson()];
    const assets = await Promise.all([maya, maya, jonas].map((person) => anUpload(person, picture)));
    expect(new Set(assets.map(({ assetId }) => assetId)).size).toBe(3);
  });
});

describe('a repeated completion', () => {
  test('six concurrent completions answer one asset', async () => {
    const maya = await newPerson();
    const sent = await aPendingUpload(maya, picture);
    const replies = await Promise.all(Array.from({ length: 6 }, () => completeUpload(maya, sent, picture)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map(({ data }) => data.assetId)).size).toBe(1);
    expect((await downloadFile(maya, replies[0]?.data)).bytes).toEqual(picture);
  });

  // docs/product.md M5
  test('the same asset is answered after another file was PUT', async () => {
    const maya = await newPerson();
    const sent = await aPendingUpload(maya, picture);
    const { data } = await completeUpload(maya, sent, picture);
    await putFile(sent, other);
    expect(await completeUpload(maya, sent, other)).toMatchObject(conflict('checksum_mismatch'));
    expect((await completeUpload(maya, sent, picture)).data).toEqual(data);
    expect((await downloadFile(maya, data)).bytes).toEqual(picture);
  });
});

describe('a failed completion', () => {
  // docs/product.md M5
  test('the upload stays open for the right file', async () => {
    const maya = await newPerson();
    const presigned = await aPresignedUpload(maya, picture);
    expect(await completeUpload(maya, presigned, picture)).toMatchObject(conflict('object_missing'));
    await putFile(presigned, other);
    expect(await completeUpload(maya, presigned, picture)).toMatchObject(conflict('checksum_mismatch'));
    await putFile(presigned, garbage(picture.length));
    expect(await completeUpload(maya, presigned, garbage(picture.length))).toMatchObject(
      conflict('content_mismatch'),
    );
    await putFile(presigned, picture);
    const { status, data } = await completeUpload(maya, presigned, picture);
    expect([status, data.checksum]).toEqual([201, checksumOf(picture)]);
    expect((await downloadFile(maya, data)).bytes).toEqual(picture);
  });
});

// docs/product.md M5
describe('a file that is not what was announced', () => {
  const finish = async (announced: Bytes, sent: Bytes, purpose: Purpose = 'post_image') => {
    const maya = await newPerson();
    const presigned = await aPresignedUpload(maya, announced, purpose);
    await putFile(presigned, sent);
    return completeUpload(maya, presigned, sent, { purpose });
  };
  const mismatch = (cause: string) => refusal(409, 'UPLOAD_CONFLICT', { reason: 'content_mismatch', cause });

  test('a file of another type, a HEIC too, is other_type', async () => {
    const heic = ascii('\0\0\0\x18ftypheic'.padEnd(picture.length));
    for (const file of [await aJpeg(), await aPdf(), heic])
      expect(await finish(picture, file)).toMatchObject(mismatch('other_type'));
    expect(await finish(aPdf(), picture, 'document')).toMatchObject(mismatch('other_type'));
  });

  test.each([1, 12, 4096, 2 ** 20])('%i random bytes are not_decodable', async (length) => {
    const noise = bytes(...Array.from({ length: Math.ceil(length / 4096) }, () => randomBytes(4096))).slice(
      0,
      length,
    );
    // No name of a format at the start.
    noise[0] = 0;
    for (const start of [new Uint8Array(), Uint8Array.of(0xff, 0xd8, 0xff)]) {
      const file = bytes(start, noise).slice(0, length);
      const announced = await aJpeg();
      const presigned = { contentType: 'image/jpeg', sizeBytes: length };
      const maya = await newPerson();
      const upload = await aPresignedUpload(maya, announced, 'post_image', presigned);
      await putFile(upload, file);
      expect(await completeUpload(maya, upload, file, { purpose: 'post_image' })).toMatchObject(
        mismatch('not_decodable'),
      );
    }
  });

  test('a picture that lacks pixels is not_decodable, and one that lacks its end alone is stored with one', async () => {
    const jpeg = await aJpeg({ width: 200, height: 150 });
    const cut = jpeg.slice(0, -100);
    expect(await finish(cut, cut)).toMatchObject(mismatch('not_decodable'));
    const maya = await newPerson();
    const asset = await anUpload(maya, jpeg.slice(0, -2), 'post_image');
    expect((await downloadFile(maya, asset)).bytes).toEqual(jpeg);
  });

  test('a file that is larger than announced is too_large', async () => {
    expect(await finish(aPdf(), aPdf('a document of Maya and Jonas'), 'document')).toMatchObject(
      mismatch('too_large'),
    );
  });

  // docs/product.md M4
  test('a PDF with 1,024 bytes before its header is stored as it is', async () => {
    const maya = await newPerson();
    const file = bytes(new Uint8Array(1024).fill(10), aPdf());
    const presigned = await aPresignedUpload(maya, file, 'document', { contentType: 'application/pdf' });
    await putFile(presigned, file);
    const { status, data } = await completeUpload(maya, presigned, file, { purpose: 'document' });
    expect(status).toBe(201);
    expect((await downloadFile(maya, data)).bytes).toEqual(file);
  });
});

describe('a completion with an Idempotency-Key', () => {
  const key: Extras = { headers: { 'idempotency-key': 'a-key' } };
  const finish = (person: Person, sent: Json, file = picture) => completeUpload(person, sent, file, {}, key);

  test('a repeated key replays the answer', async () => {
    const maya = await newPerson();
    const sent = await aPendingUpload(maya, picture);
    const first = await finish(maya, sent);
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const again = await finish(maya, sent);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
  });

  test('the same key with another upload answers 409', async () => {
    const maya = await newPerson();
    const [one, two] = [await aPendingUpload(maya, picture), await aPendingUpload(maya, picture)];
    await finish(maya, one);
    expect(await finish(maya, two)).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
    expect(await finish(await newPerson(), two)).toMatchObject(conflict('unknown'));
  });

  test('a failed completion does not use up its key', async () => {
    const maya = await newPerson();
    const presigned = await aPresignedUpload(maya, picture);
    expect(await finish(maya, presigned)).toMatchObject(conflict('object_missing'));
    await putFile(presigned, picture);
    const { status, headers } = await finish(maya, presigned);
    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('six concurrent completions with one key answer one asset', async () => {
    const maya = await newPerson();
    const sent = await aPendingUpload(maya, picture);
    const replies = await Promise.all(Array.from({ length: 6 }, () => finish(maya, sent)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map(({ data }) => data.assetId)).size).toBe(1);
  });
});

describe('a storage outage', () => {
  // docs/product.md W15
  test('a completion answers 503, and succeeds after the outage with the same Idempotency-Key', async () => {
    const maya = await anonymousPerson(opine);
    const sent = await aPendingUpload(maya, picture);
    const finish = () => completeUpload(maya, sent, picture, {}, { headers: { 'idempotency-key': 'a-key' } });
    await opine.storage.takeDown();
    expect(await finish()).toMatchObject(UNAVAILABLE);
    await opine.storage.bringBack();
    const { status, headers, data } = await finish();
    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect((await downloadFile(maya, data)).bytes).toEqual(picture);
  });

  test('a repeated completion is answered without storage', async () => {
    const maya = await anonymousPerson(opine);
    const sent = await aPendingUpload(maya, picture);
    const { data } = await completeUpload(maya, sent, picture);
    await opine.storage.takeDown();
    expect(await completeUpload(maya, sent, picture)).toMatchObject({ status: 201, data });
  });
});

describe('a storage that accepts connections and never answers', () => {
  test('completions answer 503, other requests do not wait, and completions succeed afterwards', async () => {
    const maya = await anonymousPerson(opine);
    const file = aPdf();
    // More than the service can check one after the other before a client times out.
    const sent = await Promise.all(Array.from({ length: 16 }, () => aPendingUpload(maya, file, 'document')));
    const finishAll = () =>
      Promise.all(sent.map((one) => completeUpload(maya, one, file, { purpose: 'document' })));
    const { somebodyWaits } = await opine.storage.hang();
    const passTime = stopTimeouts();
    const takings = () => vi.mocked(AbortSignal.timeout).mock.calls.filter(([ms]) => ms === TIMEOUT_MS);
    const attempts = finishAll();
    await eventually(() => takings().length).toBe(sent.length);
    await eventually(somebodyWaits).toBe(true);
    expect((await aGuest(opine).get('/posts')).status).toBe(200);
    expect((await maya.get('/users/me/onboarding/status')).status).toBe(200);
    passTime(TIMEOUT_MS);
    for (const attempt of await attempts) expect(attempt).toMatchObject(UNAVAILABLE);
    await opine.storage.bringBack();
    expect((await finishAll()).map(({ status }) => status)).toEqual(Array(16).fill(201));
    expect((await anUpload(maya, picture)).width).toBe(4);
  });
});
