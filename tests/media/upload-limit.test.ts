import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { advanceTime } from '../support/opine.ts';
import { anonymousPerson } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { aPresignedUpload, completeUpload, presignBody, requestPresign } from '../support/uploads.ts';

let opine: OpineWithStorage;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng();
});

afterAll(() => opine.stop());

describe('the rate limit of 600 uploads an hour', () => {
  test('presign and complete share the limit of one user, which drains with time', async () => {
    const busy = await anonymousPerson(opine);
    const presigned = await aPresignedUpload(busy, picture);
    const statuses: number[] = [200];
    while (statuses.length < 700 && !statuses.includes(429)) {
      const request = (_: unknown, index: number) =>
        index % 2 === 0
          ? requestPresign(busy, presignBody(picture))
          : completeUpload(busy, presigned, picture);
      const replies = await Promise.all(Array.from({ length: 20 }, request));
      statuses.push(...replies.map(({ status }) => status));
    }
    const served = statuses.filter((status) => status !== 429);
    expect(served.length).toBeGreaterThanOrEqual(600);
    expect(served.length).toBeLessThan(640);
    expect(await completeUpload(busy, presigned, picture)).toMatchObject(refusal(429, 'RATE_LIMITED'));
    expect((await requestPresign(await anonymousPerson(opine), presignBody(picture))).status).toBe(200);
    await advanceTime(opine, '1 minute');
    expect((await requestPresign(busy, presignBody(picture))).status).toBe(200);
  });
});
