import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PATIENCE } from './builders/departures.ts';
import {
  activeAuthor,
  aDiscussingCircle,
  messagesOf,
  outsidersOf,
  pathOf,
  textsOf,
} from './builders/discussions.ts';
import { everyPage, granted, idsOf, NO_IDS, NOBODY, withQuery } from './builders/graph.ts';
import {
  aHub,
  aHubPost,
  aMemberOf,
  aMessage,
  askToLeave,
  askToSay,
  discussionOf,
  join,
} from './builders/hubs.ts';
import { anAnonymous, type Person } from './builders/people.ts';
import { aPdf, aPng, type Bytes } from './builders/pictures.ts';
import { type StoringOpine, startStoringOpine } from './builders/storage.ts';
import { anUpload, aSent, askToDownload, downloaded, everythingIn } from './builders/uploads.ts';
import { type Client, type Json, refusal } from './harness/client.ts';

const NO_MESSAGE = refusal(404, 'MESSAGE_NOT_FOUND');
const NO_DISCUSSION = refusal(404, 'DISCUSSION_NOT_FOUND');
const NO_ASSET = refusal(404, 'ASSET_NOT_FOUND');

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });
const readMessages = (viewer: Client, discussion: Json, query: object = {}) =>
  viewer.get(withQuery(pathOf(discussion, 'messages'), query));
const anImage = (person: Person) => anUpload(person, picture, 'post_image');

/** A message of `member`'s below another. */
const aReply = (member: Client, discussion: Json, { id }: Json, text = 'Quite.'): Promise<Json> =>
  aMessage(member, discussion, text, { parentMessageId: id });

