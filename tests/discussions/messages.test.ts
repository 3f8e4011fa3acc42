import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, refusal, withQuery } from '../support/client.ts';
import {
  activeAuthor,
  aHubWithDiscussion,
  DELETED_AUTHOR,
  messagesOf,
  nonMembersOf,
  pathOf,
  textsOf,
} from '../support/discussions.ts';
import {
  aHubPost,
  aMemberOf,
  aMessage,
  discussionOf,
  invalid,
  join,
  requestLeave,
  requestMessage,
  requestMessageDeletion,
} from '../support/hubs.ts';
import { anonymousPerson, type Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { NO_PICTURE } from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, downloadFile, requestDownload, storedKeys } from '../support/uploads.ts';
import { expectAfterWorker } from '../support/worker.ts';

let opine: OpineWithStorage;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng();
});

afterAll(() => opine.stop());

const readMessages = (viewer: Client, discussion: Json, query: object = {}) =>
  viewer.get(withQuery(pathOf(discussion, 'messages'), query));

/** Replies to a message as `member`. */
const replyTo = (member: Client, discussion: Json, { id }: Json, text = 'Quite.'): Promise<Json> =>
  aMessage(member, discussion, text, { parentMessageId: id });

const NO_ASSET = refusal(404, 'ASSET_NOT_FOUND');
const uploadImage = (person: Person) => anUpload(person, picture, 'post_image');

test('the deletion of a message that waits for another deletion of it is 404', async () => {
  const { jonas, discussion } = await aHubWithDiscussion(opine);
  const message = await aMessage(jonas, discussion);
  const reply = await duringTransaction(
    opine,
    () => requestMessageDeletion(jonas, discussion, message),
    (other) => sql`select app.delete_message(${message.id})`.execute(other),
  );
  expect(reply).toMatchObject(refusal(404, 'MESSAGE_NOT_FOUND'));
});

describe('POST /hubs/{hubId}/discussions/{discussionId}/messages', () => {
  // docs/product.md D3
  test('every member reads a new message with its author', async () => {
    const { amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const { status, data } = await requestMessage(jonas, discussion, { text: 'I hear nothing.' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      discussionId: discussion.id,
      parentMessageId: null,
      author: activeAuthor(jonas, 'Jonas Weber'),
      text: 'I hear nothing.',
      ...NO_PICTURE,
      replyCount: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      isDeleted: false,
    });
    for (const member of [amara, jonas]) expect(await messagesOf(member, discussion)).toEqual([data]);
  });

  test('the service stores texts unchanged', async () => {
    const { jonas, discussion } = await aHubWithDiscussion(opine);
    const texts = ['👍'.repeat(2000), '👩‍👩‍👧 <b>"\\ 100% \' --</b>', 'two\nlines', 'x'];
    for (const text of texts) expect((await aMessage(jonas, discussion, text)).text).toBe(text);
    expect(textsOf(await messagesOf(jonas, discussion))).toEqual(texts);
  });

  test('a text with a lone surrogate, a NUL or 2001 characters is 422', async () => {
    const { jonas, discussion } = await aHubWithDiscussion(opine);
    for (const text of ['half \ud83d', 'No\u0000t', '👍'.repeat(2001)])
      expect(await requestMessage(jonas, discussion, { text })).toMatchObject(invalid('text'));
    expect(await messagesOf(jonas, discussion)).toEqual([]);
  });

  test('a second request with the same Idempotency-Key replays the first answer', async () => {
    const { jonas, discussion } = await aHubWithDiscussion(opine);
    const send = () =>
      jonas.post(pathOf(discussion, 'messages'), { text: 'Once.' }, { headers: { 'idempotency-key': 'a' } });
    const [first, again] = [await send(), await send()];
    expect([again.status, again.data, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.data,
      'true',
    ]);
    expect(await messagesOf(jonas, discussion)).toEqual([first.data]);
  });
});

describe('GET /hubs/{hubId}/discussions/{discussionId}/messages', () => {
  test('the discussion and the root count every concurrent message', async () => {
    const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
    const root = await aMessage(amara, discussion);
    const writers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? amara : jonas));
    await Promise.all(
      writers.flatMap((writer) => [aMessage(writer, discussion), replyTo(writer, discussion, root)]),
    );
    expect((await discussionOf(amara, hub, post)).messageCount).toBe(21);
    expect((await messagesOf(amara, discussion))[0]?.replyCount).toBe(10);
  });

  test('a message created during pagination comes last', async () => {
    const { amara, discussion } = await aHubWithDiscussion(opine);
    for (const text of ['one', 'two', 'three']) await aMessage(amara, discussion, text);
    const { items, nextCursor: cursor } = await expectOk(readMessages(amara, discussion, { limit: 2 }));
    await aMessage(amara, discussion, 'four');
    const next = await expectOk(readMessages(amara, discussion, { limit: 2, cursor }));
    expect([textsOf(items), textsOf(next.items), next.nextCursor]).toEqual([
      ['one', 'two'],
      ['three', 'four'],
      null,
    ]);
  });
});

