import { createHash } from 'node:crypto';
import { type Client, type Extras, expectOk, type Json, type Reply } from './client.ts';
import type { Bytes } from './pictures.ts';
import { type FlakyStorage, type Storage, storageAt } from './storage.ts';

/** Purposes of an upload (docs/product.md M3). */
export type Purpose = 'profile_photo' | 'hub_photo' | 'post_image' | 'document';

interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Bytes;
}

export function checksumOf(bytes: Bytes): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the body of a presign request; `fields` override or add. */
export function presignBody(file: Bytes, purpose: Purpose = 'profile_photo', fields: object = {}): Json {
  return { purpose, contentType: contentTypeOf(file), sizeBytes: file.length, ...fields };
}

export function requestPresign(person: Client, body: unknown, extras?: Extras): Promise<Reply> {
  return person.post('/uploads/presign', body, extras);
}

/** Presigns an upload of `file`. */
export async function aPresignedUpload(
  person: Client,
  file: Bytes,
  purpose: Purpose = 'profile_photo',
  fields: object = {},
): Promise<Json> {
  return expectOk(requestPresign(person, presignBody(file, purpose, fields)));
}

/** Uploads `bytes` as presigned; `headers` override or add. */
export async function putFile(
  presigned: Json,
  bytes: Bytes,
  headers: Record<string, string> = {},
): Promise<Fetched> {
  const { uploadUrl, method } = presigned;
  return answerOf(
    await fetch(uploadUrl, { method, headers: { ...presigned.headers, ...headers }, body: bytes }),
  );
}

export function completeUpload(
  person: Client,
  presigned: Json,
  file: Bytes,
  fields: object = {},
  extras?: Extras,
): Promise<Reply> {
  const { uploadId } = presigned;
  const body = { uploadId, purpose: 'profile_photo', checksum: checksumOf(file), ...fields };
  return person.post('/uploads/complete', body, extras);
}

/** Uploads `file` without completing it. */
export async function aPendingUpload(
  person: Client,
  file: Bytes,
  purpose: Purpose = 'profile_photo',
  fields: object = {},
): Promise<Json> {
  const presigned = await aPresignedUpload(person, file, purpose, fields);
  const { status, bytes } = await putFile(presigned, file);
  if (status !== 200) throw new Error(`Storage refused the file: ${Buffer.from(bytes).toString()}`);
  return presigned;
}

/** Uploads and completes an asset. */
export async function anUpload(
  person: Client,
  file: Bytes,
  purpose: Purpose = 'profile_photo',
  fields: object = {},
): Promise<Json> {
  const sent = await aPendingUpload(person, file, purpose, fields);
  return expectOk(completeUpload(person, sent, file, { purpose }));
}

export function requestDownload(person: Client, assetId: string): Promise<Reply> {
  return person.get(`/uploads/${assetId}/download-url`);
}

/** Downloads an asset as `person`. */
export async function downloadFile(person: Client, { assetId }: Json): Promise<Fetched> {
  return fetchFile((await expectOk(requestDownload(person, assetId))).url);
}

export async function fetchFile(url: string, headers: Record<string, string> = {}): Promise<Fetched> {
  return answerOf(await fetch(url, { headers }));
}

/** Returns the public URL of a photo. */
export function photoUrlOf({ environment }: FlakyStorage, { assetId }: Json): string {
  return `${environment.SUPABASE_URL}/storage/v1/object/public/photos/${assetId}`;
}

/** Lists all stored objects as `bucket/key`. */
export async function storedKeys(storage: FlakyStorage): Promise<string[]> {
  const client = storageClientOf(storage);
  const names = ['media', 'photos', 'uploads'].map(async (bucket) => {
    const { data, error } = await client.from(bucket).list('', { limit: 1000 });
    if (error) throw error;
    return data.map(({ name }) => `${bucket}/${name}`);
  });
  return (await Promise.all(names)).flat().sort();
}

/** Returns the uploaded bytes before completion. */
export async function uploadedBytes(storage: FlakyStorage, { uploadId }: Json): Promise<Bytes | undefined> {
  const { data } = await storageClientOf(storage).from('uploads').download(uploadId);
  return data === null ? undefined : new Uint8Array(await data.arrayBuffer());
}

/** Returns a client with the secret key. */
export function storageClientOf({ environment }: FlakyStorage): Storage {
  return storageAt(environment.SUPABASE_URL ?? '', environment.SUPABASE_SECRET_KEY);
}

const MAGIC: readonly (readonly [contentType: string, bytes: string])[] = [
  ['image/png', '\x89PNG'],
  ['image/webp', 'RIFF'],
  ['application/pdf', '%PDF-'],
];

function contentTypeOf(file: Bytes): string {
  const start = Buffer.from(file.subarray(0, 8)).toString('latin1');
  return MAGIC.find(([, magic]) => start.startsWith(magic))?.[0] ?? 'image/jpeg';
}

async function answerOf(response: Response): Promise<Fetched> {
  const { status, headers } = response;
  return { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}
