import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, idsOf, type Json, refusal, withQuery } from '../support/client.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave } from '../support/hubs.ts';
import {
  addComments,
  commentIdsOf,
  inboxPage,
  inboxPages,
  requestInbox,
  requestMarkRead,
  wholeInbox,
} from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aComment, aThought, requestCommentDeletion } from '../support/posts.ts';

let opine: Opine;
let jonas: Person;

beforeAll(async () => {
  opine = await startOpine();
  jonas = await hubReadyPerson(opine, 'Jonas');
});

afterAll(() => opine.stop());

const lengthsOf = (pages: readonly Json[][]) => pages.map(({ length }) => length);

/** Returns the refusal of a query parameter. */
const invalid = (name: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [name] }] });

// docs/product.md W7
describe('the limit of GET /notifications', () => {
  let maya: Person;
  let commentIds: string[];

  beforeAll(async () => {
    maya = await confirmedPerson(opine, 'Maya');
    commentIds = await addComments(jonas, await aThought(maya), 101);
  });

  test('a page has 30 notifications by default', async () => {
    const { items, nextCursor } = await inboxPage(maya);
    expect(commentIdsOf(items)).toEqual(commentIds.slice(0, 30));
    expect(nextCursor).toEqual(expect.any(String));
  });

  test.each(['0', '-1', '101', '1000000', '1.5', '1e1', 'ten', '', ' 3', '0x10', 'NaN'])(
    'the limit %j is 422',
    async (limit) => {
      expect(await requestInbox(maya, withQuery('', { limit }))).toMatchObject(invalid('limit'));
    },
  );

  // docs/product.md W5
  test.each([1, 7, 30, 50, 100])(
    'pagination with limit %i returns each notification once and then ends',
    async (limit) => {
      const pages = await inboxPages(maya, { limit });
      expect(commentIdsOf(pages.flat())).toEqual(commentIds);
      const rest = commentIds.length % limit;
      const full = Array(Math.floor(commentIds.length / limit)).fill(limit);
      expect(lengthsOf(pages)).toEqual(rest === 0 ? full : [...full, rest]);
    },
  );

  test('pagination accepts another limit on each page', async () => {
    const found: Json[] = [];
    let cursor: object = {};
    for (const limit of [1, 40, 3, 57]) {
      const { items, nextCursor } = await inboxPage(maya, { limit, ...cursor });
      found.push(...items);
      cursor = { cursor: nextCursor };
    }
    expect(commentIdsOf(found)).toEqual(commentIds);
    expect(cursor).toEqual({ cursor: null });
  });
});

describe('pagination during changes', () => {
  let maya: Person;
  let post: Json;

  beforeEach(async () => {
    maya = await confirmedPerson(opine, 'Maya');
    post = await aThought(maya);
  });

  /** Returns the comments that pagination finds, five at a time, with `meanwhile` run after each page. */
  async function paginateWhile(meanwhile: (items: Json[]) => Promise<unknown>, query: object = {}) {
    const found: Json[] = [];
    let cursor: object = {};
    for (;;) {
      const { items, nextCursor } = await inboxPage(maya, { limit: 5, ...query, ...cursor });
      found.push(...items);
      if (nextCursor === null) return commentIdsOf(found);
      await meanwhile(items);
      cursor = { cursor: nextCursor };
    }
  }

  test('new notifications neither repeat nor hide older ones', async () => {
    const commentIds = await addComments(jonas, post, 17);
    expect(await paginateWhile(() => addComments(jonas, post, 3))).toEqual(commentIds);
    expect(await wholeInbox(maya)).toHaveLength(17 + 3 * 3);
  });

  test('marking as read during pagination leaves no gap among the unread notifications', async () => {
    const commentIds = await addComments(jonas, post, 17);
    const readAll = async (items: Json[]) => {
      for (const item of items) await expectOk(requestMarkRead(maya, item));
    };
    expect(await paginateWhile(readAll, { unreadOnly: true })).toEqual(commentIds);
    expect(commentIdsOf(await wholeInbox(maya, { unreadOnly: true }))).toEqual(commentIds.slice(15));
  });

  test('pagination continues after the notification before the cursor is deleted', async () => {
    const commentIds = await addComments(jonas, post, 12);
    const deleteLast = (items: Json[]) =>
      expectOk(requestCommentDeletion(jonas, { id: items.at(-1)?.commentId ?? 'none' }));
    expect(await paginateWhile(deleteLast)).toEqual(commentIds);
    expect(await wholeInbox(maya)).toHaveLength(10);
  });
});

