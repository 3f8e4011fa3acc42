import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { activeAuthor, aDiscussingCircle, messagesOf, pathOf, textsOf } from '../support/discussions.ts';
import { everyPage, granted, idsOf, NO_IDS, NOBODY, withQuery } from '../support/graph.ts';
import { invalid } from '../support/hub-worlds.ts';
import { aHub, aHubPost, aMessage, discussionOf, requestMessage } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NO_MESSAGE = refusal(404, 'MESSAGE_NOT_FOUND');
const NO_DISCUSSION = refusal(404, 'DISCUSSION_NOT_FOUND');

const readMessages = (viewer: Client, discussion: Json, query: object = {}) =>
  viewer.get(withQuery(pathOf(discussion, 'messages'), query));

/** Replies to a message as `member`. */
const replyTo = (member: Client, discussion: Json, { id }: Json, text = 'Quite.'): Promise<Json> =>
  aMessage(member, discussion, text, { parentMessageId: id });

describe('POST /hubs/{hubId}/discussions/{discussionId}/messages', () => {
  test('every member reads a new message with its author', async () => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    const { status, data } = await requestMessage(jonas, discussion, { text: 'I hear nothing.' });
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
    'the service stores the text %j unchanged',
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
  ])('the service rejects the body %j', async (fields) => {
    const { jonas, discussion } = await aDiscussingCircle(opine);
    expect(await requestMessage(jonas, discussion, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(await messagesOf(jonas, discussion)).toEqual([]);
  });

  test('a second request with the same Idempotency-Key replays the first answer', async () => {
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

describe('GET /hubs/{hubId}/discussions/{discussionId}/messages', () => {
  test('the discussion and the root count every concurrent message', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const root = await aMessage(amara, discussion);
    const writers = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? amara : jonas));
    await Promise.all(
      writers.flatMap((writer) => [aMessage(writer, discussion), replyTo(writer, discussion, root)]),
    );
    expect((await discussionOf(amara, hub, post)).messageCount).toBe(21);
    expect((await messagesOf(amara, discussion))[0]?.replyCount).toBe(10);
  });

  test.each([1, 2, 3, 4, 5, 6, 100])('pages of %i list each message once, oldest first', async (limit) => {
    const { amara, jonas, discussion } = await aDiscussingCircle(opine);
    const roots: Json[] = [];
    for (const writer of [amara, jonas, jonas, amara, jonas]) roots.push(await aMessage(writer, discussion));
    const replies: Json[] = [];
    for (const _ of roots) replies.push(await replyTo(amara, discussion, roots[1]));
    const listPages = (query: object) =>
      everyPage(jonas, pathOf(discussion, 'messages'), { limit, ...query });
    for (const [query, items] of [
      [{}, roots],
      [{ parentMessageId: roots[1].id }, replies],
    ] as const) {
      const pages = await listPages(query);
      expect(pages.flatMap(idsOf)).toEqual(idsOf(items));
      expect(pages).toHaveLength(Math.ceil(5 / limit));
    }
  });

  test('a message created during pagination comes last', async () => {
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

  test('a page has 30 messages by default', async () => {
    const { amara, discussion } = await aDiscussingCircle(opine);
    await Promise.all(Array.from({ length: 31 }, () => aMessage(amara, discussion)));
    const pages = await everyPage(amara, pathOf(discussion, 'messages'));
    expect(pages.map(({ length }) => length)).toEqual([30, 1]);
  });

  test.each([
    ['limit', ['0', '101', '-1', '1.5', 'ten', '']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
    ['parentMessageId', ['', 'garlic', '1', `${NOBODY.id}0`]],
  ])('a malformed %s is 422', async (field, values) => {
    const { amara, discussion } = await aDiscussingCircle(opine);
    for (const value of values) {
      expect(await readMessages(amara, discussion, { [field]: value })).toMatchObject(invalid(field));
    }
  });

  test('an unknown discussion and one of another Hub are 404', async () => {
    const { hub, amara, discussion } = await aDiscussingCircle(opine);
    const other = await aHub(amara);
    const unknown = [NOBODY.id, ...NO_IDS].map((id) => ({ id, hubId: hub.id }));
    for (const none of [...unknown, { ...discussion, hubId: other.id }]) {
      expect(await readMessages(amara, none)).toMatchObject(NO_DISCUSSION);
      expect(await requestMessage(amara, none, { text: 'Anybody?' })).toMatchObject(NO_DISCUSSION);
    }
  });
});

describe('a thread of messages', () => {
  test('a reply to a reply joins the thread of the root', async () => {
    const { hub, amara, jonas, post, discussion } = await aDiscussingCircle(opine);
    const root = await aMessage(amara, discussion, 'Is it loud?');
    const reply = await replyTo(jonas, discussion, root, 'Not here.');
    const deeper = await replyTo(amara, discussion, reply, 'Lucky you.');
    expect(reply).toMatchObject({ parentMessageId: root.id, replyCount: 0 });
    expect(deeper).toMatchObject({ parentMessageId: root.id, replyCount: 0 });
    expect(await messagesOf(jonas, discussion)).toEqual([{ ...root, replyCount: 2 }]);
    expect(await messagesOf(jonas, discussion, root)).toEqual([reply, deeper]);
    expect((await discussionOf(jonas, hub, post)).messageCount).toBe(3);
  });

  test('a thread lists only its own replies', async () => {
    const { amara, discussion } = await aDiscussingCircle(opine);
    const [one, other] = [await aMessage(amara, discussion), await aMessage(amara, discussion)];
    const reply = await replyTo(amara, discussion, one);
    expect(await messagesOf(amara, discussion, one)).toEqual([reply]);
    expect(await messagesOf(amara, discussion, other)).toEqual([]);
  });

  test('a message of another discussion and a reply are no root of a thread', async () => {
    const { hub, amara, discussion } = await aDiscussingCircle(opine);
    const otherDiscussion = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
    const otherHub = await aHub(amara);
    const elsewhere = await discussionOf(amara, otherHub, await aHubPost(amara, [otherHub]));
    const reply = await replyTo(amara, discussion, await aMessage(amara, discussion));
    const foreign = [NOBODY, await aMessage(amara, otherDiscussion), await aMessage(amara, elsewhere)];
    for (const { id } of [...foreign, reply]) {
      expect(await readMessages(amara, discussion, { parentMessageId: id })).toMatchObject(NO_MESSAGE);
    }
    for (const { id } of foreign) {
      const refused = await requestMessage(amara, discussion, { text: 'Hi.', parentMessageId: id });
      expect(refused).toMatchObject(NO_MESSAGE);
    }
    expect((await discussionOf(amara, hub, { id: discussion.postId })).messageCount).toBe(2);
  });
});
