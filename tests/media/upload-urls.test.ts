import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { advanceTime } from '../support/opine.ts';
import { aGuest, anonymousPerson, type Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage, storageAt } from '../support/storage.ts';
import {
  aPresignedUpload,
  checksumOf,
  presignBody,
  putFile,
  requestPresign,
  uploadedBytes,
} from '../support/uploads.ts';

let opine: OpineWithStorage;
let maya: Person;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  maya = await anonymousPerson(opine);
  picture = await aPng();
});

afterAll(() => opine.stop());

describe('a presigned URL', () => {
  test('a guest gets no URL', async () => {
    expect(await requestPresign(aGuest(opine), presignBody(picture))).toMatchObject(
      refusal(401, 'UNAUTHORIZED'),
    );
  });

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

  test('an expired URL accepts no file', async () => {
    const past = await startOpineWithStorage();
    try {
      await advanceTime(past, '-16 minutes');
      const presigned = await aPresignedUpload(await anonymousPerson(past), picture);
      expect(Date.parse(presigned.expiresAt)).toBeLessThan(Date.now());
      expect((await putFile(presigned, picture)).status).toBe(400);
    } finally {
      await past.stop();
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
