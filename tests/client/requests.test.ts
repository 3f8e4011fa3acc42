import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createOpine, isOpineError, OpineError } from '../../clients/typescript/src/index.ts';
import { NONEXISTENT } from '../support/client.ts';
import { type App, anApp, anAppOf } from '../support/clients.ts';
import { confirmedPerson, registeredPerson } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { aSlider, thoughts } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { checksumOf } from '../support/uploads.ts';

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

test('a request sends the position of the last write, and those of writes at the same time', async () => {
  const sent: (string | undefined)[] = [];
  const positions: (string | null)[] = [];
  const app = anAppOf(opine, await confirmedPerson(opine), {
    send: (url, init) => {
      sent.push(init.headers['X-Opine-Position']);
      return fetch(url, init);
    },
  });
  app.onAnswer = (_, response) => {
    positions.push(response.headers.get('X-Opine-Position'));
    return response;
  };
  const write = () => app.patch('/users/me/profile', { body: { bio: crypto.randomUUID() } });
  const read = () => app.get('/users/me/profile');
  await read();
  await write();
  await write();
  await read();
  const [, first, last] = positions;
  expect(sent).toEqual([undefined, undefined, first, last]);
  await Promise.all([write(), write()]);
  await read();
  expect(sent.at(-1)?.split(',').sort()).toEqual(positions.slice(4, 6).sort());
  expect(new Set(positions.filter((position) => position !== null)).size).toBe(4);
});

describe('a refusal', () => {
  test('an OpineError has the code, details and request id of the response', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await registeredPerson(opine)];
    const { id: postId } = await aSlider(maya);
    const app = anAppOf(opine, jonas);
    const vote = () =>
      app.post('/posts/{postId}/vote', {
        params: { path: { postId } },
        body: { position: 'right' },
        headers: { 'X-Request-Id': 'the-vote-of-jonas' },
      });
    expect((await vote()).summary).toMatchObject({ totalVotes: 1, rightCount: 1 });
    const refused = await vote().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpineError);
    expect([isOpineError(refused), isOpineError(refused, 'VOTE_ALREADY_CAST', 'POST_NOT_FOUND')]).toEqual([
      true,
      true,
    ]);
    expect([isOpineError(refused, 'POST_NOT_FOUND'), isOpineError(new Error('VOTE_ALREADY_CAST'))]).toEqual([
      false,
      false,
    ]);
    expect(refused).toMatchObject({ code: 'VOTE_ALREADY_CAST', status: 409, requestId: 'the-vote-of-jonas' });
    const body = { visibility: 'public', thoughtText: 'Too early' } as const;
    await expect(app.post('/posts', { body })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { requiredLevel: 3, level: 2, nextStep: 'media' },
    });
  });

  test('a rate-limited request throws an OpineError with retryAfterSeconds', async () => {
    const app = anApp(opine);
    const body = { phoneNumber: '+12025559999' };
    await app.post('/auth/otp/request', { body });
    const refused: OpineError = await app.post('/auth/otp/request', { body }).then(
      () => Promise.reject(new Error('A second code was sent.')),
      (error) => error,
    );
    expect(refused.code).toBe('RATE_LIMITED');
    expect(refused.retryAfterSeconds).toBe(refused.details.retryAfterSeconds);
  });

  test('a refusal by a proxy throws an OpineError with a null code', async () => {
    const proxy = createServer((_, response) => response.writeHead(500).end('<h1>Bad gateway</h1>'));
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const app = createOpine({ baseUrl: `http://127.0.0.1:${port}/` });
    await expect(app.get('/posts')).rejects.toMatchObject({ name: 'OpineError', code: null, status: 500 });
  });
});

test('pages() reads a list to its end, from the start or from a cursor', async () => {
  const maya = await confirmedPerson(opine);
  const published = (await thoughts(maya, 7)).map(({ id }) => id).reverse();
  const app = anAppOf(opine, maya);
  const path = { userId: maya.id };
  const pages = await Array.fromAsync(
    app.pages('/users/{userId}/feed', { params: { path, query: { limit: 3 } } }),
  );
  expect(pages.map(({ items }) => items.map(({ id }) => id))).toEqual([
    published.slice(0, 3),
    published.slice(3, 6),
    published.slice(6),
  ]);
  const cursor = pages[0]?.nextCursor ?? '';
  const rest = app.pages('/users/{userId}/feed', { params: { path, query: { limit: 5, cursor } } });
  expect((await Array.fromAsync(rest)).map(({ items }) => items.map(({ id }) => id))).toEqual([
    published.slice(3),
  ]);
  const unknown = app.pages('/users/{userId}/feed', { params: { path: { userId: NONEXISTENT.id } } });
  await expect(unknown.next()).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
});