describe('a message', () => {
  test('is there for every member, by whoever wrote it', async () => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    const { status, data } = await askToSay(jonas, discussion, { text: 'I hear nothing.' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      discussionId: discussion.id,
      parentMessageId: null,
      author: activeAuthor(jonas, 'Jonas Weber'),
      text: 'I hear nothing.',
      assetId: null,
      replyCount: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    for (const member of [amara, jonas]) expect(await messagesOf(member, discussion)).toEqual([data]);
  });

  test.each(['👍'.repeat(2000), '👩‍👩‍👧 <b>"\\ 100% \' --</b>', 'two\nlines', 'x'])(
    'may say %j',
    async (text) => {
      const { jonas, discussion } = await aDiscussingCircle(opine);
      expect((await aMessage(jonas, discussion, text)).text).toBe(text);
      expect(textsOf(await messagesOf(jonas, discussion))).toEqual([text]);
    },
  );

  test.each([
    {},
    { text: null },
    { text: null, assetId: null, parentMessageId: null },
    { text: '' },
    { text: ' \n ' },
    { text: '👍'.repeat(2001) },
    { text: 'No\u0000t' },
    { text: 'half \ud83d' },
    { text: 7 },
    { text: ['Hi.'] },
    { text: 'Hi.', assetId: 'garlic' },
    { text: 'Hi.', assetId: 7 },
    { text: 'Hi.', parentMessageId: 'garlic' },
    { text: 'Hi.', parentMessageId: '' },
    { text: 'Hi.', parentCommentId: null },
    { text: 'Hi.', authorId: NOBODY.id },
  ])('is not %j', async (fields) => {
    const { jonas, discussion } = await aDiscussingCircle(opine);
    expect(await askToSay(jonas, discussion, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await messagesOf(jonas, discussion)).toEqual([]);
  });

  test('that is sent again with its key is said once', async () => {
    const { jonas, discussion } = await aDiscussingCircle(opine);
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

describe('messages', () => {
  test('of many at once are each counted', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const root = await aMessage(amara, discussion);
    const writers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? amara : jonas));
    await Promise.all(
      writers.flatMap((writer) => [aMessage(writer, discussion), aReply(writer, discussion, root)]),
    );
    expect((await discussionOf(amara, hub, post)).messageCount).toBe(21);
    expect((await messagesOf(amara, discussion))[0]?.replyCount).toBe(10);
  });

  test.each([1, 2, 3, 4, 5, 6, 100])('come by pages of %i, the oldest first, each once', async (limit) => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    const said: Json[] = [];
    for (const writer of [amara, jonas, jonas, amara, jonas]) said.push(await aMessage(writer, discussion));
    const replies: Json[] = [];
    for (const _ of said) replies.push(await aReply(amara, discussion, said[1]));
    const walk = (query: object) => everyPage(jonas, pathOf(discussion, 'messages'), { limit, ...query });
    for (const [query, items] of [
      [{}, said],
      [{ parentMessageId: said[1].id }, replies],
    ] as const) {
      const pages = await walk(query);
      expect(pages.flatMap(idsOf)).toEqual(idsOf(items));
      expect(pages).toHaveLength(Math.ceil(5 / limit));
    }
  });

  test('that are said meanwhile come at the end', async () => {
    const { amara, discussion } = await aDiscussingCircle(opine);
    for (const text of ['one', 'two', 'three']) await aMessage(amara, discussion, text);
    const { items, nextCursor: cursor } = await granted(readMessages(amara, discussion, { limit: 2 }));
    await aMessage(amara, discussion, 'four');
    const next = await granted(readMessages(amara, discussion, { limit: 2, cursor }));
    expect([textsOf(items), textsOf(next.items), next.nextCursor]).toEqual([
      ['one', 'two'],
      ['three', 'four'],
      null,
    ]);
  });

  test('are thirty to a page unless asked', async () => {
    const { amara, discussion } = await aDiscussingCircle(opine);
    await Promise.all(Array.from({ length: 31 }, () => aMessage(amara, discussion)));
    const pages = await everyPage(amara, pathOf(discussion, 'messages'));
    expect(pages.map(({ length }) => length)).toEqual([30, 1]);
  });

  test.each([
    ['limit', ['0', '101', '-1', '1.5', 'ten', '']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
    ['parentMessageId', ['', 'garlic', '1', `${NOBODY.id}0`]],
  ])('have no odd %s', async (field, values) => {
    const { amara, discussion } = await aDiscussingCircle(opine);
    for (const value of values) {
      expect(await readMessages(amara, discussion, { [field]: value })).toMatchObject(invalid(field));
    }
  });

  test('are in no discussion that is not there, or not in that Hub', async () => {
    const { hub, amara, discussion } = await aDiscussingCircle(opine);
    const other = await aHub(amara);
    const strange = [NOBODY.id, ...NO_IDS].map((id) => ({ id, hubId: hub.id }));
    for (const none of [...strange, { ...discussion, hubId: other.id }]) {
      expect(await readMessages(amara, none)).toMatchObject(NO_DISCUSSION);
      expect(await askToSay(amara, none, { text: 'Anybody?' })).toMatchObject(NO_DISCUSSION);
    }
  });
});

describe('a thread', () => {
  test('is one level deep: a reply to a reply is one to its root', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const root = await aMessage(amara, discussion, 'Is it loud?');
    const reply = await aReply(jonas, discussion, root, 'Not here.');
    const deeper = await aReply(amara, discussion, reply, 'Lucky you.');
    expect(reply).toMatchObject({ parentMessageId: root.id, replyCount: 0 });
    expect(deeper).toMatchObject({ parentMessageId: root.id, replyCount: 0 });
    expect(await messagesOf(jonas, discussion)).toEqual([{ ...root, replyCount: 2 }]);
    expect(await messagesOf(jonas, discussion, root)).toEqual([reply, deeper]);
    expect((await discussionOf(jonas, hub, post)).messageCount).toBe(3);
  });

  test('holds its own replies and no others', async () => {
    const { amara, discussion } = await aDiscussingCircle(opine);
    const [one, other] = [await aMessage(amara, discussion), await aMessage(amara, discussion)];
    const reply = await aReply(amara, discussion, one);
    expect(await messagesOf(amara, discussion, one)).toEqual([reply]);
    expect(await messagesOf(amara, discussion, other)).toEqual([]);
  });

  test('begins with a message of that discussion, and with no reply', async () => {
    const { hub, amara, discussion } = await aDiscussingCircle(opine);
    const beside = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
    const otherHub = await aHub(amara);
    const elsewhere = await discussionOf(amara, otherHub, await aHubPost(amara, [otherHub]));
    const reply = await aReply(amara, discussion, await aMessage(amara, discussion));
    const strangers = [NOBODY, await aMessage(amara, beside), await aMessage(amara, elsewhere)];
    for (const { id } of [...strangers, reply]) {
      expect(await readMessages(amara, discussion, { parentMessageId: id })).toMatchObject(NO_MESSAGE);
    }
    for (const { id } of strangers) {
      const refused = await askToSay(amara, discussion, { text: 'Hi.', parentMessageId: id });
      expect(refused).toMatchObject(NO_MESSAGE);
    }
    expect((await discussionOf(amara, hub, { id: discussion.postId })).messageCount).toBe(2);
  });
});

describe('a picture', () => {
  test('may be all there is of a message, and is for the members', async () => {
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const { assetId } = await anImage(jonas);
    const { status, data } = await askToSay(jonas, discussion, { assetId });
    expect([status, data.text, data.assetId]).toEqual([201, null, assetId]);
    expect(await messagesOf(amara, discussion)).toEqual([data]);
    const newcomer = await aMemberOf(opine, amara, hub, 'Lena');
    for (const member of [amara, jonas, newcomer]) {
      expect((await downloaded(member, { assetId })).bytes).toEqual(picture);
    }
  });

  test('is for nobody else: not for outsiders, nor for who left, but for its owner', async () => {
    const { hub, amara, jonas, discussion } = await aDiscussingCircle(opine);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const { assetId } = await anImage(jonas);
    expect(await askToDownload(lena, assetId)).toMatchObject(NO_ASSET);
    await aMessage(jonas, discussion, 'Look.', { assetId });
    const outsiders = await outsidersOf(opine, amara, hub);
    for (const member of [lena, jonas]) await granted(askToLeave(member, hub));
    for (const outsider of [...outsiders.values(), lena, await anAnonymous(opine)]) {
      expect(await askToDownload(outsider, assetId)).toMatchObject(NO_ASSET);
    }
    for (const viewer of [jonas, amara]) expect((await downloaded(viewer, { assetId })).status).toBe(200);
    await join(amara, hub, [lena]);
    expect((await downloaded(lena, { assetId })).bytes).toEqual(picture);
  });

  test('is an own one for posts, completed, and no other file', async () => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    const hers = await anImage(amara);
    await aMessage(amara, discussion, 'Mine.', { assetId: hers.assetId });
    const { uploadId } = await aSent(jonas, picture, 'post_image');
    const others = [
      await anUpload(jonas, picture, 'profile_photo'),
      await anUpload(jonas, picture, 'hub_photo'),
      await anUpload(jonas, aPdf(), 'document'),
    ];
    for (const assetId of [...idsOfAssets([hers, ...others]), uploadId, NOBODY.id]) {
      expect(await askToSay(jonas, discussion, { text: 'Look.', assetId })).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['assetId'], code: 'unknown_asset' }] }),
      );
    }
    expect(await messagesOf(jonas, discussion)).toHaveLength(1);
  });

  test('goes with the post, unless another message shows it', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const beside = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
    const [alone, shared] = [await anImage(jonas), await anImage(jonas)];
    for (const { assetId } of [alone, shared]) await aMessage(jonas, discussion, 'Look.', { assetId });
    await aMessage(jonas, beside, 'Again.', { assetId: shared.assetId });
    await granted(amara.delete(`/posts/${post.id}`));
    for (const viewer of [amara, jonas]) {
      expect(await askToDownload(viewer, alone.assetId)).toMatchObject(NO_ASSET);
      expect((await downloaded(viewer, shared)).bytes).toEqual(picture);
    }
    const lies = async () => (await everythingIn(opine.storage)).includes(`media/${alone.assetId}`);
    await expect.poll(lies, PATIENCE).toBe(false);
  });
});

function idsOfAssets(assets: readonly Json[]): string[] {
  return assets.map(({ assetId }) => assetId);
}
