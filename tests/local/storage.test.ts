import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StorageClient } from '@supabase/storage-js';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type BucketDeclaration,
  type RunningStorage,
  startStorage,
} from '../../scripts/local/storage/main.ts';
import { collectSmall, readParts } from '../../scripts/local/storage/multipart.ts';

const SECRET_KEY = 'sb_secret_of_this_test';
const SIGNING_SECRET = 'a signing secret of this test alone';
const signingKey = new TextEncoder().encode(SIGNING_SECRET);
const OTHER_JWT = await new SignJWT({ role: 'service_role' })
  .setProtectedHeader({ alg: 'HS256' })
  .setExpirationTime('1h')
  .sign(signingKey);
const service = { authorization: `Bearer ${SECRET_KEY}` };
const LIMIT = 1000;
const buckets: BucketDeclaration[] = [
  { name: 'private', public: false, fileSizeLimit: null, allowedMimeTypes: null },
  { name: 'other', public: false, fileSizeLimit: null, allowedMimeTypes: null },
  { name: 'open', public: true, fileSizeLimit: null, allowedMimeTypes: null },
  { name: 'strict', public: false, fileSizeLimit: LIMIT, allowedMimeTypes: ['image/*', 'application/pdf'] },
];

let directory: string;
let storage: RunningStorage;
let client: StorageClient;

const start = (where = directory, declared = buckets) =>
  startStorage({
    ...{ directory: where, secretKey: SECRET_KEY, signingSecret: SIGNING_SECRET },
    buckets: declared,
  });
const clientOf = ({ url }: RunningStorage) => new StorageClient(`${url}/storage/v1`, { apikey: SECRET_KEY });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'opine-storage-'));
  storage = await start();
  client = clientOf(storage);
});
afterAll(async () => {
  await storage.stop();
  await rm(directory, { recursive: true });
});

/** A request whose path arrives as it is written here, dot segments included. */
async function raw(method: string, path: string, headers: Record<string, string> = service, body = '') {
  const framed = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  const outgoing = httpRequest(new URL(storage.url), { method, path: `/storage/v1${path}`, headers: framed });
  outgoing.on('error', () => undefined).end(body);
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  const answer = response ? await text(response) : '';
  return { status: response?.statusCode, headers: response?.headers ?? {}, answer, ...parsed(answer) };
}

function parsed(answer: string): { error?: string; code?: string; statusCode?: string; message?: string } {
  return answer.startsWith('{') ? JSON.parse(answer) : {};
}

const json = { ...service, 'content-type': 'application/json' };
const put = (path: string, body: string, headers = {}) => raw('PUT', path, headers, body);
const keyOf = (extension = 'txt') => `${randomUUID()}/file.${extension}`;
const failure = { keyTaken: { status: 400, statusCode: '409', code: 'KeyAlreadyExists' } };
const noKey = { status: 400, statusCode: '404', code: 'NoSuchKey' };
const noBucket = { status: 400, statusCode: '404', code: 'NoSuchBucket' };
const tooLarge = { status: 400, statusCode: '413', code: 'EntityTooLarge' };
const badSignature = { status: 400, statusCode: '400', code: 'InvalidSignature' };

async function stored(content: string, bucket = 'private', contentType = 'text/plain'): Promise<string> {
  const key = keyOf();
  const { error } = await client.from(bucket).upload(key, content, { contentType });
  expect(error).toBeNull();
  return key;
}

async function contentOf(key: string, bucket = 'private'): Promise<string | undefined> {
  return (await client.from(bucket).download(key)).data?.text();
}

