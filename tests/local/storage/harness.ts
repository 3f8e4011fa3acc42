import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type JWTPayload, SignJWT } from 'jose';
import { expect } from 'vitest';
import {
  type BucketDeclaration,
  type RunningStorage,
  startStorage,
} from '../../../scripts/local/storage/main.ts';
import { SIGNING_KEY } from '../../support/keys.ts';
import { type Storage, storageAt } from '../../support/supabase-storage.ts';

/** The key of whoever is the service. */
export const SECRET_KEY = 'sb_secret_of_this_test';

/** What the tokens of signed URLs are signed with. */
export const SIGNING_SECRET = 'a signing secret of this test alone';

/** The headers of a request of the service. */
export const SERVICE = { authorization: `Bearer ${SECRET_KEY}` };

/** The headers of a request of the service with a JSON body. */
export const SERVICE_JSON = { ...SERVICE, 'content-type': 'application/json' };

/** The size in bytes that the bucket `strict` allows. */
export const STRICT_LIMIT = 1000;

const BUCKETS: BucketDeclaration[] = [
  { name: 'private', public: false, fileSizeLimit: null, allowedMimeTypes: null },
  { name: 'other', public: false, fileSizeLimit: null, allowedMimeTypes: null },
  { name: 'open', public: true, fileSizeLimit: null, allowedMimeTypes: null },
  {
    name: 'strict',
    public: false,
    fileSizeLimit: STRICT_LIMIT,
    allowedMimeTypes: ['image/*', 'application/pdf'],
  },
];

/** What refusals that several files know look like, for `toMatchObject`. */
export const REFUSAL = {
  keyTaken: { status: 400, statusCode: '409', code: 'KeyAlreadyExists' },
  noKey: { status: 400, statusCode: '404', code: 'NoSuchKey' },
  noBucket: { status: 400, statusCode: '404', code: 'NoSuchBucket' },
  tooLarge: { status: 400, statusCode: '413', code: 'EntityTooLarge' },
  wrongType: { status: 400, statusCode: '415', code: 'InvalidMimeType' },
};

/** An answer as it came, and what it says of itself where it refuses. */
export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly answer: string;
  readonly error?: string;
  readonly code?: string;
  readonly statusCode?: string;
  readonly message?: string;
}

/** A storage service of one test file, with what its tests ask it for. */
export interface TestStorage {
  readonly url: string;
  readonly directory: string;
  /** supabase-js with the service's key. */
  readonly client: Storage;
  /** A bucket of `client`. */
  bucket(name: string): ReturnType<Storage['from']>;
  /** Sends a request, of the service unless told, whose path arrives as it is written, dot segments included. */
  raw(method: string, path: string, headers?: Record<string, string>, body?: string): Promise<RawAnswer>;
  /** Uploads to a signed URL, given without `/storage/v1`, as somebody without a key. */
  put(path: string, body: string, headers?: Record<string, string>): Promise<RawAnswer>;
  /** Stores an object, in `private` as plain text unless told, and returns its new key. */
  store(content: string, bucket?: string, contentType?: string): Promise<string>;
  /** An object's text; undefined where there is none. */
  contentOf(key: string, bucket?: string): Promise<string | undefined>;
  /** Stops the service and removes its directory. */
  stop(): Promise<void>;
}

/** Starts a storage service on a directory and a port of its own. */
export async function startTestStorage(): Promise<TestStorage> {
  const directory = await temporaryDirectory();
  const running = await startIn(directory);
  const client = clientOf(running);
  const raw = requesterOf(running.url);
  return {
    url: running.url,
    directory,
    client,
    bucket: (name) => client.from(name),
    raw,
    put: (path, body, headers = {}) => raw('PUT', path, headers, body),
    async store(content, bucket = 'private', contentType = 'text/plain') {
      const key = newKey();
      const { error } = await client.from(bucket).upload(key, content, { contentType });
      expect(error).toBeNull();
      return key;
    },
    contentOf: async (key, bucket = 'private') => (await client.from(bucket).download(key)).data?.text(),
    async stop() {
      await running.stop();
      await rm(directory, { recursive: true });
    },
  };
}

const { d: _, ...publicHalf } = SIGNING_KEY;

/** Starts a storage service on `directory`, for the caller to stop. It trusts the signing key of tests. */
export function startIn(directory: string, buckets = BUCKETS): Promise<RunningStorage> {
  const keys = [publicHalf];
  return startStorage({ directory, secretKey: SECRET_KEY, signingSecret: SIGNING_SECRET, keys, buckets });
}

/** supabase-js with the service's key. */
export function clientOf({ url }: RunningStorage): Storage {
  return storageAt(url, SECRET_KEY);
}

/** A new directory, for the caller to remove. */
export function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'opine-storage-'));
}

/** The key of an object that no other test has. */
export function newKey(extension = 'txt'): string {
  return `${randomUUID()}/file.${extension}`;
}

/** A token as the service signs them; `expires` null: never. */
export function signToken(
  claims: JWTPayload,
  expires: string | null = '1h',
  secret = SIGNING_SECRET,
): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' });
  return (expires === null ? token : token.setExpirationTime(expires)).sign(new TextEncoder().encode(secret));
}

/** The paths of all files in a directory and below. */
export async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function requesterOf(url: string): TestStorage['raw'] {
  return async (method, path, headers = SERVICE, body = '') => {
    const framed = { 'content-length': String(Buffer.byteLength(body)), ...headers };
    const outgoing = request(new URL(url), { method, path: `/storage/v1${path}`, headers: framed });
    outgoing.on('error', () => undefined).end(body);
    const [response]: IncomingMessage[] = await once(outgoing, 'response');
    const answer = response ? await text(response) : '';
    const said: Partial<RawAnswer> = answer.startsWith('{') ? JSON.parse(answer) : {};
    return { status: response?.statusCode, headers: response?.headers ?? {}, answer, ...said };
  };
}