test('items() reads a list item by item, and no page that the loop does not need', async () => {
  const maya = await confirmedPerson(opine);
  const published = (await thoughts(maya, 5)).map(({ id }) => id).reverse();
  const app = anAppOf(opine, maya);
  const params = { path: { userId: maya.id }, query: { limit: 2 } };
  const read: string[] = [];
  for await (const { id } of app.items('/users/{userId}/feed', { params })) {
    read.push(id);
    if (read.length === 3) break;
  }
  expect(read).toEqual(published.slice(0, 3));
  expect(app.requestedPaths).toHaveLength(2);
});

describe('a request whose answer is lost', () => {
  /** Loses the first answer after the service has done its work. */
  function losesFirstAnswer(app: App): void {
    app.onAnswer = (_, response) => {
      if (app.requestedPaths.length > 1) return response;
      throw new TypeError('The connection is lost.');
    };
  }

  test('a post is sent again and is created once', async () => {
    const maya = await confirmedPerson(opine);
    const app = anAppOf(opine, maya);
    losesFirstAnswer(app);
    const { id } = await app.post('/posts', { body: { visibility: 'public', thoughtText: 'Once' } });
    expect(app.requestedPaths).toEqual(['/posts', '/posts']);
    const { items } = await app.get('/users/{userId}/feed', { params: { path: { userId: maya.id } } });
    expect(items.map((post) => post.id)).toEqual([id]);
  });

  test('two posts of the same text are two posts', async () => {
    const app = anAppOf(opine, await confirmedPerson(opine));
    const body = { visibility: 'public', thoughtText: 'Twice' } as const;
    const [one, other] = [await app.post('/posts', { body }), await app.post('/posts', { body })];
    expect(one.id).not.toBe(other.id);
  });

  test('a vote is not sent again', async () => {
    const { id: postId } = await aSlider(await confirmedPerson(opine));
    const app = anAppOf(opine, await registeredPerson(opine));
    losesFirstAnswer(app);
    const vote = app.post('/posts/{postId}/vote', {
      params: { path: { postId } },
      body: { position: 'left' },
    });
    await expect(vote).rejects.toBeInstanceOf(TypeError);
    expect(app.requestedPaths).toHaveLength(1);
  });
});

describe('a busy service', () => {
  const busy = (status: number, seconds: number) =>
    new Response('{}', { status, headers: { 'Retry-After': `${seconds}` } });

  test.each([429, 502, 503, 504])('a request is sent again after %d', async (status) => {
    const app = anApp(opine);
    app.onAnswer = (_, response) => (app.requestedPaths.length === 1 ? busy(status, 0) : response);
    expect(await app.get('/posts')).toMatchObject({ nextCursor: null });
    expect(app.requestedPaths).toHaveLength(2);
  });

  test.each([
    ['500 is thrown at once', 500, 0, 1],
    ['a Retry-After of more than ten seconds is thrown at once', 503, 11, 1],
    ['the fourth 503 is thrown', 503, 0, 4],
  ])('%s', async (_, status, seconds, requests) => {
    const app = anApp(opine);
    app.onAnswer = () => busy(status, seconds);
    await expect(app.get('/posts')).rejects.toMatchObject({ status, retryAfterSeconds: seconds });
    expect(app.requestedPaths).toHaveLength(requests);
  });

  test('a request that is cancelled while it waits is not sent again', async () => {
    const app = anApp(opine);
    const leaving = new AbortController();
    app.onAnswer = () => {
      queueMicrotask(() => leaving.abort());
      return busy(503, 10);
    };
    await expect(app.get('/posts', { signal: leaving.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a file', () => {
  test('an uploaded file becomes an asset that a profile can use', async () => {
    const app = anAppOf(opine, await confirmedPerson(opine));
    const picture = await aPng();
    const file = new Blob([picture], { type: 'image/png' });
    const asset = await app.upload(file, { purpose: 'profile_photo', fileName: 'me.png' });
    expect(asset).toMatchObject({
      purpose: 'profile_photo',
      contentType: 'image/png',
      width: 48,
      height: 32,
    });
    const { profilePhotoUrl } = await app.patch('/users/me/profile', {
      body: { profileAssetId: asset.assetId },
    });
    expect(checksumOf(new Uint8Array(await (await fetch(profilePhotoUrl ?? '')).arrayBuffer()))).toBe(
      asset.checksum,
    );
  });

  test('a file that differs from its content type is refused with UPLOAD_CONFLICT', async () => {
    const app = anAppOf(opine, await registeredPerson(opine));
    const file = new Blob(['no picture']);
    await expect(
      app.upload(file, { purpose: 'profile_photo', contentType: 'image/png' }),
    ).rejects.toMatchObject({ code: 'UPLOAD_CONFLICT', details: { reason: 'content_mismatch' } });
  });
});