async function filesBelow(where: string): Promise<string[]> {
  const entries = await readdir(where, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('buckets', () => {
  test('are the declared ones, and those created later', async () => {
    const name = randomUUID();
    const options = { public: false, fileSizeLimit: '1.5MB', allowedMimeTypes: ['image/png'] };
    expect(await client.createBucket(name, options)).toEqual({ data: { name }, error: null });
    expect((await client.getBucket(name)).data).toMatchObject({
      ...{ id: name, name, public: false, file_size_limit: 1_500_000, allowed_mime_types: ['image/png'] },
      created_at: expect.stringMatching(/^\d{4}-/),
    });
    const names = (await client.listBuckets()).data?.map((bucket) => bucket.name);
    expect(names).toEqual(expect.arrayContaining([name, 'private', 'open', 'strict']));
  });

  test('refuse a name that is taken, none or not one, and a limit beyond the service', async () => {
    expect((await client.createBucket('private')).error).toMatchObject({
      ...{
        status: 400,
        statusCode: '409',
        code: 'BucketAlreadyExists',
        message: 'The resource already exists',
      },
    });
    expect((await client.getBucket('missing')).error).toMatchObject({
      ...noBucket,
      message: 'Bucket not found',
    });
    expect((await client.createBucket('a/b')).error).toMatchObject({
      code: 'InvalidBucketName',
      statusCode: '400',
    });
    const huge = await client.createBucket('huge', { public: false, fileSizeLimit: '2GB' });
    expect(huge.error).toMatchObject(tooLarge);
    const typeless = await client.createBucket('typeless', { public: false, allowedMimeTypes: ['png'] });
    expect(typeless.error).toMatchObject({ status: 400, statusCode: '415', code: 'InvalidMimeType' });
  });
});

describe('upload and download', () => {
  test.each([
    ['a buffer', () => Buffer.from('héllo')],
    ['a form', () => new Blob(['héllo'], { type: 'text/plain' })],
    ['a stream', () => new Blob(['héllo']).stream()],
  ])('of %s, with what it says of itself', async (_, body) => {
    const key = keyOf();
    const options = { contentType: 'text/plain', cacheControl: '60', metadata: { from: 'test' } };
    const { data } = await client.from('private').upload(key, body(), options);
    expect(data).toEqual({ path: key, id: expect.any(String), fullPath: `private/${key}` });
    const eTag = `"${createHash('md5').update('héllo').digest('hex')}"`;
    expect((await client.from('private').info(key)).data).toEqual({
      ...{ id: data?.id, name: key, bucketId: 'private', size: 6, contentType: 'text/plain', etag: eTag },
      ...{ cacheControl: 'max-age=60', metadata: { from: 'test' }, version: expect.any(String) },
      ...{ createdAt: expect.any(String), lastModified: expect.any(String) },
    });
    expect(await contentOf(key)).toBe('héllo');
    const { headers } = await raw('HEAD', `/object/private/${key}`, { ...service, range: 'bytes=0-1' });
    expect(headers).toMatchObject({ etag: eTag, 'content-length': '6', 'content-type': 'text/plain' });
    expect(headers).toMatchObject({ 'cache-control': 'max-age=60', 'accept-ranges': 'bytes' });
    expect(await client.from('private').exists(key)).toEqual({ data: true, error: null });
  });

  test('an object that is not there', async () => {
    const bucket = client.from('private');
    expect((await bucket.download('nothing')).error).toMatchObject({ ...noKey, message: 'Object not found' });
    expect(await raw('GET', '/object/private/nothing')).toMatchObject({ error: 'not_found' });
    expect(await raw('HEAD', '/object/private/nothing')).toMatchObject({ status: 400, answer: '' });
    expect((await bucket.info('nothing')).error).toMatchObject(noKey);
    expect((await bucket.exists('nothing')).data).toBe(false);
    expect((await bucket.createSignedUrl('nothing', 60)).error).toMatchObject(noKey);
    expect((await client.from('missing').download('nothing')).error).toMatchObject(noBucket);
    expect((await client.from('missing').upload('a', 'b')).error).toMatchObject(noBucket);
    const elsewhere = { status: 400, statusCode: '404', message: 'The related resource does not exist' };
    expect((await client.from('missing').createSignedUploadUrl('a')).error).toMatchObject(elsewhere);
  });

  test('replaces an object only where asked to', async () => {
    const key = await stored('first');
    const bucket = client.from('private');
    const before = (await bucket.info(key)).data;
    expect((await bucket.upload(key, 'second')).error).toMatchObject(failure.keyTaken);
    expect(await raw('POST', `/object/private/${key}`)).toMatchObject({ error: 'Duplicate' });
    expect(await contentOf(key)).toBe('first');
    expect((await bucket.upload(key, 'second', { upsert: true })).error).toBeNull();
    expect(await contentOf(key)).toBe('second');
    const after = (await bucket.info(key)).data;
    expect(after).toMatchObject({ id: before?.id, createdAt: before?.createdAt });
    expect(after?.version).not.toBe(before?.version);
  });

  test('many at once leave one whole object', async () => {
    const key = keyOf();
    const bodies = Array.from({ length: 20 }, (_, i) => String(i).repeat(50_000 + i));
    const files = (await filesBelow(directory)).length;
    const uploads = bodies.map((body) => client.from('private').upload(key, body, { upsert: true }));
    expect((await Promise.all(uploads)).filter(({ error }) => error)).toEqual([]);
    const content = (await contentOf(key)) ?? '';
    expect(bodies).toContain(content);
    const eTag = createHash('md5').update(content).digest('hex');
    expect((await client.from('private').info(key)).data?.etag).toBe(`"${eTag}"`);
    expect((await filesBelow(directory)).length).toBe(files + 2);
  });

  test.each([
    ['bytes=2-4', 206, 'cde', 'bytes 2-4/10'],
    ['bytes=7-', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=-3', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=8-99', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=10-', 416, /invalid_range/, undefined],
    ['bytes=-0', 416, /invalid_range/, undefined],
    ['bytes=5-2', 416, /invalid_range/, undefined],
    ['lines=1-2', 416, /invalid_range/, undefined],
  ])('range %s', async (range, status, answer, contentRange) => {
    const key = await stored('abcdefghij');
    const got = await raw('GET', `/object/private/${key}`, { ...service, range });
    expect(got.status).toBe(status);
    expect(got.answer).toMatch(answer);
    expect(got.headers['content-range']).toBe(contentRange);
  });

  test('what the client has already is not sent again', async () => {
    const path = `/object/private/${await stored('content')}`;
    const { headers } = await raw('GET', path);
    const same = await raw('GET', path, { ...service, 'if-none-match': `${headers.etag}` });
    expect(same).toMatchObject({ status: 304, answer: '' });
    const since = await raw('GET', path, { ...service, 'if-modified-since': `${headers['last-modified']}` });
    expect(since.status).toBe(304);
    const stale = await raw('GET', path, { ...service, 'if-none-match': '"old"' });
    expect(stale).toMatchObject({ status: 200, answer: 'content' });
    expect(stale.headers['cache-control']).toBe('max-age=3600, stale-while-revalidate=30');
  });

  test('a page is served as text, an empty file as nothing', async () => {
    const page = await stored('<script>', 'open', 'text/html');
    const served = await raw('GET', `/object/public/open/${page}?download=a%20b.html`, {});
    expect(served).toMatchObject({ answer: '<script>', headers: { 'content-type': 'text/plain' } });
    expect(served.headers['content-disposition']).toBe(
      "attachment; filename=a%20b.html; filename*=UTF-8''a%20b.html",
    );
    expect(await contentOf(await stored(''))).toBe('');
  });
});

describe('limits of a bucket', () => {
  const type = { contentType: 'image/png' };
  const bytes = (size: number) => Buffer.alloc(size, 1);

  test('size: declared, streamed and in a form', async () => {
    const bucket = client.from('strict');
    const form = (size: number) => new Blob([bytes(size)], { type: 'image/png' });
    const stream = (size: number) => new Blob([bytes(size)]).stream();
    for (const body of [bytes, stream, form]) {
      const key = keyOf('png');
      expect((await bucket.upload(key, body(LIMIT + 1), type)).error).toMatchObject(tooLarge);
      expect((await bucket.exists(key)).data).toBe(false);
      expect((await bucket.upload(key, body(LIMIT), type)).error).toBeNull();
    }
    expect((await bucket.upload(keyOf(), bytes(40_000_000), type)).error).toMatchObject(tooLarge);
    expect(await readdir(join(directory, 'staging'))).toEqual([]);
  });

  test.each([
    ['image/webp', true],
    ['application/pdf', true],
    ['application/json', false],
    ['application/pdf; charset=utf-8', false],
    ['imageish/png', false],
    ['image', false],
  ])('content type %s', async (contentType, isTaken) => {
    const wrong = { status: 400, statusCode: '415', code: 'InvalidMimeType' };
    const key = keyOf();
    const plain = await client.from('strict').upload(key, 'x', { contentType });
    const form = await client.from('strict').upload(`${key}2`, new Blob(['x'], { type: contentType }));
    for (const { error } of [plain, form]) {
      expect(error).toEqual(isTaken ? null : expect.objectContaining(wrong));
    }
  });
});

describe('signed URLs', () => {
  async function uploadUrl(key: string, upsert = false): Promise<{ path: string; token: string }> {
    const { data } = await client.from('private').createSignedUploadUrl(key, { upsert });
    const { pathname, search } = new URL(data?.signedUrl ?? '');
    return { path: (pathname + search).replace('/storage/v1', ''), token: data?.token ?? '' };
  }
  async function downloadUrl(key: string): Promise<{ path: string; token: string }> {
    const url = new URL((await client.from('private').createSignedUrl(key, 60)).data?.signedUrl ?? '');
    const token = url.searchParams.get('token') ?? '';
    return { path: (url.pathname + url.search).replace('/storage/v1', ''), token };
  }
  const signed = (claims: Record<string, unknown>, expires: string, secret = SIGNING_SECRET) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(secret));

  test('upload: once, by whoever holds it', async () => {
    const key = keyOf();
    const { path } = await uploadUrl(key);
    const answer = await put(path, 'plain', { 'content-type': 'image/png', 'cache-control': 'max-age=5' });
    expect(answer).toMatchObject({ status: 200, answer: JSON.stringify({ Key: `private/${key}` }) });
    expect((await client.from('private').info(key)).data).toMatchObject({
      ...{ contentType: 'image/png', cacheControl: 'max-age=5', size: 5 },
    });
    expect(await put(path, 'again')).toMatchObject({ ...failure.keyTaken, error: 'Duplicate' });
    expect(await put(path, 'again', { 'x-upsert': 'true' })).toMatchObject(failure.keyTaken);
    expect((await client.from('private').createSignedUploadUrl(key)).error).toMatchObject(failure.keyTaken);
    expect(await contentOf(key)).toBe('plain');
    expect((await put((await uploadUrl(key, true)).path, 'upsert')).status).toBe(200);
    expect(await contentOf(key)).toBe('upsert');
  });

  test('upload: as storage-js sends a form, without a key', async () => {
    const key = keyOf();
    const { token } = await uploadUrl(key);
    const anybody = new StorageClient(`${storage.url}/storage/v1`).from('private');
    const { data } = await anybody.uploadToSignedUrl(key, token, new Blob(['form'], { type: 'image/webp' }));
    expect(data).toEqual({ path: key, fullPath: `private/${key}` });
    expect((await client.from('private').info(key)).data).toMatchObject({
      contentType: 'image/webp',
      size: 4,
    });
  });

  test('download: by whoever holds it, until it expires', async () => {
    const key = await stored('content');
    const { path } = await downloadUrl(key);
    const { status, answer, headers } = await raw('GET', path, {});
    expect({ status, answer }).toEqual({ status: 200, answer: 'content' });
    expect(headers).toMatchObject({ expires: expect.stringMatching(/GMT$/), 'content-type': 'text/plain' });
    expect(headers['cache-control']).toBeUndefined();
    expect((await raw('GET', path, { range: 'bytes=0-2' })).answer).toBe('con');
    expect((await client.from('private').createSignedUrl(key, 0)).error).toMatchObject({ statusCode: '400' });
  });

  test('a token opens nothing but its object, for its action', async () => {
    const key = await stored('content');
    const neighbour = await stored('neighbour');
    await client.from('other').upload(key, 'elsewhere');
    const [download, upload] = [(await downloadUrl(key)).token, (await uploadUrl(key, true)).token];
    for (const name of [`private/${neighbour}`, `other/${key}`, `open/${key}`, `private/${key}.txt`]) {
      expect(await raw('GET', `/object/sign/${name}?token=${download}`, {})).toMatchObject(badSignature);
      expect(await put(`/object/upload/sign/${name}?token=${upload}`, 'bad')).toMatchObject(badSignature);
    }
    const path = `private/${key}`;
    const scope = { ...badSignature, message: expect.stringContaining('not scoped') };
    expect(await raw('GET', `/object/sign/${path}?token=${upload}`, {})).toMatchObject(scope);
    expect(await put(`/object/upload/sign/${path}?token=${download}`, 'bad')).toMatchObject(scope);
    expect(await raw('GET', `/object/sign/${path}?token=${OTHER_JWT}`, {})).toMatchObject(badSignature);
    const contents = [contentOf(key), contentOf(neighbour), contentOf(key, 'other')];
    expect(await Promise.all(contents)).toEqual(['content', 'neighbour', 'elsewhere']);
  });

  test('a token that is expired, forged, unending or none', async () => {
    const key = await stored('content');
    const url = `private/${key}`;
    const [header, payload] = (await downloadUrl(key)).token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const forged = [
      ...(await Promise.all(['download', 'upload'].map((scope) => signed({ url, scope }, '1 minute ago')))),
      ...(await Promise.all(
        ['download', 'upload'].map((scope) => signed({ url, scope }, '1h', 'other secret')),
      )),
      ...[`${none}.${payload}.`, `${header}.${payload}.`, 'nonsense', ''],
      await new SignJWT({ url, scope: 'download' }).setProtectedHeader({ alg: 'HS256' }).sign(signingKey),
    ];
    for (const token of forged) {
      const invalid = { status: 400, statusCode: '400', code: 'InvalidJWT', error: 'InvalidJWT' };
      expect(await raw('GET', `/object/sign/${url}?token=${token}`, {})).toMatchObject(invalid);
      expect(await put(`/object/upload/sign/${url}?token=${token}`, 'bad')).toMatchObject(invalid);
    }
    for (const method of ['GET', 'PUT']) {
      const path = `/object/${method === 'PUT' ? 'upload/' : ''}sign/${url}`;
      expect(await raw(method, path, {})).toMatchObject({ status: 400, code: 'InvalidRequest' });
    }
    const local = await signed({ url, scope: 'download' }, '1h');
    expect((await raw('GET', `/object/sign/${url}?token=${local}`, {})).answer).toBe('content');
  });
});

describe('callers', () => {
  const others: [string, Record<string, string>][] = [
    ['nobody', {}],
    ['a wrong key', { apikey: `${SECRET_KEY}x` }],
    ['a part of the key', { authorization: `Bearer ${SECRET_KEY.slice(0, -1)}` }],
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['a user behind the key of the service', { apikey: SECRET_KEY, authorization: `Bearer ${OTHER_JWT}` }],
    ['the signing secret', { authorization: `Bearer ${SIGNING_SECRET}` }],
  ];

  test.each(others)('%s may do nothing to the service', async (_, credentials) => {
    const key = await stored('content');
    const body = JSON.stringify({
      bucketId: 'private',
      sourceKey: key,
      destinationKey: `${key}2`,
      expiresIn: 60,
    });
    const headers = { ...credentials, 'content-type': 'application/json' };
    const deny = { status: 400, code: expect.stringMatching(/^(AccessDenied|InvalidRequest)$/) };
    for (const [method, path] of [
      ['GET', '/bucket'],
      ['GET', '/bucket/private'],
      ['POST', '/bucket'],
      ['POST', `/object/private/${key}3`],
      ['POST', `/object/upload/sign/private/${key}3`],
      ['POST', `/object/sign/private/${key}`],
      ['POST', '/object/copy'],
      ['POST', '/object/move'],
      ['POST', '/object/list/private'],
      ['DELETE', '/object/private'],
    ] as const) {
      expect(await raw(method, path, headers, body), `${method} ${path}`).toMatchObject(deny);
    }
    for (const prefix of ['', 'authenticated/', 'public/', 'info/', 'info/authenticated/', 'info/public/']) {
      expect(await raw('GET', `/object/${prefix}private/${key}`, headers), prefix).toMatchObject(noBucket);
    }
    expect(await contentOf(key)).toBe('content');
  });

  test('everybody may read a public bucket, and only read', async () => {
    const key = await stored('content', 'open');
    const { publicUrl } = client.from('open').getPublicUrl(key).data;
    expect(await (await fetch(publicUrl)).text()).toBe('content');
    expect((await fetch(publicUrl, { method: 'HEAD' })).headers.get('content-length')).toBe('7');
    const anybody = new StorageClient(`${storage.url}/storage/v1`, { apikey: 'sb_publishable' }).from('open');
    expect((await anybody.info(key)).data).toMatchObject({ name: key, size: 7 });
    expect(await (await anybody.download(key)).data?.text()).toBe('content');
    expect((await anybody.upload(keyOf(), 'x')).error).toMatchObject({
      statusCode: '403',
      code: 'AccessDenied',
    });
    expect((await anybody.list()).error).toMatchObject({ statusCode: '403' });
    expect((await raw('GET', '/object/public/private/a')).code).toBe('NoSuchBucket');
  });

  test('the key counts as bearer and as apikey', async () => {
    for (const headers of [service, { apikey: SECRET_KEY }, { ...service, apikey: 'sb_publishable' }]) {
      expect((await raw('GET', '/bucket', headers)).status).toBe(200);
    }
  });
});

describe('copy, move, remove and list', () => {
  test('copy keeps what the object says of itself, or takes what is said anew', async () => {
    const [key, target] = [keyOf(), keyOf()];
    const bucket = client.from('private');
    await bucket.upload(key, 'content', { contentType: 'image/png', metadata: { a: 1 } });
    const { data } = await bucket.copy(key, target, { destinationBucket: 'other' });
    expect(data).toEqual({ path: `other/${target}` });
    const copied = { contentType: 'image/png', cacheControl: 'max-age=3600', metadata: { a: 1 }, size: 7 };
    expect((await client.from('other').info(target)).data).toMatchObject(copied);
    await bucket.copy(key, `${target}2`, { copyMetadata: false, metadata: { mimetype: 'image/webp' } });
    const anew = { contentType: 'image/webp', cacheControl: 'max-age=3600', metadata: {} };
    expect((await bucket.info(`${target}2`)).data).toMatchObject(anew);
    await bucket.remove([key]);
    expect(await contentOf(target, 'other')).toBe('content');
    expect(await contentOf(`${target}2`)).toBe('content');
  });

  test('move renames, across buckets as well', async () => {
    const [key, target] = [await stored('content'), keyOf()];
    const id = (await client.from('private').info(key)).data?.id;
    const options = { destinationBucket: 'other' };
    const { data } = await client.from('private').move(key, target, options);
    expect(data).toEqual({ message: 'Successfully moved' });
    expect((await client.from('private').exists(key)).data).toBe(false);
    expect((await client.from('other').info(target)).data?.id).toBe(id);
    expect((await client.from('other').move(target, target)).error).toBeNull();
    expect(await contentOf(target, 'other')).toBe('content');
  });

  test('neither takes a name that is taken, a source or a bucket that is not there', async () => {
    const [key, taken] = [await stored('content'), await stored('taken')];
    const bucket = client.from('private');
    expect((await bucket.copy(key, taken)).error).toMatchObject(failure.keyTaken);
    expect((await bucket.move(key, taken)).error).toMatchObject({
      ...{ status: 400, statusCode: '409', code: 'ResourceAlreadyExists' },
    });
    for (const change of ['copy', 'move'] as const) {
      expect((await bucket[change]('nothing', keyOf())).error).toMatchObject(noKey);
      const nowhere = await bucket[change](key, keyOf(), { destinationBucket: 'missing' });
      expect(nowhere.error).toMatchObject({ status: 400, statusCode: '404', code: 'InvalidRequest' });
    }
    expect([await contentOf(key), await contentOf(taken)]).toEqual(['content', 'taken']);
  });

  test('of many moves of one object one succeeds', async () => {
    const key = await stored('content');
    const targets = Array.from({ length: 8 }, () => keyOf());
    const moves = await Promise.all(targets.map((target) => client.from('private').move(key, target)));
    expect(moves.filter(({ error }) => error === null)).toHaveLength(1);
    const contents = await Promise.all(targets.map((target) => contentOf(target)));
    expect(contents.filter((content) => content !== undefined)).toEqual(['content']);
  });

  test('remove tells what it removed, and leaves no file behind', async () => {
    const files = (await filesBelow(directory)).length;
    const keys = [await stored('a'), await stored('b')];
    const { data } = await client.from('private').remove([...keys, 'nothing']);
    expect(data).toEqual(keys.map((name) => expect.objectContaining({ name, bucket_id: 'private' })));
    expect((await client.from('private').info(keys[0] ?? '')).error).toMatchObject(noKey);
    expect((await filesBelow(directory)).length).toBe(files);
    expect((await client.from('private').remove(['nothing'])).data).toEqual([]);
    expect((await client.from('private').remove([])).error).toMatchObject({ statusCode: '400' });
  });

  test('list shows one level: folders, and files with their metadata', async () => {
    const name = randomUUID();
    await client.createBucket(name);
    const bucket = client.from(name);
    for (const key of ['b.txt', 'Folder/x.txt', 'Folder/deep/y.txt', 'folder/z.txt', 'a.txt', 'c_.txt']) {
      await bucket.upload(key, key);
    }
    const names = async (...options: Parameters<typeof bucket.list>) =>
      (await bucket.list(...options)).data?.map((entry) => entry.name);
    expect(await names()).toEqual(['a.txt', 'b.txt', 'c_.txt', 'Folder']);
    expect(await names('folder')).toEqual(['deep', 'x.txt', 'z.txt']);
    expect(await names('Folder/', { search: 'X' })).toEqual(['x.txt']);
    expect(await names('', { limit: 2, offset: 1 })).toEqual(['b.txt', 'c_.txt']);
    const descending = { column: 'name', order: 'desc' };
    expect(await names('', { sortBy: descending, limit: 3 })).toEqual(['folder', 'c_.txt', 'b.txt']);
    const newest = { column: 'created_at', order: 'desc' };
    expect(await names('', { sortBy: newest })).toEqual(['folder', 'c_.txt', 'a.txt', 'b.txt']);
    expect(await names('nowhere')).toEqual([]);
    const [file, , , folder] = (await bucket.list()).data ?? [];
    expect(file).toMatchObject({
      id: expect.any(String),
      metadata: { size: 5, mimetype: expect.any(String) },
    });
    expect(folder).toEqual({
      ...{
        name: 'Folder',
        id: null,
        updated_at: null,
        created_at: null,
        last_accessed_at: null,
        metadata: null,
      },
    });
  });
});

describe('names', () => {
  const escapes = [
    ...['../other/x', 'a/../../x', '%2e%2e/other/x', '..%2fother%2fx', 'a/./b', 'a/..', '.', '%2E%2E%2Fx'],
    ...['/etc/passwd', '%2fetc%2fpasswd', 'a%00b', '%00', 'a%5cb', '..%5c..%5cx', 'a\\..\\b', 'a%0ab', ''],
    ...['%252e%252e/x', '%c3%a9.txt', '%ff', '%zz', 'a%', `${'long'.repeat(256)}x`, 'C:%5cx', '%7e/x%23'],
  ];

  test.each(escapes)('%s is no name of an object', async (key) => {
    const before = await filesBelow(directory);
    const upload = await raw('POST', `/object/private/${key}`, { ...service, 'x-upsert': 'true' }, 'escaped');
    const sign = await raw('POST', `/object/upload/sign/private/${key}`);
    for (const { status, answer, code } of [upload, sign]) {
      // A raw backslash does not get as far as the service.
      expect([status, code]).toEqual([400, answer === '' ? undefined : 'InvalidKey']);
    }
    expect((await raw('GET', `/object/private/${key}`)).status).toBe(400);
    if (!key.includes('%')) {
      for (const change of ['copy', 'move']) {
        const body = JSON.stringify({ bucketId: 'private', sourceKey: 'a', destinationKey: key });
        expect(await raw('POST', `/object/${change}`, json, body)).toMatchObject({
          status: 400,
          code: 'InvalidKey',
        });
      }
    }
    expect(await filesBelow(directory)).toEqual(before);
  });

  test.each(['..', '.', '%2e%2e', 'a%2fb', '..%2f..', 'a%00', 'b%5cc', '%c3%a9', 'x'.repeat(101)])(
    '%s is no name of a bucket',
    async (bucket) => {
      const code = expect.stringMatching(/^(InvalidBucketName|NoSuchBucket)$/);
      expect(await raw('POST', `/object/${bucket}/x`)).toMatchObject({ status: 400, code });
      expect(await raw('GET', `/object/${bucket}/x`)).toMatchObject({ status: 400, code });
      expect((await raw('POST', `/object/list/${bucket}`, json, '{"prefix":""}')).answer).not.toContain(
        '"id"',
      );
    },
  );

  test('that a file system might confuse are objects of their own', async () => {
    const folder = randomUUID();
    const names = [
      'Case.txt',
      'case.txt',
      'case.txt.',
      'case.txt..',
      'case.txt%20',
      'con',
      'case.txt/x',
      'a//b',
      'a/b',
    ];
    const paths = [...names, 'object.json', 'x'.repeat(900)].map(
      (name) => `/object/private/${folder}/${name}`,
    );
    for (const path of paths) {
      expect((await raw('POST', path, service, path)).status).toBe(200);
    }
    for (const path of paths) {
      expect((await raw('GET', path)).answer).toBe(path);
    }
    for (const file of await filesBelow(directory)) {
      expect(file.slice(directory.length)).toMatch(
        /^(\/(objects|buckets|staging|[0-9a-f-]{36,64}))+(\/object)?(\.json)?$/,
      );
    }
  });
});

describe('requests that go wrong', () => {
  const staged = async () => {
    const files = await filesBelow(join(directory, 'staging'));
    return (await Promise.all(files.map(async (file) => (await stat(file)).size))).reduce((a, b) => a + b, 0);
  };
  const form = { 'content-type': 'multipart/form-data; boundary=cut' };
  const formBody = '--cut\r\nContent-Disposition: form-data; name=""; filename="blob"\r\n\r\n';

  test.each([
    ['of a declared length', { 'content-length': '1000000' }, 'half'.repeat(50_000)],
    ['of unknown length', { 'transfer-encoding': 'chunked' }, 'half'.repeat(50_000)],
    ['in a form', { ...form, 'content-length': '1000000' }, formBody + 'half'.repeat(50_000)],
  ])('an upload %s that is cut leaves nothing', async (_, headers, half) => {
    const [fresh, known] = [keyOf(), await stored('whole')];
    for (const key of [fresh, known]) {
      const path = `/storage/v1/object/private/${key}`;
      const options = { method: 'POST', path, headers: { ...service, ...headers, 'x-upsert': 'true' } };
      const outgoing = httpRequest(new URL(storage.url), options).on('error', () => undefined);
      outgoing.write(half);
      await expect.poll(staged, { timeout: 10_000 }).toBeGreaterThan(100_000);
      expect((await client.from('private').exists(key)).data).toBe(key === known);
      outgoing.destroy();
      await expect.poll(staged, { timeout: 10_000 }).toBe(0);
    }
    expect((await client.from('private').exists(fresh)).data).toBe(false);
    expect(await contentOf(known)).toBe('whole');
  });

  test.each([
    ['ends early', form, `${formBody}content\r\n--cut`],
    ['has no file', form, '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--cut--'],
    ['has no boundary', { 'content-type': 'multipart/form-data' }, formBody],
    [
      'has too large a field',
      form,
      `--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'b'.repeat(2 ** 21)}`,
    ],
  ])('a form that %s is refused', async (_, headers, body) => {
    const key = keyOf();
    const answer = await raw('POST', `/object/private/${key}`, { ...service, ...headers }, body);
    expect(answer).toMatchObject({ status: 400, code: 'InvalidRequest' });
    expect((await client.from('private').exists(key)).data).toBe(false);
  });

  test('a form cannot put a line into the headers of the answer', async () => {
    const field =
      '--cut\r\nContent-Disposition: form-data; name="contentType"\r\n\r\na/b\r\nSet-Cookie: c=d\r\n';
    const answer = await raw('POST', `/object/private/${keyOf()}`, { ...service, ...form }, field + formBody);
    expect(answer).toMatchObject({ status: 400, error: 'invalid_header_char' });
  });

  test.each([
    ['POST', '/object/copy', '{'],
    ['POST', '/object/copy', 'null'],
    ['POST', '/object/move', '{"bucketId":"private","sourceKey":1,"destinationKey":"a"}'],
    ['POST', '/object/list/private', '{"prefix":"","limit":0}'],
    ['POST', '/object/list/private', '{"prefix":"","offset":-1}'],
    ['POST', '/object/list/private', '{"prefix":"","sortBy":{"column":"id"}}'],
    ['POST', '/object/sign/private/a', '{"expiresIn":1.5}'],
    ['POST', '/object/sign/private/a', '{"expiresIn":9000000000000}'],
    ['POST', '/bucket', '{"name":"x","file_size_limit":"1 gigabyte"}'],
    ['DELETE', '/object/private', '{"prefixes":"a"}'],
    ['DELETE', '/object/private', ''],
  ])('%s %s with %s', async (method, path, body) => {
    const wrong = { status: 400, statusCode: '400', code: 'InvalidRequest', message: expect.any(String) };
    expect(await raw(method, path, json, body)).toMatchObject(wrong);
  });

  test('a body beyond a mebibyte, a route that is none', async () => {
    const body = JSON.stringify({ prefixes: ['a'.repeat(2 ** 20)] });
    expect(await raw('DELETE', '/object/private', json, body)).toMatchObject({
      status: 413,
      statusCode: '413',
    });
    for (const path of ['/object', '/buckets', '/../../etc/passwd', '/render/image/public/a/b']) {
      expect(await raw('GET', path)).toMatchObject({ status: 404, statusCode: '404', error: 'Not Found' });
    }
  });

  test('a form is read alike, however it is cut into chunks', async () => {
    const piece = fc.oneof(fc.constantFrom('\r\n', '--cut', '\r\n--cu', '-', '\r'), fc.string());
    const joined = fc.array(piece).map((pieces) => pieces.join(''));
    const content = joined.filter((text) => !text.includes('\r\n--cut'));
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 40 }), async (expected, size) => {
        const whole = Buffer.from(`${formBody}${expected}\r\n--cut--\r\n`);
        async function* chunks() {
          for (let at = 0; at < whole.length; at += size) {
            yield whole.subarray(at, at + size);
          }
        }
        const read: string[] = [];
        for await (const part of readParts(chunks(), form['content-type'])) {
          read.push(await collectSmall(part.content, 1e6));
        }
        expect(read).toEqual([Buffer.from(expected).toString()]);
      }),
    );
  });
});

