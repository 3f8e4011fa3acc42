import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createOpine, OpineError } from '../../clients/typescript/src/index.ts';
import { NONEXISTENT } from '../support/client.ts';
import { anApp, anAppOf } from '../support/clients.ts';
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
    const proxy = createServer((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const app = createOpine({ baseUrl: `http://127.0.0.1:${port}/` });
    await expect(app.get('/posts')).rejects.toMatchObject({ name: 'OpineError', code: null, status: 502 });
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
