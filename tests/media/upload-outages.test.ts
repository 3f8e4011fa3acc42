import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { aGuest, anAnonymous } from '../support/people.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, aSent, complete, downloaded } from '../support/uploads.ts';

const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterEach(() => opine.storage.bringBack());

afterAll(() => opine.stop());

describe('while storage is away', () => {
  test('a completion is told to come back, and succeeds then', async () => {
    const maya = await anAnonymous(opine);
    const sent = await aSent(maya, picture);
    await opine.storage.takeDown();
    expect(await complete(maya, sent, picture)).toMatchObject(UNAVAILABLE);
    await opine.storage.bringBack();
    const { status, data } = await complete(maya, sent, picture);
    expect(status).toBe(201);
    expect((await downloaded(maya, data)).bytes).toEqual(picture);
  });

  test('a key is not used up', async () => {
    const maya = await anAnonymous(opine);
    const sent = await aSent(maya, picture);
    const finish = () => complete(maya, sent, picture, {}, { headers: { 'idempotency-key': 'a-key' } });
    await opine.storage.takeDown();
    expect(await finish()).toMatchObject(UNAVAILABLE);
    await opine.storage.bringBack();
    const { status, headers } = await finish();
    expect([status, headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  test('what is completed is answered again without it', async () => {
    const maya = await anAnonymous(opine);
    const sent = await aSent(maya, picture);
    const { data } = await complete(maya, sent, picture);
    await opine.storage.takeDown();
    expect(await complete(maya, sent, picture)).toMatchObject({ status: 201, data });
  });
});

describe('while storage takes connections and says nothing', () => {
  test('completions are told to come back, nobody else waits, and all succeed then', async () => {
    const maya = await anAnonymous(opine);
    const file = aPdf();
    // More than are looked at one after the other before a client has hung up.
    const sent = await Promise.all(Array.from({ length: 16 }, () => aSent(maya, file, 'document')));
    const finishAll = () =>
      Promise.all(sent.map((one) => complete(maya, one, file, { purpose: 'document' })));
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
