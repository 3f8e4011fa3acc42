import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createObjects, type Objects, readWhole } from '../../src/storage/objects.ts';
import { stopTimeouts } from '../support/clock.ts';
import { close, type FakeAnswer, listen, respond } from '../support/loopback.ts';
import { eventually } from '../support/streams.ts';
import { checksumOf } from '../support/uploads.ts';

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };

interface StorageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let requests: StorageRequest[];
/** The answers to the next requests. */
let answers: FakeAnswer[];
let objects: Objects;

beforeEach(async () => {
  requests = [];
  answers = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    requests.push({ method, path, headers, body: (await buffer(incoming)).toString() });
    respond(outgoing, answers.shift() ?? { status: 200, body: {} });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  objects = createObjects({ url: `http://127.0.0.1:${port}`, secretKey: 'a secret key' });
});

/** The methods, each with a call of it. */
const CALLS: [method: string, call: () => Promise<unknown>][] = [
  ['open', () => objects.open('uploads', 'a-key')],
  ['put', () => objects.put('media', 'a-key', { bytes: new Uint8Array([1]), contentType: 'image/png' })],
  ['remove', () => objects.remove('media', ['a-key'])],
  ['list', () => Array.fromAsync(objects.list('uploads'))],
];

describe('the storage', () => {
  test.each(CALLS)(
    '%s fails as unavailable when storage has not answered after ten seconds',
    async (_, call) => {
      const passTime = stopTimeouts();
      answers = ['hang'];
      let isSettled = false;
      const outcome = call()
        .catch((error: unknown) => error)
        .finally(() => {
          isSettled = true;
        });
      await eventually(() => requests.length).toBe(1);
      passTime(9_900);
      await new Promise(setImmediate);
      expect(isSettled).toBe(false);
      passTime(100);
      expect(await outcome).toMatchObject(UNAVAILABLE);
    },
  );

  test.each(CALLS)(
    '%s fails as unavailable, with the cause, when storage is unreachable or refuses',
    async (_, call) => {
      answers = ['reset'];
      await expect(call()).rejects.toMatchObject({ ...UNAVAILABLE, cause: { code: 'UND_ERR_SOCKET' } });
      answers = [{ status: 500, body: { statusCode: '500', error: 'Internal', message: 'broken' } }];
      await expect(call()).rejects.toMatchObject({ ...UNAVAILABLE, cause: { message: 'broken' } });
      // Every call bears the key that bypasses policies.
      expect(requests.map(({ headers }) => headers.authorization)).toEqual(
        Array(2).fill('Bearer a secret key'),
      );
    },
  );
});

describe('a stored object', () => {
  test.each([
    ['404', { status: 404, body: { statusCode: '404', error: 'not_found', message: 'Object not found' } }],
    ['400 with 404 in its body', { status: 400, body: { statusCode: '404', error: 'x', message: 'y' } }],
  ])('an object that storage answers with %s does not exist', async (_, answer) => {
    answers = [answer];
    expect(await objects.open('uploads', 'a-key')).toBeNull();
  });

  test('an object that storage refuses otherwise is not taken for a missing one', async () => {
    answers = [{ status: 400, body: { statusCode: '400', error: 'x', message: 'y' } }];
    await expect(objects.open('uploads', 'a-key')).rejects.toMatchObject(UNAVAILABLE);
  });

  test('an object is stored once under its key, with its type and a day in caches', async () => {
    await objects.put('photos', 'a-key', { bytes: Buffer.from('pixels'), contentType: 'image/png' });
    expect(requests).toMatchObject([{ method: 'POST', path: '/storage/v1/object/photos/a-key' }]);
    const [request] = requests;
    expect(request?.headers['x-upsert']).toBe('false');
    expect(request?.body).toContain('Content-Type: image/png');
    expect(request?.body).toMatch(/name="cacheControl"\r\n\r\n86400\r\n/);
    expect(request?.body).toContain('pixels');
  });

  test('no objects are removed without a request', async () => {
    await objects.remove('media', []);
    expect(requests).toEqual([]);
  });
});

test('a list of objects goes on until a page that is not full, and leaves folders out', async () => {
  const page = (size: number, from: number) => ({
    status: 200,
    body: Array.from({ length: size }, (_, index) => ({
      id: index === 0 ? null : 'an id',
      name: `key-${from + index}`,
    })),
  });
  answers = [page(1_000, 0), page(1_000, 1_000), page(3, 2_000)];
  const pages = await Array.fromAsync(objects.list('uploads'));
  expect(pages.map((keys) => [keys.length, keys[0]])).toEqual([
    [999, 'key-1'],
    [999, 'key-1001'],
    [2, 'key-2001'],
  ]);
  expect(requests.map(({ body }) => JSON.parse(body))).toMatchObject([
    { limit: 1_000, offset: 0 },
    { limit: 1_000, offset: 1_000 },
    { limit: 1_000, offset: 2_000 },
  ]);
});

describe('a file that is read whole', () => {
  const streamOf = (...chunks: string[]) =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
        controller.close();
      },
    });

  test('a file beyond the limit is hashed and counted whole, and kept up to the limit', async () => {
    const file = Buffer.from('0123456789');
    expect(await readWhole(streamOf('01234', '567', '89'), 7)).toEqual({
      bytes: new Uint8Array(file.subarray(0, 7)),
      size: 10,
      checksum: checksumOf(new Uint8Array(file)),
    });
  });

  test('a file shorter than the limit has no bytes behind its end', async () => {
    expect((await readWhole(streamOf('012'), 7)).bytes).toEqual(new Uint8Array(Buffer.from('012')));
  });

  test('a file that breaks off is unavailable', async () => {
    const breaking = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    await expect(readWhole(breaking, 7)).rejects.toMatchObject({
      ...UNAVAILABLE,
      cause: { message: 'gone' },
    });
  });
});
