import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  concurrentWorld,
  type FeedList,
  leaveAndRejoin,
  writeRandomly,
} from '../simulations/feeds/writers.ts';
import { seededRandom } from '../simulations/random.ts';
import { type Client, expectOk, idsOf, type Json, type Reply, withQuery } from '../support/client.ts';
import { ACTIVITIES, homeFeed } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import { aHub, anInvitation, join, requestAccept, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, registeredPerson } from '../support/people.ts';
import { aComment, aRepost, aSlider, aThought, type Post, requestCommentDeletion } from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Reads a list in pages of `limit` and returns its ids. Fails on a repeat, and on a gap among unchanged entries. */
async function paginate(
  { name, viewer, path, query, untouched, isChronological }: FeedList,
  limit: number,
): Promise<string[]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; pages.length < 500; ) {
    const page = await expectOk(
      viewer.get(withQuery(path, { ...query, limit, ...(cursor !== undefined && { cursor }) })),
    );
    pages.push(idsOf(page.items));
    if (page.nextCursor === null) break;
    expect(page.items).toHaveLength(limit);
    cursor = page.nextCursor;
  }
  const ids = pages.flat();
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  expect(twice, `repeated posts in ${name}`).toEqual([]);
  const unchanged = ids.filter((id) => untouched.includes(id));
  const [one, other] = isChronological
    ? [unchanged, untouched]
    : [unchanged.toSorted(), untouched.toSorted()];
  expect(one, `unchanged posts in ${name}`).toEqual(other);
  return ids;
}

/** Creates a private repost in a new Hub of `author`: it moves its source up in feeds and is hidden itself. */
const aPrivateRepost = async (author: Client, { id }: Post): Promise<Json> => {
  const hubIds = [(await aHub(author)).id];
  const fields = { visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds };
  return expectOk(author.post(`/posts/${id}/reposts`, fields));
};
const requestDelete = (author: Client, { id }: Json) => author.delete(`/posts/${id}`);

test.each([1, 2, 3])(
  'pagination under concurrent writes repeats no frame and skips no unchanged frame (seed %i)',
  async (seed) => {
    const world = await concurrentWorld(opine);
    for (const each of world.lists) await paginate(each, 5);
    let isOver = false;
    const writing = Promise.all(
      world.writers.flatMap((writer, index) => [
        writeRandomly(writer, world, seededRandom(100 * seed + index)),
        leaveAndRejoin(writer, world),
      ]),
    ).finally(() => {
      isOver = true;
    });
    const reading = world.lists.map(async (each, index) => {
      const random = seededRandom(1000 * seed + index);
      for (let rounds = 0; rounds < 2 || !isOver; rounds += 1)
        await paginate(each, 1 + Math.floor(random() * 5));
    });
    await Promise.all([writing, ...reading]);
    // The worker would change the scores of posts with new votes between two paginations.
    await foldAllVotes(opine);
    for (const each of world.lists) expect(await paginate(each, 3)).toEqual(await paginate(each, 50));
    // A co-member brings the same posts as a followed person, whenever they joined.
    expect(await homeFeed(world.observer)).toEqual(await homeFeed(world.follower));
  },
  120_000,
);

describe('activity during a membership change', () => {
  const activities: typeof ACTIVITIES = {
    ...ACTIVITIES,
    'publishes something': (writer) => aThought(writer),
  };

  test.each(Object.entries(activities))(
    'home feeds follow the final membership when a person who joins or leaves %s',
    async (_, perform) => {
      const [observer, writer] = [
        await hubReadyPerson(opine, 'Observer'),
        await hubReadyPerson(opine, 'Jonas'),
      ];
      const [follower, author] = [await registeredPerson(opine, 'Maya'), await hubReadyPerson(opine)];
      const hub = await aHub(observer);
      await join(observer, hub, [writer]);
      await follow(follower, writer);
      for (let round = 0; round < 12; round += 1) {
        const posts = [await aSlider(author), await aSlider(author), await aSlider(author)];
        const atOnce = (move: Promise<Reply>, some: readonly Json[]) =>
          Promise.all([...some.map((post) => perform(writer, post)), expectOk(move)]);
        await atOnce(requestLeave(writer, hub), posts.slice(0, 2));
        expect(await homeFeed(observer)).toEqual([]);
        const invitation = await anInvitation(observer, hub, writer);
        await atOnce(requestAccept(writer, invitation), posts.slice(2));
        expect(await homeFeed(observer)).toEqual(await homeFeed(follower));
      }
    },
  );
});

describe.each([
  ['a comment', aComment, requestCommentDeletion, 'app.delete_comment'],
  ['a repost', aRepost, requestDelete, 'app.delete_post'],
  ['a private repost', aPrivateRepost, requestDelete, 'app.delete_post'],
])('deletion of %s while its author joins a Hub', (_, perform, requestDeletion, erase) => {
  /** Creates a writer with activity on a post, a follower who sees it, and an observer with a Hub for the writer. */
  async function activeWriter() {
    const [observer, writer] = [
      await hubReadyPerson(opine, 'Observer'),
      await hubReadyPerson(opine, 'Jonas'),
    ];
    const [follower, author] = [await registeredPerson(opine, 'Maya'), await hubReadyPerson(opine)];
    const hub = await aHub(observer);
    await follow(follower, writer);
    const post = await aSlider(author);
    const activity: Json = await perform(writer, post);
    expect(await homeFeed(follower)).toContain(post.id);
    return { observer, writer, follower, hub, activity };
  }

  test('an acceptance that waits for the deletion adds nothing to home feeds', async () => {
    const { observer, writer, follower, hub, activity } = await activeWriter();
    const invitation = await anInvitation(observer, hub, writer);
    const accepted = await duringTransaction(
      opine,
      () => requestAccept(writer, invitation),
      async (holder) => {
        await sql`select ${sql.raw(erase)}(${activity.id})`.execute(holder);
      },
    );
    expect(accepted.status).toBe(200);
    expect(await homeFeed(observer)).toEqual([]);
    expect(await homeFeed(follower)).toEqual([]);
  });

  test('a deletion that waits for the join leaves nothing in home feeds', async () => {
    const { observer, writer, follower, hub, activity } = await activeWriter();
    const deleted = await duringTransaction(
      opine,
      () => requestDeletion(writer, activity),
      async (holder) => {
        const membership = { hub_id: hub.id, user_id: writer.id, role: 'member' } as const;
        await holder.insertInto('app.memberships').values(membership).execute();
      },
    );
    expect(deleted.status).toBe(200);
    expect(await homeFeed(observer)).toEqual([]);
    expect(await homeFeed(follower)).toEqual([]);
  });
});
