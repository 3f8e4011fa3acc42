import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { expect } from 'vitest';
import type { BucketDeclaration } from '../../../scripts/local/storage/buckets.ts';
import {
  type RunningStorage,
  type StorageOptions,
  startStorage,
} from '../../../scripts/local/storage/server.ts';
import { SIGNING_KEY } from '../../support/keys.ts';
import { type Storage, storageAt } from '../../support/storage.ts';

/** The secret key of the service. */
export const SECRET_KEY = 'sb_secret_of_this_test';

/** The headers of a request of the service. */
export const SERVICE = { authorization: `Bearer ${SECRET_KEY}` };

/** The headers of a request of the service with a JSON body. */
export const SERVICE_JSON = { ...SERVICE, 'content-type': 'application/json' };

/** The size in bytes that bucket `strict` allows. */
export const STRICT_LIMIT = 1000;

const TYPES = {
  fileSizeLimit: 20 * 1024 * 1024,
  allowedMimeTypes: ['text/plain', 'image/png', 'image/webp'],
};

const BUCKETS: BucketDeclaration[] = [
  { name: 'private', public: false, ...TYPES },
  { name: 'other', public: false, ...TYPES },
  { name: 'open', public: true, ...TYPES },
  { name: 'strict', public: false, fileSizeLimit: STRICT_LIMIT, allowedMimeTypes: ['image/png'] },
];

/** The refusals that several files expect, for `toMatchObject`. */
export const REFUSAL = {
  denied: { status: 400, statusCode: '403', code: 'AccessDenied' },
  invalid: { status: 400, statusCode: '400', code: 'InvalidRequest' },
  keyTaken: { status: 400, statusCode: '409', code: 'KeyAlreadyExists' },
  noKey: { status: 400, statusCode: '404', code: 'NoSuchKey' },
  noBucket: { status: 400, statusCode: '404', code: 'NoSuchBucket' },
  tooLarge: { status: 400, statusCode: '413', code: 'EntityTooLarge' },
  wrongType: { status: 400, statusCode: '415', code: 'InvalidMimeType' },
};

/** A response, with the fields of its JSON body. */
export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly answer: string;
  readonly error?: string;
  readonly code?: string;
  readonly statusCode?: string;
  readonly message?: string;
}

/** A storage of one test file. */
export interface TestStorage {
  readonly url: string;
  readonly directory: string;
  /** supabase-js with the secret key. */
  readonly client: Storage;
  /** A bucket of `client`. */
  bucket(name: string): ReturnType<Storage['from']>;
  /** Sends a request to a path below `/storage/v1` as it is written, by default with the secret key. */
  raw(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<RawAnswer>;
  /** Stores an object, by default plain text in `private`, and returns its new key. */
  store(content: string, bucket?: string, contentType?: string): Promise<string>;
  /** Returns the text of an object, or undefined if it does not exist. */
  contentOf(key: string, bucket?: string): Promise<string | undefined>;
  /** Stops the storage and removes its directory. */
  stop(): Promise<void>;
}

/** Starts a storage on a directory and a port of its own. */
export async function startTestStorage(): Promise<TestStorage> {
  const directory = await temporaryDirectory();
  const running = await startStorage(optionsFor(directory));
  const client = storageAt(running.url, SECRET_KEY);
  return {
    url: running.url,
    directory,
    client,
    bucket: (name) => client.from(name),
    raw: requesterOf(running),
    store: async (content, bucket = 'private', contentType = 'text/plain') => {
      const key = newKey();
      const { error } = await client.from(bucket).upload(key, content, { contentType });
      expect(error).toBeNull();
      return key;
    },
    contentOf: async (key, bucket = 'private') => (await client.from(bucket).download(key)).data?.text(),
    stop: async () => {
      await running.stop();
      await rm(directory, { recursive: true });
    },
  };
}

const { d: _, ...publicKey } = SIGNING_KEY;

/** Returns the options of a storage on `directory`, which trusts the signing key of tests. */
export function optionsFor(directory: string): StorageOptions {
  return { directory, secretKey: SECRET_KEY, keys: [publicKey], buckets: BUCKETS };
}

/** Creates a directory, for the caller to remove. */
export function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'opine-storage-'));
}

/** Returns a new key. */
export function newKey(): string {
  return randomUUID();
}

/** Signs a token as the service does. @param expires null: the token never expires */
export async function signToken(
  claims: JWTPayload,
  expires: string | null = '1h',
  key: JWK = SIGNING_KEY,
  kid = SIGNING_KEY.kid,
): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid });
  return (expires === null ? token : token.setExpirationTime(expires)).sign(await importJWK(key, 'ES256'));
}

/** Returns the path of a signed upload URL. @param object `bucket/key` */
export async function uploadPath(object: string, upsert = true): Promise<string> {
  return `/object/upload/sign/${object}?token=${await signToken({ url: object, scope: 'upload', upsert })}`;
}

/** Returns the path of a signed download URL. @param object `bucket/key` */
export async function downloadPath(object: string): Promise<string> {
  return `/object/sign/${object}?token=${await signToken({ url: object, scope: 'download' })}`;
}

/** Returns the paths of all files in a directory and below. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function requesterOf({ url }: RunningStorage): TestStorage['raw'] {
  return async (method, path, headers = SERVICE, body = '') => {
    const framed = { 'content-length': String(Buffer.byteLength(body)), ...headers };
    const outgoing = request(new URL(url), { method, path: `/storage/v1${path}`, headers: framed });
    outgoing.on('error', () => undefined).end(body);
    const [response]: IncomingMessage[] = await once(outgoing, 'response');
    const answer = response ? await text(response) : '';
    const fields: Partial<RawAnswer> = answer.startsWith('{') ? JSON.parse(answer) : {};
    return { status: response?.statusCode, headers: response?.headers ?? {}, answer, ...fields };
  };
}
