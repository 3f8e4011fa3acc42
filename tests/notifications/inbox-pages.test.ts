import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { aComment, requestCommentDeletion } from '../support/frames.ts';
import { block, granted, idsOf, unblock, withQuery } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, join, requestLeave } from '../support/hubs.ts';
import { requestInbox, requestMarkRead } from '../support/inbox.ts';
import { commentIdsOf, comments, inboxPage, inboxPages, wholeInbox } from '../support/inbox-pagination.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

let opine: Opine;
let jonas: Person;

beforeAll(async () => {
  opine = await startOpine();
  jonas = await aHubReady(opine, 'Jonas');
});

afterAll(() => opine.stop());

const lengthsOf = (pages: readonly Json[][]) => pages.map(({ length }) => length);

/** The refusal of a query parameter. */
const invalid = (name: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [name] }] });

describe('how long a page is', () => {
  let maya: Person;
  let told: string[];

  beforeAll(async () => {
    maya = await aConfirmed(opine, 'Maya');
    told = await comments(jonas, await aThought(maya), 101);
  });

  test('thirty, unless asked', async () => {
    const { items, nextCursor } = await inboxPage(maya);
    expect(commentIdsOf(items)).toEqual(told.slice(0, 30));
    expect(nextCursor).toEqual(expect.any(String));
  });

  test.each([1, 2, 31, 99, 100])('%i, if asked', async (limit) => {
    expect(commentIdsOf((await inboxPage(maya, { limit })).items)).toEqual(told.slice(0, limit));
  });

  test.each(['0', '-1', '101', '1000000', '1.5', '1e1', 'ten', '', ' 3', '0x10', 'NaN'])(
    'not %j',
    async (limit) => {
      expect(await requestInbox(maya, withQuery('', { limit }))).toMatchObject(invalid('limit'));
    },
  );

  test.each([1, 7, 30, 50, 100])('%i at a time, the walk meets each once and then ends', async (limit) => {
    const pages = await inboxPages(maya, { limit });
    expect(commentIdsOf(pages.flat())).toEqual(told);
    expect(pages).toHaveLength(Math.ceil(told.length / limit));
  });

  test('another at each step of a walk', async () => {
    const met: Json[] = [];
    let cursor: object = {};
    for (const limit of [1, 40, 3, 57]) {
      const { items, nextCursor } = await inboxPage(maya, { limit, ...cursor });
      met.push(...items);
      cursor = { cursor: nextCursor };
    }
    expect(commentIdsOf(met)).toEqual(told);
    expect(cursor).toEqual({ cursor: null });
  });

  test('each page says the same badge', async () => {
    const first = await inboxPage(maya, { limit: 40 });
    const second = await inboxPage(maya, { limit: 40, cursor: first.nextCursor });
    expect([first.unreadCount, second.unreadCount]).toEqual([101, 101]);
    expect(second.inboxVersion).toBe(first.inboxVersion);
  });
});

test('a last page that is full is known to be the last', async () => {
  const maya = await aConfirmed(opine, 'Maya');
  await comments(jonas, await aThought(maya), 6);
  expect(lengthsOf(await inboxPages(maya, { limit: 3 }))).toEqual([3, 3]);
});

describe('during a walk', () => {
  let maya: Person;
  let post: Json;

  beforeEach(async () => {
    maya = await aConfirmed(opine, 'Maya');
    post = await aThought(maya);
  });

  /** The comments that a walk meets, five at a time, while `meanwhile` happens after each page. */
  async function walkWhile(meanwhile: (items: Json[]) => Promise<unknown>, query: object = {}) {
    const met: Json[] = [];
    let cursor: object = {};
    for (;;) {
      const { items, nextCursor } = await inboxPage(maya, { limit: 5, ...query, ...cursor });
      met.push(...items);
      if (nextCursor === null) return commentIdsOf(met);
      await meanwhile(items);
      cursor = { cursor: nextCursor };
    }
  }

  test('what is new neither doubles nor hides what is old', async () => {
    const told = await comments(jonas, post, 17);
    expect(await walkWhile(() => comments(jonas, post, 3))).toEqual(told);
    expect(await wholeInbox(maya)).toHaveLength(17 + 3 * 3);
  });

  test('what was read on the way leaves no gap among the unread', async () => {
    const told = await comments(jonas, post, 17);
    const readAll = async (items: Json[]) => {
      for (const item of items) await granted(requestMarkRead(maya, item));
    };
    expect(await walkWhile(readAll, { unreadOnly: true })).toEqual(told);
    expect(commentIdsOf(await wholeInbox(maya, { unreadOnly: true }))).toEqual(told.slice(15));
  });

  test('what the cursor stands on may vanish', async () => {
    const told = await comments(jonas, post, 12);
    const forgetLast = (items: Json[]) =>
      granted(requestCommentDeletion(jonas, { id: items.at(-1)?.commentId ?? 'none' }));
    expect(await walkWhile(forgetLast)).toEqual(told);
    expect(await wholeInbox(maya)).toHaveLength(10);
  });
});

