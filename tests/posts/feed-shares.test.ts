import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk } from '../support/client.ts';
import { profileFeedOf } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import { advanceTime, currentTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aRepost, aSlider, requestShareToFeed, shareToFeed } from '../support/posts.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await confirmedPerson(opine, 'Maya');
});

afterAll(() => opine.stop());

describe('a feed share', () => {
  // docs/product.md PO20
  test('the answer has an id, the post id and the current time', async () => {
    const [reader, post] = [await registeredPerson(opine), await aSlider(maya)];
    const before = await currentTime(opine);
    const { status, data } = await requestShareToFeed(reader, post);
    const after = await currentTime(opine);
    expect(status).toBe(201);
    expect(data).toEqual({
      shareId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      postId: post.id,
      sharedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Date.parse(data.sharedAt)).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(Date.parse(data.sharedAt)).toBeLessThanOrEqual(after.getTime() + 1);
  });

  test('sharing a repost shows the repost and not its source', async () => {
    const [reader, source] = [await registeredPerson(opine), await aSlider(maya)];
    const repost = await aRepost(maya, source);
    expect((await shareToFeed(reader, repost)).postId).toBe(repost.id);
    expect(await profileFeedOf(maya, reader)).toEqual([repost.id]);
  });

  // docs/product.md PO15
  test('no card names the sharer', async () => {
    const [reader, post, viewer] = [
      await registeredPerson(opine),
      await aSlider(maya),
      await registeredPerson(opine),
    ];
    await shareToFeed(reader, post);
    await follow(viewer, reader);
    for (const path of ['/posts', `/users/${reader.id}/feed`]) {
      const { items } = await expectOk(viewer.get(path));
      expect(items).toMatchObject([{ id: post.id }]);
      expect(JSON.stringify(items)).not.toContain(reader.id);
    }
  });

  // docs/product.md PO20
  test('ten concurrent requests create ten shares and one card', async () => {
    const [reader, post] = [await registeredPerson(opine), await aSlider(maya)];
    const shares = await Promise.all(Array.from({ length: 10 }, () => shareToFeed(reader, post)));
    expect(new Set(shares.map(({ shareId }) => shareId)).size).toBe(10);
    expect(await profileFeedOf(reader, reader)).toEqual([post.id]);
  });

  test('a repeated Idempotency-Key replays the share, and another key creates a share', async () => {
    const [reader, post] = [await registeredPerson(opine), await aSlider(maya)];
    const send = (key: string) =>
      reader.post(`/posts/${post.id}/share/feed`, undefined, { headers: { 'idempotency-key': key } });
    const first = await send('a');
    await advanceTime(opine, '1 second');
    const again = await send('a');
    expect([again.status, again.data, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.data,
      'true',
    ]);
    const other = await send('b');
    expect(other.data.shareId).not.toBe(first.data.shareId);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
  });
});
