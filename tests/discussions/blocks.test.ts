import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, refusal } from '../support/client.ts';
import {
  aHubWithDiscussion,
  messagesOf,
  pathOf,
  postsIn,
  requestSaveDiscussion,
  requestUnsaveDiscussion,
  savedDiscussions,
} from '../support/discussions.ts';
import { block, unblock } from '../support/graph.ts';
import {
  aHubPost,
  aMessage,
  requestAppoint,
  requestDismiss,
  requestMessage,
  requestMessageDeletion,
} from '../support/hubs.ts';
import type { Person } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, requestDownload } from '../support/uploads.ts';

let opine: OpineWithStorage;
/** Amara, the admin, wrote the post; Jonas, a member, saved its discussion and wrote in it. */
let amara: Person;
let jonas: Person;
let hub: Json;
let post: Json;
let discussion: Json;
let message: Json;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  ({ amara, jonas, hub, post, discussion } = await aHubWithDiscussion(opine));
  await expectOk(requestSaveDiscussion(jonas, discussion));
  message = await aMessage(jonas, discussion);
});

const NOT_FOUND = refusal(404, 'DISCUSSION_NOT_FOUND');

describe.each(['Amara', 'Jonas'])('the discussion of a post by Amara during a block by %s', (blocker) => {
  const pair = (): [Person, Person] => (blocker === 'Amara' ? [amara, jonas] : [jonas, amara]);

  // docs/product.md D11
  test('the discussion is hidden from Jonas, a member, until the block ends', async () => {
    const other = await aHubPost(jonas, [hub]);
    await block(...pair());
    expect(await postsIn(jonas, hub)).toEqual([other.id]);
    expect(await savedDiscussions(jonas)).toEqual([]);
    const path = `/hubs/${hub.id}/discussions/${discussion.id}`;
    for (const reply of [
      await jonas.get(pathOf(discussion, 'messages')),
      await requestMessage(jonas, discussion, { text: 'Still here.' }),
      await requestSaveDiscussion(jonas, discussion),
      await jonas.post(`${path}/read`),
    ])
      expect(reply).toMatchObject(NOT_FOUND);
    await unblock(...pair());
    expect(await postsIn(jonas, hub)).toEqual([other.id, post.id]);
    expect((await savedDiscussions(jonas)).map(({ id }) => id)).toEqual([discussion.id]);
    expect(await messagesOf(jonas, discussion)).toEqual([message]);
  });

  // docs/product.md D11
  test('managers and admins see the discussion all the same', async () => {
    const hers = await aMessage(amara, discussion);
    await block(...pair());
    for (const role of ['manager', 'admin'] as const) {
      await expectOk(requestAppoint(amara, hub, jonas, role));
      expect(await postsIn(jonas, hub)).toEqual([post.id]);
      expect(await messagesOf(jonas, discussion)).toEqual([message, hers]);
    }
    await expectOk(requestDismiss(amara, hub, jonas));
    expect(await postsIn(jonas, hub)).toEqual([]);
    // Amara wrote the post, so its discussion is hers.
    expect(await messagesOf(amara, discussion)).toEqual([message, hers]);
  });

  // docs/product.md D11
  test('Jonas unsaves the discussion and deletes an own message in it, and no other', async () => {
    const hers = await aMessage(amara, discussion);
    await block(...pair());
    expect(await requestMessageDeletion(jonas, discussion, hers)).toMatchObject(NOT_FOUND);
    for (let round = 0; round < 2; round += 1)
      expect((await requestUnsaveDiscussion(jonas, discussion)).data).toEqual({ saved: false });
    expect(await requestMessageDeletion(jonas, discussion, message)).toMatchObject({ status: 200 });
    expect(await requestMessageDeletion(jonas, discussion, message)).toMatchObject(NOT_FOUND);
    await unblock(...pair());
    expect(await savedDiscussions(jonas)).toEqual([]);
    expect(await messagesOf(jonas, discussion)).toEqual([hers]);
  });

  test('Jonas downloads no picture of a message in the discussion', async () => {
    const { assetId } = await anUpload(amara, await aPng(), 'post_image');
    await expectOk(requestMessage(amara, discussion, { assetId }));
    expect(await requestDownload(jonas, assetId)).toMatchObject({ status: 200 });
    await block(...pair());
    expect(await requestDownload(jonas, assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
  });
});
