import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createOpine,
  type Fetch,
  type FetchResponse,
  PlatformError,
} from '../../clients/typescript/src/index.ts';
import { anAppOf } from '../support/clients.ts';
import { registeredPerson } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { checksumOf } from '../support/uploads.ts';

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

afterEach(() => vi.unstubAllGlobals());

/** Sends like the `fetch` of React Native: it waits for the end of the body, and has no stream. */
const bufferingFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  const text = await response.text();
  const { ok, status, headers } = response;
  return { ok, status, headers, text: async () => text };
};

/** Sends like a `fetch` behind a proxy that buffers: responses have streams, but arrive whole. */
const delayingFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  return new Response(await response.text(), response);
};

const isMissing = (option: string) => expect.objectContaining({ name: 'PlatformError', option });

describe('a platform without', () => {
  test('fetch gets a PlatformError from createOpine', () => {
    vi.stubGlobal('fetch', undefined);
    expect(() => createOpine({ baseUrl: opine.url })).toThrow(isMissing('fetch'));
  });

  test('Web Crypto gets a PlatformError from an upload, before anything is sent', async () => {
    const app = anAppOf(opine, await registeredPerson(opine));
    vi.stubGlobal('crypto', undefined);
    const refused = app.upload(new Blob([await aPng()], { type: 'image/png' }), { purpose: 'profile_photo' });
    await expect(refused).rejects.toEqual(isMissing('digest'));
    expect(app.requestedPaths).toEqual([]);
  });

  test('a way to read a file gets a PlatformError from an upload, before anything is sent', async () => {
    const app = anAppOf(opine, await registeredPerson(opine));
    const refused = app.upload({ uri: 'file:///me.png', type: 'image/png' }, { purpose: 'profile_photo' });
    await expect(refused).rejects.toEqual(isMissing('readFile'));
    expect(app.requestedPaths).toEqual([]);
  });

  test.each([
    ['streams', bufferingFetch],
    ['streams that arrive while they are sent', delayingFetch],
  ])('%s gets a PlatformError from events()', async (_, send) => {
    const app = anAppOf(opine, await registeredPerson(opine), { send });
    await expect(app.events().next()).rejects.toEqual(isMissing('openStream'));
  });

  test('TextDecoder gets a PlatformError from events()', async () => {
    const app = anAppOf(opine, await registeredPerson(opine));
    vi.stubGlobal('TextDecoder', undefined);
    await expect(app.events().next()).rejects.toEqual(isMissing('openStream'));
  });
});

describe('an app that passes', () => {
  test.each([
    ['bytes', (bytes: Uint8Array<ArrayBuffer>) => createHash('sha256').update(bytes).digest()],
    ['hex', (bytes: Uint8Array<ArrayBuffer>) => checksumOf(bytes)],
  ])('readFile, and digest as %s, uploads a file of its platform', async (_, digest) => {
    const picture = await aPng();
    const digested = vi.fn(digest);
    const app = anAppOf(opine, await registeredPerson(opine), {
      digest: digested,
      readFile: async ({ uri }: { uri: string }) => {
        expect(uri).toBe('file:///me.png');
        return picture;
      },
    });
    const file = { uri: 'file:///me.png', type: 'image/png' };
    expect(await app.upload(file, { purpose: 'profile_photo' })).toMatchObject({
      contentType: 'image/png',
      checksum: checksumOf(picture),
    });
    expect(digested).toHaveBeenCalledExactlyOnceWith(new Uint8Array(picture));
  });

  test.each<[string, (body: ReadableStream<Uint8Array>) => FetchResponse['body']]>([
    ['a web stream of bytes', (body) => body],
    ['chunks of text', (body) => body.pipeThrough(new TextDecoderStream() as never)],
  ])('openStream with %s listens to events', async (_, bodyOf) => {
    const openStream: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      const { ok, status, headers, body } = response;
      return { ok, status, headers, body: body && bodyOf(body), text: () => response.text() };
    };
    const app = anAppOf(opine, await registeredPerson(opine), { send: bufferingFetch, openStream });
    for await (const event of app.events()) {
      expect(event).toEqual({ type: 'ready', inbox: { unreadCount: 0, inboxVersion: 0 } });
      break;
    }
  });
});

test('a PlatformError says which option adds the missing part', () => {
  const error = new PlatformError('digest', 'This platform cannot compute a SHA-256.');
  expect(error.message).toBe('This platform cannot compute a SHA-256. Pass `digest` to createOpine.');
});
