import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPages, expectOk, idsOf, type Json, refusal, withQuery } from '../support/client.ts';
import { homePage } from '../support/feeds.ts';
import { block, follow, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, invalid, join, requestLeave } from '../support/hubs.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import {
  aRepost,
  aSlider,
  aThought,
  type Post,
  requestSavePost,
  requestUnsavePost,
  savedPosts,
  seenBy,
} from '../support/posts.ts';
import { castVote } from '../support/votes.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let amara: Person;
/** A reader without saved posts. */
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, maya] = [await confirmedPerson(opine, 'Amara'), await registeredPerson(opine, 'Maya')];
});

const PATH = '/users/me/saved-posts';
const NO_POST = refusal(404, 'POST_NOT_FOUND');

/** Publishes `count` posts of `author` and saves each as Maya, one after the other. */
async function publishAndSave(count: number, author = amara): Promise<Json[]> {
  const posts: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    const post = await aThought(author);
    await advanceTime(opine, '1 second');
    await expectOk(requestSavePost(maya, post));
    posts.push(post);
  }
  return posts;
}

const idsLastSavedFirst = (posts: readonly Json[]) => idsOf(posts).reverse();

async function expectNoPost(reader: Person, post: Post): Promise<void> {
  expect(await requestSavePost(reader, post)).toMatchObject(NO_POST);
  expect(await requestUnsavePost(reader, post)).toMatchObject(NO_POST);
}