describe('start', () => {
  test('again on the same directory keeps everything but what was under way', async () => {
    const where = await mkdtemp(join(tmpdir(), 'opine-storage-'));
    const first = await start(where);
    await clientOf(first).createBucket('later');
    await clientOf(first)
      .from('later')
      .upload('a.txt', 'content', { metadata: { a: 1 } });
    const { data } = await clientOf(first).from('later').info('a.txt');
    const createdAt = (await clientOf(first).getBucket('open')).data?.created_at;
    await first.stop();
    await writeFile(join(where, 'staging', randomUUID()), 'half');
    const closed = { name: 'open', public: false, fileSizeLimit: 5, allowedMimeTypes: null };
    const second = await start(where, [closed]);
    expect((await clientOf(second).getBucket('open')).data?.created_at).toBe(createdAt);
    expect((await clientOf(second).from('later').info('a.txt')).data).toEqual(data);
    expect(await (await clientOf(second).from('later').download('a.txt')).data?.text()).toBe('content');
    expect((await clientOf(second).getBucket('open')).data).toMatchObject({
      public: false,
      file_size_limit: 5,
    });
    expect(await readdir(join(where, 'staging'))).toEqual([]);
    await second.stop();
    await rm(where, { recursive: true });
  });

  test('is refused in production, and on a port that is taken', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    await expect(start()).rejects.toThrow('production');
    vi.unstubAllEnvs();
    const where = await mkdtemp(join(tmpdir(), 'opine-storage-'));
    const port = Number(new URL(storage.url).port);
    const options = { directory: where, port, secretKey: 'a', signingSecret: 'b', buckets: [] };
    await expect(startStorage(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await rm(where, { recursive: true });
  });

  test('stops with an upload under way', async () => {
    const where = await mkdtemp(join(tmpdir(), 'opine-storage-'));
    const running = await start(where);
    const path = '/storage/v1/object/private/a';
    const headers = { ...service, 'content-length': '1000000' };
    const outgoing = httpRequest(new URL(running.url), { method: 'POST', path, headers });
    const cut = once(outgoing, 'error');
    outgoing.write('half');
    await expect.poll(() => readdir(join(where, 'staging')), { timeout: 10_000 }).toHaveLength(1);
    await running.stop();
    await cut;
    expect(await readdir(join(where, 'staging'))).toEqual([]);
    await rm(where, { recursive: true });
  });
});