describe('the unreadOnly filter', () => {
  let maya: Person;
  let commentIds: string[];

  beforeAll(async () => {
    maya = await confirmedPerson(opine, 'Maya');
    commentIds = await addComments(jonas, await aThought(maya), 9);
    const items = await wholeInbox(maya);
    for (const item of items.filter((_, index) => index % 3 === 0))
      await expectOk(requestMarkRead(maya, item));
  });

  test('unreadOnly=true lists the unread notifications only', async () => {
    const unread = commentIds.filter((_, index) => index % 3 !== 0);
    const pages = await inboxPages(maya, { limit: 2, unreadOnly: 'true' });
    expect(commentIdsOf(pages.flat())).toEqual(unread);
    expect(lengthsOf(pages)).toEqual([2, 2, 2]);
    expect((await inboxPage(maya, { unreadOnly: 'true', limit: 1 })).unreadCount).toBe(6);
  });

  test.each([{}, { unreadOnly: 'false' }])(
    'the query %j lists read and unread notifications',
    async (query) => {
      expect(commentIdsOf(await wholeInbox(maya, query))).toEqual(commentIds);
    },
  );

  test.each(['', '1', '0', 'TRUE', 'yes', 'null', ' true'])('unreadOnly %j is 422', async (unreadOnly) => {
    expect(await requestInbox(maya, withQuery('', { unreadOnly }))).toMatchObject(invalid('unreadOnly'));
  });
});

describe('pages with hidden notifications in between', () => {
  // docs/product.md W5
  test('pages are refilled past notifications of a left Hub and of a blocked person', async () => {
    const [amara, blocked, reader] = [
      await hubReadyPerson(opine, 'Amara'),
      await registeredPerson(opine, 'Enemy'),
      await hubReadyPerson(opine, 'Reader'),
    ];
    const hub = await aHub(amara);
    await join(amara, hub, [reader]);
    const post = await aThought(reader);
    const visible: string[] = [];
    for (let round = 0; round < 7; round += 1) {
      await aHubPost(amara, [hub]);
      await aHubPost(amara, [hub]);
      visible.unshift((await aComment(jonas, post)).id);
      await addComments(blocked, post, 3);
    }
    const all = idsOf(await wholeInbox(reader));
    expect(all).toHaveLength(7 * 6 + 1);
    await expectOk(requestLeave(reader, hub));
    await block(reader, blocked);
    for (const unreadOnly of [false, true]) {
      const pages = await inboxPages(reader, { limit: 3, unreadOnly });
      // The invitation to the Hub came first and stays visible.
      expect(commentIdsOf(pages.flat())).toEqual([...visible, null]);
      expect(lengthsOf(pages)).toEqual([3, 3, 2]);
    }
    await unblock(reader, blocked);
    await join(amara, hub, [reader]);
    // The second invitation within a day renews the first.
    expect(idsOf(await wholeInbox(reader))).toEqual([...all.slice(-1), ...all.slice(0, -1)]);
  });
});

describe('a cursor', () => {
  test.each(['abc', 'null', 'e30', 'W10', 'bnVsbA', '🙂', '\u0000', '1', 'x'.repeat(5000)])(
    'the cursor %j is 422',
    async (cursor) => {
      expect(await requestInbox(jonas, withQuery('', { cursor }))).toMatchObject(invalid('cursor'));
    },
  );

  test('the cursor of another person is 422', async () => {
    const [maya, lena] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Lena')];
    await addComments(jonas, await aThought(maya), 3);
    const { nextCursor: cursor } = await inboxPage(maya, { limit: 1 });
    expect(await requestInbox(lena, withQuery('', { cursor }))).toMatchObject(invalid('cursor'));
  });
});