test('what was told at the same time, of several Hubs, is met once each', async () => {
  const [amara, lena] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Lena')];
  const hubs: Hub[] = [];
  for (const name of ['Elm', 'Oak', 'Ash', 'Fir', 'Yew']) hubs.push(await aHub(amara, { name }));
  for (const hub of hubs) await join(amara, hub, [lena]);
  await aHubPost(amara, hubs);
  await aHubPost(amara, hubs);
  const all = await wholeInbox(lena);
  expect(all.filter(({ type }) => type === 'hub_post_created')).toHaveLength(10);
  for (const limit of [1, 2, 3, 4]) {
    expect(idsOf((await inboxPages(lena, { limit })).flat())).toEqual(idsOf(all));
  }
});

describe('only what is unread', () => {
  let maya: Person;
  let told: string[];

  beforeAll(async () => {
    maya = await aConfirmed(opine, 'Maya');
    told = await comments(jonas, await aThought(maya), 9);
    const items = await wholeInbox(maya);
    for (const item of items.filter((_, index) => index % 3 === 0))
      await granted(requestMarkRead(maya, item));
  });

  test('is listed where that is asked', async () => {
    const unread = told.filter((_, index) => index % 3 !== 0);
    const pages = await inboxPages(maya, { limit: 2, unreadOnly: 'true' });
    expect(commentIdsOf(pages.flat())).toEqual(unread);
    expect(lengthsOf(pages)).toEqual([2, 2, 2]);
    expect((await inboxPage(maya, { unreadOnly: 'true', limit: 1 })).unreadCount).toBe(6);
  });

  test.each([{}, { unreadOnly: 'false' }])('is not all that is listed with %j', async (query) => {
    expect(commentIdsOf(await wholeInbox(maya, query))).toEqual(told);
  });

  test.each(['', '1', '0', 'TRUE', 'yes', 'null', ' true'])('is not asked with %j', async (unreadOnly) => {
    expect(await requestInbox(maya, withQuery('', { unreadOnly }))).toMatchObject(invalid('unreadOnly'));
  });
});

describe('pages are full, whatever lies hidden between what they show', () => {
  test('of a Hub that was left, and of somebody who is blocked', async () => {
    const [amara, enemy, reader] = [
      await aHubReady(opine, 'Amara'),
      await aRegistered(opine, 'Enemy'),
      await aHubReady(opine, 'Reader'),
    ];
    const hub = await aHub(amara);
    await join(amara, hub, [reader]);
    const post = await aThought(reader);
    const visible: string[] = [];
    for (let round = 0; round < 7; round += 1) {
      await aHubPost(amara, [hub]);
      await aHubPost(amara, [hub]);
      visible.unshift((await aComment(jonas, post)).id);
      await comments(enemy, post, 3);
    }
    const all = idsOf(await wholeInbox(reader));
    expect(all).toHaveLength(7 * 6 + 1);
    await granted(requestLeave(reader, hub));
    await block(reader, enemy);
    for (const unreadOnly of [false, true]) {
      const pages = await inboxPages(reader, { limit: 3, unreadOnly });
      // The invitation to the Hub was told first, and stays.
      expect(commentIdsOf(pages.flat())).toEqual([...visible, null]);
      expect(lengthsOf(pages)).toEqual([3, 3, 2]);
    }
    await unblock(reader, enemy);
    await join(amara, hub, [reader]);
    expect(idsOf(await wholeInbox(reader)).slice(1)).toEqual(all);
  });
});

describe('a cursor', () => {
  test.each(['', 'abc', 'null', 'e30', 'W10', 'bnVsbA', '🙂', '\u0000', '1'])('is not %j', async (cursor) => {
    expect(await requestInbox(jonas, withQuery('', { cursor }))).toMatchObject(invalid('cursor'));
  });

  test('is not as long as you like', async () => {
    const cursor = 'x'.repeat(5000);
    expect(await requestInbox(jonas, withQuery('', { cursor }))).toMatchObject(invalid('cursor'));
  });

  test('of somebody else shows nothing of theirs', async () => {
    const [maya, lena] = [await aConfirmed(opine, 'Maya'), await aConfirmed(opine, 'Lena')];
    const own = await comments(jonas, await aThought(lena), 2);
    await comments(jonas, await aThought(maya), 3);
    const { nextCursor: cursor } = await inboxPage(maya, { limit: 1 });
    const items = await wholeInbox(lena, { cursor });
    expect(commentIdsOf(items)).toEqual(own);
  });

  test('that was changed in any place is refused, or a cursor', async () => {
    const maya = await aConfirmed(opine, 'Maya');
    await comments(jonas, await aThought(maya), 3);
    const { nextCursor } = await inboxPage(maya, { limit: 1 });
    for (let at = 0; at < nextCursor.length; at += 1) {
      for (const text of ['A', '', '9_']) {
        const cursor = nextCursor.slice(0, at) + text + nextCursor.slice(at + 1);
        const { status } = await requestInbox(maya, withQuery('', { cursor }));
        expect([200, 422]).toContain(status);
      }
    }
  });
});
