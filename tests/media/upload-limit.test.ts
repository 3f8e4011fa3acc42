import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { anAnonymous } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { announcementOf, aPresigned, complete, presign } from '../support/uploads.ts';

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

describe('the rate limit of 600 uploads an hour', () => {
  test('presign and complete share the limit of one user, which drains with time', async () => {
    const busy = await anAnonymous(opine);
    const presigned = await aPresigned(busy, picture);
    const statuses: number[] = [200];
    while (statuses.length < 700 && !statuses.includes(429)) {
      const request = (_: unknown, index: number) =>
        index % 2 === 0 ? presign(busy, announcementOf(picture)) : complete(busy, presigned, picture);
      const replies = await Promise.all(Array.from({ length: 20 }, request));
      statuses.push(...replies.map(({ status }) => status));
    }
    const served = statuses.filter((status) => status !== 429);
    expect(served.length).toBeGreaterThanOrEqual(600);
    expect(served.length).toBeLessThan(640);
    expect(await complete(busy, presigned, picture)).toMatchObject(refusal(429, 'RATE_LIMITED'));
    expect((await presign(await anAnonymous(opine), announcementOf(picture))).status).toBe(200);
    await timePasses(opine, '1 minute');
    expect((await presign(busy, announcementOf(picture))).status).toBe(200);
  });
});
