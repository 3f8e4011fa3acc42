import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { advanceTime } from '../support/opine.ts';
import { anonymousPerson, type Person, withFreshSession } from '../support/people.ts';
import { aJpeg, aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import {
  aPendingUpload,
  aPresignedUpload,
  completeUpload,
  downloadFile,
  presignBody,
  putFile,
  requestPresign,
} from '../support/uploads.ts';

const MEBIBYTE = 1024 * 1024;

let opine: OpineWithStorage;
let picture: Bytes;
let other: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng({ width: 4, height: 3 });
  other = await aPng({ width: 3, height: 4 });
});

afterAll(() => opine.stop());

// Tests move the clock, which ends sessions: each test has new people.
const newPerson = () => anonymousPerson(opine);
const conflict = (reason: string) => refusal(409, 'UPLOAD_CONFLICT', { reason });

/** Returns `length` bytes of no known file type. */
function garbage(length: number): Bytes {
  return new Uint8Array(length).fill(7);
}

describe('a refused completion', () => {
  let maya: Person;

  beforeAll(async () => {
    maya = await newPerson();
  });

  test('an upload of another person is refused as unknown, completed or not', async () => {
    const jonas = await newPerson();
    const sent = await aPendingUpload(maya, picture);
    expect(await completeUpload(jonas, sent, picture)).toMatchObject(conflict('unknown'));
    await completeUpload(maya, sent, picture);
    for (const file of [picture, other]) {
      expect(await completeUpload(jonas, sent, file)).toMatchObject(conflict('unknown'));
    }
  });

  test.each([
    ['more bytes', () => aPng({ width: 40, height: 40 })],
    ['fewer bytes', () => aPng({ width: 1, height: 1 })],
    ['no bytes', () => garbage(0)],
    ['eleven megabytes', () => garbage(11 * MEBIBYTE)],
  ])('a file of %s instead of the announced size is refused as content_mismatch', async (_, make) => {
    const file: Bytes = await make();
    const presigned = await aPresignedUpload(maya, picture);
    expect((await putFile(presigned, file)).status).toBe(200);
    expect(file.length).not.toBe(picture.length);
    expect(await completeUpload(maya, presigned, file)).toMatchObject(conflict('content_mismatch'));
  });

  test.each([
    ['a JPEG', () => aJpeg()],
    ['a PDF', () => aPdf()],
    ['a file of no known type', () => garbage(500)],
    ['an HTML page', () => Uint8Array.from(Buffer.from('<html><script>alert(1)</script></html>'))],
    ['a PNG signature alone', () => picture.slice(0, 8)],
    ['half a PNG', () => picture.slice(0, Math.floor(picture.length / 2))],
  ])('%s announced as a PNG is refused as content_mismatch', async (_, make) => {
    const file: Bytes = await make();
    const sent = await aPendingUpload(maya, file, 'profile_photo', { contentType: 'image/png' });
    expect(await completeUpload(maya, sent, file)).toMatchObject(conflict('content_mismatch'));
  });

  test('a PNG announced as a PDF is refused as content_mismatch', async () => {
    const presigned = await aPresignedUpload(maya, picture, 'document', { contentType: 'application/pdf' });
    await putFile(presigned, picture);
    expect(await completeUpload(maya, presigned, picture, { purpose: 'document' })).toMatchObject(
      conflict('content_mismatch'),
    );
  });
});

// docs/product.md M5
test('a completion is refused with the first of unknown, expired, purpose, object, checksum and content mismatch', async () => {
  const [maya, jonas] = [await newPerson(), await newPerson()];
  const stale = await aPresignedUpload(maya, picture);
  await advanceTime(opine, '16 minutes');
  const [owner, thief] = [await withFreshSession(opine, maya), await withFreshSession(opine, jonas)];
  const wrong = { purpose: 'post_image' };
  expect(await completeUpload(thief, stale, other, wrong)).toMatchObject(conflict('unknown'));
  expect(await completeUpload(owner, stale, other, wrong)).toMatchObject(conflict('expired'));

  const open = await aPresignedUpload(owner, picture);
  expect(await completeUpload(owner, open, other, wrong)).toMatchObject(conflict('purpose_mismatch'));
  expect(await completeUpload(owner, open, other)).toMatchObject(conflict('object_missing'));
  await putFile(open, garbage(9));
  expect(await completeUpload(owner, open, other, wrong)).toMatchObject(conflict('purpose_mismatch'));
  expect(await completeUpload(owner, open, other)).toMatchObject(conflict('checksum_mismatch'));
  expect(await completeUpload(owner, open, garbage(9))).toMatchObject(conflict('content_mismatch'));
});

test('a file replaced during its completion is stored as checked or refused as checksum_mismatch', async () => {
  const maya = await newPerson();
  const [file, replacement] = [aPdf('checked'), aPdf('slipped in')];
  const completions = Array.from({ length: 12 }, async () => {
    const sent = await aPendingUpload(maya, file, 'document');
    const [reply] = await Promise.all([
      completeUpload(maya, sent, file, { purpose: 'document' }),
      ...Array.from({ length: 4 }, () => putFile(sent, replacement)),
    ]);
    return reply;
  });
  for (const reply of await Promise.all(completions)) {
    if (reply.status === 201) expect((await downloadFile(maya, reply.data)).bytes).toEqual(file);
    else expect(reply).toMatchObject(conflict('checksum_mismatch'));
  }
});

// docs/product.md M2
test('a repeated presign signs its URL anew until the upload expires, and is 409 afterwards', async () => {
  const maya = await newPerson();
  const presign = (person: Client) =>
    requestPresign(person, presignBody(picture), { headers: { 'idempotency-key': 'a-key' } });
  const first = await presign(maya);
  await advanceTime(opine, '14 minutes');
  const again = await presign(maya);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.data.uploadUrl).not.toBe(first.data.uploadUrl);
  expect(again.data).toEqual({ ...first.data, uploadUrl: again.data.uploadUrl });
  expect((await putFile(again.data, picture)).status).toBe(200);
  await advanceTime(opine, '1 minute');
  expect(await presign(await withFreshSession(opine, maya))).toMatchObject(conflict('expired'));
});