describe('GET /users/me/saved-posts', () => {
  test('each saved post has the card of the post itself', async () => {
    const reader = await confirmedPerson(opine, 'Noor');
    const [slider, thought] = [await aSlider(amara), await aThought(reader)];
    const repost = await aRepost(await confirmedPerson(opine), slider);
    for (const post of [slider, thought, repost]) {
      await expectOk(requestSavePost(reader, post));
      await advanceTime(opine, '1 second');
    }
    await castVote(reader, slider);
    const cards: Json[] = [];
    for (const post of [repost, thought, slider]) {
      const { permissions: _, ...card } = await seenBy(reader, post);
      cards.push(card);
    }
    expect(await allPages(reader, PATH)).toEqual([cards]);
    expect(cards.map(({ viewerSaved }) => viewerSaved)).toEqual([true, true, true]);
  });

  test('the home feed marks saved posts by viewerSaved', async () => {
    await follow(maya, amara);
    const [saved, other] = [await aThought(amara), await aThought(amara)];
    await expectOk(requestSavePost(maya, saved));
    const { items } = await homePage(maya);
    expect(items.map(({ id, viewerSaved }: Json) => [id, viewerSaved])).toEqual([
      [other.id, false],
      [saved.id, true],
    ]);
  });

  test('the last saved post comes first, and saving a saved post again does not move it', async () => {
    const [first, second] = await publishAndSave(2);
    await advanceTime(opine, '1 second');
    await expectOk(requestSavePost(maya, first));
    expect(await savedPosts(maya)).toEqual([second.id, first.id]);
    await expectOk(requestUnsavePost(maya, first));
    await expectOk(requestSavePost(maya, first));
    expect(await savedPosts(maya)).toEqual([first.id, second.id]);
  });

  test.each([1, 2, 3, 4, 5, 6, 50])('pages of %i return each saved post once', async (limit) => {
    const posts = await publishAndSave(5);
    const pages = await allPages(maya, PATH, { limit });
    expect(pages.flatMap(idsOf)).toEqual(idsLastSavedFirst(posts));
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });

  test('posts saved and unsaved between pages cause no repeats and no gaps', async () => {
    const posts = await publishAndSave(6);
    const [sixth, fifth, fourth, third, second, first] = idsLastSavedFirst(posts);
    const page = (query: object) => expectOk(maya.get(withQuery(PATH, { limit: 2, ...query })));
    const top = await page({});
    expect(idsOf(top.items)).toEqual([sixth, fifth]);
    for (const id of [fifth, fourth]) await expectOk(requestUnsavePost(maya, { id }));
    await publishAndSave(1);
    const next = await page({ cursor: top.nextCursor });
    expect(idsOf(next.items)).toEqual([third, second]);
    const last = await page({ cursor: next.nextCursor });
    expect([idsOf(last.items), last.nextCursor]).toEqual([[first], null]);
  });

  test('a page has 20 posts by default and 50 at most', async () => {
    const posts = await Promise.all(Array.from({ length: 51 }, () => aThought(amara)));
    await Promise.all(posts.map((post) => expectOk(requestSavePost(maya, post))));
    const sizes = async (query: object) => (await allPages(maya, PATH, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([20, 20, 11]);
    expect(await sizes({ limit: 50 })).toEqual([50, 1]);
  });

  test.each([
    ['limit', ['0', '51', '-1', '1.5', 'ten', '', '99999999999999999999']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
  ])('an invalid %s answers 422', async (field, values) => {
    await publishAndSave(1);
    for (const value of values) {
      expect(await maya.get(withQuery(PATH, { [field]: value }))).toMatchObject(invalid(field));
    }
  });

  test('the list forbids caching', async () => {
    const { headers } = await maya.get(PATH);
    expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
    expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
  });
});

describe('hidden posts in GET /users/me/saved-posts', () => {
  test.each(['blocks', 'is blocked by'])(
    'the list omits posts while their author %s the reader',
    async (how) => {
      const jonas = await confirmedPerson(opine, 'Jonas');
      const posts = [
        ...(await publishAndSave(2)),
        ...(await publishAndSave(2, jonas)),
        ...(await publishAndSave(2)),
      ];
      const [blocker, blocked] = how === 'blocks' ? [jonas, maya] : [maya, jonas];
      await block(blocker, blocked);
      const seen = posts.filter(({ author }) => author.id === amara.id);
      const pages = await allPages(maya, PATH, { limit: 2 });
      expect(pages.map(idsOf)).toEqual([
        idsLastSavedFirst(seen).slice(0, 2),
        idsLastSavedFirst(seen).slice(2),
      ]);
      for (const post of posts.slice(2, 4)) await expectNoPost(maya, post);
      await unblock(blocker, blocked);
      expect(await savedPosts(maya)).toEqual(idsLastSavedFirst(posts));
    },
  );

  test('the list omits a private post after the reader leaves its Hub, until they rejoin', async () => {
    const admin = await hubReadyPerson(opine, 'Amara');
    const hub = await aHub(admin);
    const jonas = await aMemberOf(opine, admin, hub, 'Jonas');
    const post = await aHubPost(admin, [hub]);
    await expectOk(requestSavePost(jonas, post));
    const { permissions: _, ...card } = await seenBy(jonas, post);
    expect(await allPages(jonas, PATH)).toEqual([[card]]);
    expect(card).toMatchObject({ authorPhoneNumber: admin.phoneNumber, viewerSaved: true });
    await expectNoPost(await hubReadyPerson(opine), post);
    await expectOk(requestLeave(jonas, hub));
    expect(await savedPosts(jonas)).toEqual([]);
    await expectNoPost(jonas, post);
    await join(admin, hub, [jonas]);
    expect(await savedPosts(jonas)).toEqual([post.id]);
  });

  test('the list omits deleted posts and posts of deleted accounts', async () => {
    const jonas = await confirmedPerson(opine, 'Jonas');
    const [gone] = [await publishAndSave(1), await publishAndSave(1, jonas)].flat();
    const stays = await publishAndSave(1);
    await expectOk(amara.delete(`/posts/${gone.id}`));
    await expectOk(jonas.delete('/users/me'));
    expect(await savedPosts(maya)).toEqual(idsOf(stays));
    await waitUntilDeleted(opine, jonas.id);
    expect(await savedPosts(maya)).toEqual(idsOf(stays));
  });
});
