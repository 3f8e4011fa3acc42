import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { SIGNING_KEY } from '../support/keys.ts';
import { currentTime } from '../support/opine.ts';
import { anonymousPerson, type Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage, storageAt } from '../support/storage.ts';
import {
  aPresignedUpload,
  completeUpload,
  presignBody,
  putFile,
  requestPresign,
  uploadedBytes,
} from '../support/uploads.ts';

const MEBIBYTE = 1024 * 1024;
const QUARTER_OF_AN_HOUR = 15 * 60 * 1000;
const INVALID = refusal(422, 'VALIDATION_FAILED');

let opine: OpineWithStorage;
let maya: Person;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  maya = await anonymousPerson(opine);
  picture = await aPng();
});

afterAll(() => opine.stop());

const invalidAt = (...path: (string | number)[]) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path }] });
const aFile = (purpose: string, contentType: string, sizeBytes: unknown = 1000) => ({
  purpose,
  contentType,
  sizeBytes,
});

describe('a presigned upload', () => {
  test('an anonymous person gets an upload URL for 15 minutes', async () => {
    const before = await currentTime(opine);
    const { status, data } = await requestPresign(maya, presignBody(picture));
    const after = await currentTime(opine);
    expect(status).toBe(200);
    expect(data).toEqual({
      uploadId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      uploadUrl: expect.any(String),
      method: 'PUT',
      headers: { 'Content-Type': 'image/png' },
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const { origin, pathname } = new URL(data.uploadUrl);
    expect(origin).toBe(opine.storage.environment.SUPABASE_URL);
    expect(pathname).toBe(`/storage/v1/object/upload/sign/uploads/${data.uploadId}`);
    const lifetime = Date.parse(data.expiresAt) - QUARTER_OF_AN_HOUR;
    // JWT times are whole seconds.
    expect(lifetime).toBeGreaterThan(before.getTime() - 1000);
    expect(lifetime).toBeLessThan(after.getTime() + 1000);
  });

  test('the token of the URL is for one object and expires with the upload', async () => {
    const { uploadId, uploadUrl, expiresAt } = await aPresignedUpload(maya, picture);
    const token = new URL(uploadUrl).searchParams.get('token') ?? '';
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', kid: SIGNING_KEY.kid });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ url: `uploads/${uploadId}`, upsert: true, scope: 'upload' });
    expect(claims.exp).toBe(Math.floor(Date.parse(expiresAt) / 1000));
    expect(claims).not.toHaveProperty('role');
  });

  test('the file can be PUT repeatedly without a bearer', async () => {
    const presigned = await aPresignedUpload(maya, picture);
    const other = await aPng({ width: 3, height: 2 });
    for (const bytes of [picture, other, picture]) {
      expect((await putFile(presigned, bytes)).status).toBe(200);
      expect(await uploadedBytes(opine.storage, presigned)).toEqual(bytes);
    }
  });

  test('supabase-js can upload the file', async () => {
    const presigned = await aPresignedUpload(maya, picture);
    const token = new URL(presigned.uploadUrl).searchParams.get('token') ?? '';
    const bucket = storageAt(opine.storage.environment.SUPABASE_URL ?? '').from('uploads');
    const file = new Blob([picture], { type: 'image/png' });
    const { error } = await bucket.uploadToSignedUrl(presigned.uploadId, token, file);
    expect(error).toBeNull();
    expect((await completeUpload(maya, presigned, picture)).status).toBe(201);
  });

  test('ten concurrent requests get ten uploads', async () => {
    const many = await Promise.all(Array.from({ length: 10 }, () => aPresignedUpload(maya, picture)));
    expect(new Set(many.map(({ uploadId }) => uploadId)).size).toBe(10);
  });
});

describe('an accepted announcement', () => {
  test.each([
    ['profile_photo', 'image/jpeg', 1],
    ['profile_photo', 'image/webp', 10 * MEBIBYTE],
    ['hub_photo', 'image/png', 10 * MEBIBYTE],
    ['post_image', 'image/jpeg', 10 * MEBIBYTE],
    ['document', 'application/pdf', 20 * MEBIBYTE],
  ])('a %s of %s with %i bytes is accepted', async (purpose, contentType, sizeBytes) => {
    const { status, data } = await requestPresign(maya, aFile(purpose, contentType, sizeBytes));
    expect(status).toBe(200);
    expect(data.headers).toEqual({ 'Content-Type': contentType });
  });

  test.each([
    ['one character long', 'a'],
    ['255 characters long', 'ü'.repeat(255)],
    ['a path', '../../etc/passwd'],
    ['a header', '"quoted"; filename=evil.exe'],
  ])('a file name that is %s is accepted', async (_, fileName) => {
    const body = { ...aFile('document', 'application/pdf'), fileName };
    const { status, data } = await requestPresign(maya, body);
    expect(status).toBe(200);
    expect(new URL(data.uploadUrl).pathname).toMatch(/\/uploads\/[0-9a-f-]{36}$/);
  });
});

describe('a refused announcement', () => {
  test.each([
    ['profile_photo', 'application/pdf'],
    ['hub_photo', 'application/pdf'],
    ['post_image', 'application/pdf'],
    ['document', 'image/png'],
    ['profile_photo', 'image/gif'],
    ['profile_photo', 'image/svg+xml'],
    ['post_image', 'text/html'],
    ['post_image', 'image/png; charset=x'],
    ['post_image', 'image/*'],
    ['post_image', ''],
    ['document', 'application/pdf\r\nx-evil: 1'],
  ])('a %s of type %j is refused', async (purpose, contentType) => {
    expect(await requestPresign(maya, aFile(purpose, contentType))).toMatchObject(invalidAt('contentType'));
  });

  test.each([
    ['profile_photo', 'image/png', 10 * MEBIBYTE + 1],
    ['hub_photo', 'image/png', 10 * MEBIBYTE + 1],
    ['post_image', 'image/png', 10 * MEBIBYTE + 1],
    ['document', 'application/pdf', 20 * MEBIBYTE + 1],
    ['document', 'application/pdf', 0],
    ['document', 'application/pdf', -1],
    ['document', 'application/pdf', 1.5],
    ['document', 'application/pdf', '1000'],
    ['document', 'application/pdf', 2 ** 32],
    ['document', 'application/pdf', null],
  ])('a %s of %s with %j bytes is refused', async (purpose, contentType, sizeBytes) => {
    expect(await requestPresign(maya, aFile(purpose, contentType, sizeBytes))).toMatchObject(
      invalidAt('sizeBytes'),
    );
  });

  test.each([
    ['empty', ''],
    ['256 characters long', 'n'.repeat(256)],
    ['a number', 17],
  ])('a file name that is %s is refused', async (_, fileName) => {
    expect(await requestPresign(maya, { ...aFile('document', 'application/pdf'), fileName })).toMatchObject(
      invalidAt('fileName'),
    );
  });

  test.each([
    ['a missing purpose', { purpose: undefined }],
    ['an unknown purpose', { purpose: 'contact_snapshot' }],
    ['a missing content type', { contentType: undefined }],
    ['a missing size', { sizeBytes: undefined }],
    ['an ownerId', { ownerId: '01990000-0000-7000-8000-000000000009' }],
    ['an uploadId', { uploadId: '01990000-0000-7000-8000-000000000009' }],
    ['a bucket', { bucket: 'photos' }],
  ])('%s is refused', async (_, fields) => {
    expect(await requestPresign(maya, presignBody(picture, 'post_image', fields))).toMatchObject(INVALID);
  });
});

test('a repeated Idempotency-Key replays the same upload', async () => {
  const extras = { headers: { 'idempotency-key': 'a-key' } };
  const first = await requestPresign(maya, presignBody(picture), extras);
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
  const again = await requestPresign(maya, presignBody(picture), extras);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.data).toMatchObject({ uploadId: first.data.uploadId, expiresAt: first.data.expiresAt });
  expect((await putFile(again.data, picture)).status).toBe(200);
  expect(await uploadedBytes(opine.storage, first.data)).toEqual(picture);
  expect(await requestPresign(maya, presignBody(picture, 'post_image'), extras)).toMatchObject(
    refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'),
  );
});
