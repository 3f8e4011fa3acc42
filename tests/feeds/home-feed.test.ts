import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, newestFirst, refusal } from '../support/client.ts';
import { addToDefaultFeed, homeFeed, homePage, homePages } from '../support/feeds.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
/** Posts of the default feed users Amara and Jonas, oldest first. */
const posts: Json[] = [];

beforeAll(async () => {
  opine = await startOpine();
  amara = await confirmedPerson(opine, 'Amara');
  jonas = await confirmedPerson(opine, 'Jonas');
  await addToDefaultFeed(opine, amara);
  await addToDefaultFeed(opine, jonas);
  for (const author of [amara, jonas, jonas, amara, jonas, amara, amara]) posts.push(await aSlider(author));
  await aSlider(await confirmedPerson(opine, 'Nobody in particular'));
});

afterAll(() => opine.stop());

const idsOf = (items: Json[]) => items.map(({ id }) => id);

describe('the default home feed', () => {
  test('a guest gets the posts of default feed users, newest first', async () => {
    const { items, nextCursor } = await homePage(aGuest(opine));
    expect(idsOf(items)).toEqual(newestFirst(posts));
    expect(nextCursor).toBeNull();
  });

  test('people of levels 1 to 3 without posts get the posts of default feed users', async () => {
    for (const viewer of [
      await anonymousPerson(opine),
      await registeredPerson(opine),
      await confirmedPerson(opine),
    ]) {
      const { items } = await homePage(viewer);
      expect(idsOf(items)).toEqual(newestFirst(posts));
      expect(items.map(({ feedContext }: Json) => feedContext)).toEqual(posts.map(() => 'default_feed_user'));
    }
  });

  test('sort=recent gives the same order', async () => {
    const { status, data } = await aGuest(opine).get('/posts?sort=recent');
    expect([status, idsOf(data.items)]).toEqual([200, newestFirst(posts)]);
  });

  test('each card is the card of the post, with voteDistribution for voters only', async () => {
    const viewer = await registeredPerson(opine);
    const [post] = posts;
    await castVote(viewer, post);
    const { permissions: _, ...card } = await seenBy(viewer, post);
    const shown = (await homePage(viewer)).items.find(({ id }: Json) => id === post.id);
    expect(shown).toEqual({ ...card, feedContext: 'default_feed_user' });
    expect(shown.voteDistribution).toHaveLength(5);
    expect((await homePage(aGuest(opine))).items.at(-1)).not.toHaveProperty('voteDistribution');
  });
});

describe('the home feed of an author', () => {
  test('an author gets their own posts and nothing else', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const byMaya = [await aThought(maya), await aSlider(maya)];
    const { items } = await homePage(maya);
    expect(idsOf(items)).toEqual(newestFirst(byMaya));
    expect(items.map(({ feedContext }: Json) => feedContext)).toEqual(['own_post', 'own_post']);
  });

  test('a default feed user gets their own posts and nothing else', async () => {
    const { items } = await homePage(amara);
    expect(idsOf(items)).toEqual(newestFirst(posts.filter(({ author }) => author.id === amara.id)));
    expect(items.every(({ feedContext }: Json) => feedContext === 'own_post')).toBe(true);
  });

  test('an author who deletes their last post gets the default feed', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const post = await aSlider(maya);
    expect(await homeFeed(maya)).toEqual([post.id]);
    await maya.delete(`/posts/${post.id}`);
    expect(await homeFeed(maya)).toEqual(newestFirst(posts));
  });
});

describe('home feed pages', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('pages of %i return each post once', async (limit) => {
    const pages = await homePages(aGuest(opine), limit);
    expect(pages.flatMap(idsOf)).toEqual(newestFirst(posts));
    expect(pages.map(({ length }) => length)).toEqual(
      Array.from({ length: Math.ceil(posts.length / limit) }, (_, page) =>
        Math.min(limit, posts.length - page * limit),
      ),
    );
  });

  test('pages of own posts return each post once', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const byMaya = [await aSlider(maya), await aThought(maya), await aSlider(maya)];
    expect((await homePages(maya, 2)).map(idsOf)).toEqual([
      newestFirst(byMaya).slice(0, 2),
      newestFirst(byMaya).slice(2),
    ]);
  });

  test('posts with equal timestamps are returned once', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const byMaya = [await aSlider(maya), await aSlider(maya), await aSlider(maya), await aSlider(maya)];
    await opine.database.superuser
      .updateTable('app.posts')
      .set({ created_at: '2026-01-01T00:00:00.123456Z' })
      .where('author_id', '=', maya.id)
      .execute();
    for (const limit of [1, 2, 3]) {
      const ids = (await homePages(maya, limit)).flatMap(idsOf);
      expect(ids).toHaveLength(byMaya.length);
      expect(new Set(ids)).toEqual(new Set(idsOf(byMaya)));
    }
  });

  test('posts created and deleted between pages cause no repeats and no gaps', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const byMaya = [];
    for (const _ of [1, 2, 3, 4, 5, 6]) byMaya.push(await aSlider(maya));
    const [sixth, fifth, fourth, third, second, first] = newestFirst(byMaya);
    const { items, nextCursor } = await homePage(maya, 2);
    expect(idsOf(items)).toEqual([sixth, fifth]);
    await maya.delete(`/posts/${fifth}`);
    await maya.delete(`/posts/${third}`);
    await aSlider(maya);
    const next = await homePage(maya, 2, nextCursor);
    expect(idsOf(next.items)).toEqual([fourth, second]);
    const last = await homePage(maya, 2, next.nextCursor);
    expect([idsOf(last.items), last.nextCursor]).toEqual([[first], null]);
  });
});

describe('parameters of GET /posts', () => {
  test('a page has 20 posts by default and 50 at most', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    await Promise.all(Array.from({ length: 51 }, () => aThought(maya)));
    expect((await homePage(maya)).items).toHaveLength(20);
    expect((await homePage(maya, 50)).items).toHaveLength(50);
    expect((await homePages(maya, 50)).map(({ length }) => length)).toEqual([50, 1]);
    expect((await homePages(maya)).map(({ length }) => length)).toEqual([20, 20, 11]);
  });

  test.each(['0', '51', '-1', '1.5', '1e1', 'ten', '', ' 5', '0x10', '99999999999999999999', 'NaN', '٣'])(
    'the limit "%s" answers 422',
    async (limit) => {
      const reply = await aGuest(opine).get(`/posts?${new URLSearchParams({ limit })}`);
      expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['limit'] }] }));
    },
  );

  test.each([
    '',
    'abc',
    'null',
    'e30',
    'eyJ0IjoxfQ',
    'W10=',
    "' or 1=1 --",
    '..',
    '\u0000',
    'x'.repeat(2000),
  ])('the cursor %j answers 422', async (cursor) => {
    const reply = await aGuest(opine).get(`/posts?${new URLSearchParams({ cursor })}`);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['cursor'] }] }));
  });

  test('an unknown sort answers 422', async () => {
    const reply = await aGuest(opine).get('/posts?sort=loudest');
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['sort'] }] }));
  });
});

test('the default feed is empty without default feed users', async () => {
  const empty = await anOpine();
  await aSlider(await confirmedPerson(empty));
  expect(await homePage(aGuest(empty))).toEqual({ items: [], nextCursor: null });
});

test('hubId answers 403 to guests and non-members', async () => {
  const path = '/posts?hubId=01900000-0000-7000-8000-00000000dead';
  expect(await aGuest(opine).get(path)).toMatchObject(refusal(403, 'FORBIDDEN'));
  expect(await amara.get(path)).toMatchObject(refusal(403, 'FORBIDDEN'));
});
