import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { withShortTimeouts } from '../support/outages.ts';
import { aGuest, anonymousPerson } from '../support/people.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, aPendingUpload, completeUpload, downloadFile } from '../support/uploads.ts';

const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

let opine: OpineWithStorage;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng();
});

afterEach(() => opine.storage.bringBack());

afterAll(() => opine.stop());

describe('a storage outage', () => {
  test('a completion answers 503 and succeeds after the outage', async () => {
    const maya = await anonymousPerson(opine);
    const sent = await aPendingUpload(maya, picture);
    await opine.storage.takeDown();
    expect(await completeUpload(maya, sent, picture)).toMatchObject(UNAVAILABLE);
    await opine.storage.bringBack();
    const { status, data } = await completeUpload(maya, sent, picture);
    expect(status).toBe(201);
    expect((await downloadFile(maya, data)).bytes).toEqual(picture);
  });

  test('a completion that answers 503 does not use up its Idempotency-Key', async () => {
    const maya = await anonymousPerson(opine);
    const sent = await aPendingUpload(maya, picture);
    const finish = () => completeUpload(maya, sent, picture, {}, { headers: { 'idempotency-key': 'a-key' } });
    await opine.storage.takeDown();
    expect(await finish()).toMatchObject(UNAVAILABLE);
    await opine.storage.bringBack();
    const { status, headers } = await finish();
    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('a repeated completion is answered without storage', async () => {
    const maya = await anonymousPerson(opine);
    const sent = await aPendingUpload(maya, picture);
    const { data } = await completeUpload(maya, sent, picture);
    await opine.storage.takeDown();
    expect(await completeUpload(maya, sent, picture)).toMatchObject({ status: 201, data });
  });
});

describe('a storage that accepts connections and never answers', () => {
  test('completions answer 503, other requests do not wait, and completions succeed afterwards', async () => {
    const maya = await anonymousPerson(opine);
    const file = aPdf();
    // More than the service can check one after the other before a client times out.
    const sent = await Promise.all(Array.from({ length: 16 }, () => aPendingUpload(maya, file, 'document')));
    const finishAll = () =>
      Promise.all(sent.map((one) => completeUpload(maya, one, file, { purpose: 'document' })));
    await opine.storage.hang();
    await withShortTimeouts(5, async () => {
      const attempts = finishAll();
      expect((await aGuest(opine).get('/posts')).status).toBe(200);
      expect((await maya.get('/users/me/onboarding/status')).status).toBe(200);
      for (const attempt of await attempts) expect(attempt).toMatchObject(UNAVAILABLE);
    });
    await opine.storage.bringBack();
    expect((await finishAll()).map(({ status }) => status)).toEqual(Array(16).fill(201));
    expect((await anUpload(maya, picture)).width).toBe(48);
  });
});