describe('DELETE /hubs/{hubId}/discussions/{discussionId}/messages/{messageId}', () => {
  // docs/product.md D8
  test('a root with replies stays without text and author until its last reply goes', async () => {
    const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
    const root = await aMessage(jonas, discussion, 'I take it back.');
    const next = await aMessage(amara, discussion);
    const reply = await replyTo(amara, discussion, root);
    const { status, data } = await requestMessageDeletion(jonas, discussion, root);
    expect([status, data]).toEqual([200, {}]);
    for (const member of [amara, jonas]) {
      const emptied = { text: null, author: DELETED_AUTHOR, replyCount: 1, isDeleted: true };
      expect(await messagesOf(member, discussion)).toEqual([{ ...root, ...emptied }, next]);
      expect(await messagesOf(member, discussion, root)).toEqual([reply]);
    }
    expect((await discussionOf(amara, hub, post)).messageCount).toBe(2);
    await expectOk(requestMessageDeletion(amara, discussion, reply));
    expect(await messagesOf(jonas, discussion)).toEqual([next]);
    expect((await discussionOf(amara, hub, post)).messageCount).toBe(1);
  });

  test('the picture of a deleted root with replies is gone', async () => {
    const { amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const { assetId } = await uploadImage(jonas);
    const root = await aMessage(jonas, discussion, 'Look.', { assetId, altText: 'A tram' });
    await replyTo(amara, discussion, root);
    await expectOk(requestMessageDeletion(amara, discussion, root));
    expect(await requestDownload(amara, assetId)).toMatchObject(NO_ASSET);
    expect((await messagesOf(jonas, discussion))[0]).toMatchObject(NO_PICTURE);
    const isStored = async () => (await storedKeys(opine.storage)).includes(`media/${assetId}`);
    await expectAfterWorker(opine, isStored).toBe(false);
  });
});

describe('a picture of a message', () => {
  // docs/product.md M7, D3
  test('every member downloads the picture of a message without text', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const { assetId } = await uploadImage(jonas);
    const { status, data } = await requestMessage(jonas, discussion, { assetId });
    expect([status, data.text, data.assetId]).toEqual([201, null, assetId]);
    expect(await messagesOf(amara, discussion)).toEqual([data]);
    const newcomer = await aMemberOf(opine, amara, hub, 'Lena');
    for (const member of [amara, jonas, newcomer]) {
      expect((await downloadFile(member, { assetId })).bytes).toEqual(picture);
    }
  });

  test('non-members and former members cannot download the picture, except its owner', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const { assetId } = await uploadImage(jonas);
    expect(await requestDownload(lena, assetId)).toMatchObject(NO_ASSET);
    await aMessage(jonas, discussion, 'Look.', { assetId });
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const member of [lena, jonas]) await expectOk(requestLeave(member, hub));
    for (const nonMember of [...nonMembers.values(), lena, await anonymousPerson(opine)]) {
      expect(await requestDownload(nonMember, assetId)).toMatchObject(NO_ASSET);
    }
    for (const viewer of [jonas, amara]) expect((await downloadFile(viewer, { assetId })).status).toBe(200);
    await join(amara, hub, [lena]);
    expect((await downloadFile(lena, { assetId })).bytes).toEqual(picture);
  });

  test('the deletion of the post deletes the picture unless another message shows it', async () => {
    const { hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine);
    const otherDiscussion = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
    const [alone, shared] = [await uploadImage(jonas), await uploadImage(jonas)];
    for (const { assetId } of [alone, shared]) await aMessage(jonas, discussion, 'Look.', { assetId });
    await aMessage(jonas, otherDiscussion, 'Again.', { assetId: shared.assetId });
    await expectOk(amara.delete(`/posts/${post.id}`));
    for (const viewer of [amara, jonas]) {
      expect(await requestDownload(viewer, alone.assetId)).toMatchObject(NO_ASSET);
      expect((await downloadFile(viewer, shared)).bytes).toEqual(picture);
    }
    const isStored = async () => (await storedKeys(opine.storage)).includes(`media/${alone.assetId}`);
    await expectAfterWorker(opine, isStored).toBe(false);
  });
});
