import { createHash } from 'node:crypto';
import { type Client, clientOf, type Extras, type Json, type Reply } from './client.ts';
import type { Opine } from './opine.ts';
import type { Person } from './people.ts';
import type { Bytes } from './pictures.ts';
import type { FlakyStorage } from './storage.ts';
import { type Storage, storageAt } from './supabase-storage.ts';

/** The purposes of docs/product.md M3. */
export type Purpose = 'profile_photo' | 'hub_photo' | 'post_image' | 'document';

/** What came of a request to storage. */
export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Bytes;
}

/** By what a client tells what it has sent. */
export function checksumOf(bytes: Bytes): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What an app says of `file` before it uploads it; `fields` override or add. */
export function announcementOf(file: Bytes, purpose: Purpose = 'profile_photo', fields: object = {}): Json {
  return { purpose, contentType: contentTypeOf(file), sizeBytes: file.length, ...fields };
}

/** `person` asks where to upload a file to. */
export function presign(person: Client, body: unknown, extras?: Extras): Promise<Reply> {
  return person.post('/uploads/presign', body, extras);
}

/** `person` is told where to upload `file` to. */
export async function aPresigned(
  person: Client,
  file: Bytes,
  purpose: Purpose = 'profile_photo',
  fields: object = {},
): Promise<Json> {
  const { status, data, error } = await presign(person, announcementOf(file, purpose, fields));
  if (status !== 200) throw new Error(`No upload was presigned: ${JSON.stringify(error)}`);
  return data;
}

/** Sends `bytes` to where a client was told to, as it was told to; `headers` override or add. */
export async function put(
  presigned: Json,
  bytes: Bytes,
  headers: Record<string, string> = {},
): Promise<Fetched> {
  const { uploadUrl, method } = presigned;
  return answerOf(
    await fetch(uploadUrl, { method, headers: { ...presigned.headers, ...headers }, body: bytes }),
  );
}

/** `person` says that `file` is uploaded; `fields` override or add. */
export function complete(
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

/** An upload of `person` that only has to be completed. */
export async function aSent(
  person: Client,
  file: Bytes,
  purpose: Purpose = 'profile_photo',
  fields: object = {},
): Promise<Json> {
  const presigned = await aPresigned(person, file, purpose, fields);
  const { status, bytes } = await put(presigned, file);
  if (status !== 200) throw new Error(`Storage took no file: ${Buffer.from(bytes).toString()}`);
  return presigned;
}

/** An asset of `person`. */
export async function anUpload(
  person: Client,
  file: Bytes,
  purpose: Purpose = 'profile_photo',
  fields: object = {},
): Promise<Json> {
  const sent = await aSent(person, file, purpose, fields);
  const { status, data, error } = await complete(person, sent, file, { purpose });
  if (status !== 201) throw new Error(`No upload was completed: ${JSON.stringify(error)}`);
  return data;
}

/** `person` asks where to get an asset. */
export function requestDownload(person: Client, assetId: string): Promise<Reply> {
  return person.get(`/uploads/${assetId}/download-url`);
}

/** The file of an asset, as `person` gets it. */
export async function downloaded(person: Client, { assetId }: Json): Promise<Fetched> {
  const { status, data, error } = await requestDownload(person, assetId);
  if (status !== 200) throw new Error(`Nothing to download: ${JSON.stringify(error)}`);
  return fetched(data.url);
}

/** What anybody gets at an address. */
export async function fetched(url: string, headers: Record<string, string> = {}): Promise<Fetched> {
  return answerOf(await fetch(url, { headers }));
}

/** Where anybody finds an asset that is a photo. */
export function photoUrlOf({ environment }: FlakyStorage, { assetId }: Json): string {
  return `${environment.SUPABASE_URL}/storage/v1/object/public/photos/${assetId}`;
}

/** Everything that lies in storage, as `bucket/key`, in order. */
export async function everythingIn(storage: FlakyStorage): Promise<string[]> {
  const client = serviceOf(storage);
  const names = ['media', 'photos', 'uploads'].map(async (bucket) => {
    const { data, error } = await client.from(bucket).list('', { limit: 1000 });
    if (error) throw error;
    return data.map(({ name }) => `${bucket}/${name}`);
  });
  return (await Promise.all(names)).flat().sort();
}

/** What has come in for an upload; undefined where nothing lies there. */
export async function lyingAt(storage: FlakyStorage, { uploadId }: Json): Promise<Bytes | undefined> {
  const { data } = await serviceOf(storage).from('uploads').download(uploadId);
  return data === null ? undefined : new Uint8Array(await data.arrayBuffer());
}

/** Storage for whoever may do everything there. */
export function serviceOf({ environment }: FlakyStorage): Storage {
  return storageAt(environment.SUPABASE_URL ?? '', environment.SUPABASE_SECRET_KEY);
}

/** `person` with another session, for when the first one's access token is too old. */
export async function signedInAgain(opine: Pick<Opine, 'url'>, person: Person): Promise<Person> {
  const { refreshToken } = person.session;
  const { status, data } = await clientOf(opine.url).post('/auth/session/refresh', { refreshToken });
  if (status !== 200) throw new Error('A session was not refreshed.');
  return { ...person, ...clientOf(opine.url, data.accessToken), session: data };
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
