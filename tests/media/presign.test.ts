import { decodeJwt, decodeProtectedHeader } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { SIGNING_KEY } from '../support/keys.ts';
import { advanceTime, currentTime } from '../support/opine.ts';
import { anonymousPerson, type Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage, storageAt } from '../support/storage.ts';
import {
  aPresignedUpload,
  checksumOf,
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
  // docs/product.md M1, M2
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

  // docs/product.md M1
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

// docs/product.md M3
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

// docs/product.md M3
describe('a refused announcement', () => {
  test.each([
    ['profile_photo', 'application/pdf'],
    ['document', 'image/png'],
    ['post_image', 'image/png; charset=x'],
    ['document', 'application/pdf\r\nx-evil: 1'],
  ])('a %s of type %j is refused', async (purpose, contentType) => {
    expect(await requestPresign(maya, aFile(purpose, contentType))).toMatchObject(invalidAt('contentType'));
  });

  test.each([
    ['post_image', 'image/png', 10 * MEBIBYTE + 1],
    ['document', 'application/pdf', 20 * MEBIBYTE + 1],
  ])('a %s of %s with %j bytes is refused', async (purpose, contentType, sizeBytes) => {
    expect(await requestPresign(maya, aFile(purpose, contentType, sizeBytes))).toMatchObject(
      invalidAt('sizeBytes'),
    );
  });

  test.each([
    ['an ownerId', { ownerId: '01990000-0000-7000-8000-000000000009' }],
    ['an uploadId', { uploadId: '01990000-0000-7000-8000-000000000009' }],
    ['a bucket', { bucket: 'photos' }],
  ])('%s is refused', async (_, fields) => {
    expect(await requestPresign(maya, presignBody(picture, 'post_image', fields))).toMatchObject(INVALID);
  });
});

// docs/product.md M2
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

describe('a presigned URL', () => {
  test('the URL writes no other object', async () => {
    const [own, other] = [
      await aPresignedUpload(maya, picture),
      await aPresignedUpload(await anonymousPerson(opine), picture),
    ];
    const { search } = new URL(own.uploadUrl);
    const elsewhere = [
      other.uploadUrl.replace(/\?.*/, search),
      own.uploadUrl.replace('/sign/uploads/', '/sign/photos/'),
      own.uploadUrl.replace('/sign/uploads/', '/sign/media/'),
      own.uploadUrl.replace(own.uploadId, `${own.uploadId}/more`),
      own.uploadUrl.replace(own.uploadId, `${own.uploadId}%2F..%2F${other.uploadId}`),
    ];
    for (const uploadUrl of elsewhere) {
      expect((await putFile({ ...own, uploadUrl }, picture)).status).toBe(400);
    }
    expect(await uploadedBytes(opine.storage, other)).toBeUndefined();
  });

  test('the URL reads nothing, and its token is no bearer of the API', async () => {
    const presigned = await aPresignedUpload(maya, picture);
    await putFile(presigned, picture);
    const asDownload = presigned.uploadUrl.replace('/upload/sign/', '/sign/');
    expect((await fetch(asDownload)).status).toBe(400);
    const token = new URL(presigned.uploadUrl).searchParams.get('token') ?? '';
    const thief = clientOf(opine.url, token);
    expect(await thief.get('/users/me/onboarding/status')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('an access token is no upload token although the same key signs both', async () => {
    const { uploadUrl, ...rest } = await aPresignedUpload(maya, picture);
    const forged = uploadUrl.replace(/token=.*/, `token=${maya.session.accessToken}`);
    expect((await putFile({ ...rest, uploadUrl: forged }, picture)).status).toBe(400);
  });

  // docs/product.md M2
  test('an expired URL accepts no file', async () => {
    await advanceTime(opine, '-16 minutes');
    try {
      const presigned = await aPresignedUpload(maya, picture);
      expect(Date.parse(presigned.expiresAt)).toBeLessThan(Date.now());
      expect((await putFile(presigned, picture)).status).toBe(400);
    } finally {
      await advanceTime(opine, '16 minutes');
    }
  });
});

test('the stored idempotent answer holds no signature of the upload URL', async () => {
  const jonas = await anonymousPerson(opine);
  const extras = { headers: { 'idempotency-key': 'a-key' } };
  const { data } = await requestPresign(jonas, presignBody(picture), extras);
  const [, , signature = ''] = data.uploadUrl.split('.').slice(-3);
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(a)::text as row from gateway.idempotent_answers as a where user_id = ${jonas.id}
  `.execute(opine.database.superuser);
  expect(rows).toHaveLength(1);
  expect(signature.length).toBeGreaterThan(80);
  expect(rows[0]?.row).not.toContain(signature);
});

test('clients without the service key neither read nor write the buckets', async () => {
  const presigned = await aPresignedUpload(maya, picture);
  await putFile(presigned, picture);
  for (const key of [undefined, maya.session.accessToken]) {
    const storage = storageAt(opine.storage.environment.SUPABASE_URL ?? '', key);
    const bucket = storage.from('uploads');
    expect((await bucket.list('')).data ?? []).toEqual([]);
    expect((await bucket.download(presigned.uploadId)).data).toBeNull();
    expect((await bucket.createSignedUrl(presigned.uploadId, 60)).data).toBeNull();
    expect((await bucket.upload(checksumOf(picture), picture)).data).toBeNull();
    expect((await bucket.remove([presigned.uploadId])).data ?? []).toEqual([]);
    expect((await storage.from('photos').list('')).data ?? []).toEqual([]);
  }
  expect(await uploadedBytes(opine.storage, presigned)).toEqual(picture);
});

test('presign and complete share the rate limit of a user, which drains with time', async () => {
  const busy = await anonymousPerson(opine);
  const presigned = await aPresignedUpload(busy, picture);
  // Fills the leaky bucket beyond its 600 uploads an hour.
  await sql`
    update app.rate_limits set empty_at = empty_at + interval '62 minutes'
    where kind = 'uploads' and subject = ${busy.id}`.execute(opine.database.superuser);
  for (const refused of [
    await requestPresign(busy, presignBody(picture)),
    await completeUpload(busy, presigned, picture),
  ]) {
    expect(refused).toMatchObject(refusal(429, 'RATE_LIMITED'));
  }
  expect((await requestPresign(maya, presignBody(picture))).status).toBe(200);
  await advanceTime(opine, '3 minutes');
  expect((await requestPresign(busy, presignBody(picture))).status).toBe(200);
});
