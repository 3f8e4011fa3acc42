import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aLivelyWorld, comeAndGo, randomOf, type Walk, write } from '../simulations/feeds/writers.ts';
import type { Client, Json, Reply } from '../support/client.ts';
import { ACTS, homeFeed } from '../support/feeds.ts';
import { votesAreFolded } from '../support/fold.ts';
import { aComment, aRepost, type Post, requestCommentDeletion } from '../support/frames.ts';
import { amid, follow, granted, idsOf, withQuery } from '../support/graph.ts';
import { aHub, anInvitation, join, requestAccept, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, aRegistered } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** What is in a list, gone through once in pages of `limit`. */
async function walk({ name, viewer, path, query, still, isByTime }: Walk, limit: number): Promise<string[]> {
  const pages: string[][] = [];
  for (let cursor: string | undefined; pages.length < 500; ) {
    const page = await granted(
      viewer.get(withQuery(path, { ...query, limit, ...(cursor !== undefined && { cursor }) })),
    );
    pages.push(idsOf(page.items));
    if (page.nextCursor === null) break;
    expect(page.items).toHaveLength(limit);
    cursor = page.nextCursor;
  }
  const walked = pages.flat();
  const twice = walked.filter((id, index) => walked.indexOf(id) !== index);
  expect(twice, `what came twice in the feed ${name}`).toEqual([]);
  const found = walked.filter((id) => still.includes(id));
  const [one, other] = isByTime ? [found, still] : [found.toSorted(), still.toSorted()];
  expect(one, `what stood still in the feed ${name}`).toEqual(other);
  return walked;
}

/** A repost in a Hub of its author's: others hear of it, and do not see it. */
const aRepostInside = async (author: Client, { id }: Post): Promise<Json> => {
  const hubIds = [(await aHub(author)).id];
  const fields = { visibility: 'private_locked_hub', thoughtText: 'Among us.', hubIds };
  return granted(author.post(`/posts/${id}/reposts`, fields));
};
const requestDelete = (author: Client, { id }: Json) => author.delete(`/posts/${id}`);

test.each([1, 2, 3])(
  'whatever others do, no frame comes twice in a walk, and none is skipped that stood still (seed %i)',
  async (seed) => {
    const world = await aLivelyWorld(opine);
    for (const each of world.walks) await walk(each, 5);
    let isOver = false;
    const writing = Promise.all(
      world.writers.flatMap((writer, index) => [
        write(writer, world, randomOf(100 * seed + index)),
        comeAndGo(writer, world),
      ]),
    ).finally(() => {
      isOver = true;
    });
    const walking = world.walks.map(async (each, index) => {
      const random = randomOf(1000 * seed + index);
      for (let rounds = 0; rounds < 2 || !isOver; rounds += 1) await walk(each, 1 + Math.floor(random() * 5));
    });
    await Promise.all([writing, ...walking]);
    // The server's worker would warm what was voted on between two walks.
    await votesAreFolded(opine);
    for (const each of world.walks) expect(await walk(each, 3)).toEqual(await walk(each, 50));
    // To be with somebody in a Hub shows what to follow them shows, whenever they came.
    expect(await homeFeed(world.observer)).toEqual(await homeFeed(world.follower));
  },
  120_000,
);

describe('as somebody leaves a Hub, or comes into it,', () => {
  const acts: typeof ACTS = { ...ACTS, 'publishes something': (writer) => aThought(writer) };

  test.each(Object.entries(acts))(
    'and %s, those in it hear of that who are with them in the end',
    async (_, act) => {
      const [observer, writer] = [await aHubReady(opine, 'Observer'), await aHubReady(opine, 'Jonas')];
      const [follower, author] = [await aRegistered(opine, 'Maya'), await aHubReady(opine)];
      const hub = await aHub(observer);
      await join(observer, hub, [writer]);
      await follow(follower, writer);
      for (let round = 0; round < 12; round += 1) {
        const posts = [await aSlider(author), await aSlider(author), await aSlider(author)];
        const atOnce = (move: Promise<Reply>, some: readonly Json[]) =>
          Promise.all([...some.map((post) => act(writer, post)), granted(move)]);
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
  ['a comment', aComment, requestCommentDeletion, 'app.erase_comment'],
  ['a repost', aRepost, requestDelete, 'app.erase_post'],
  ['a repost for a Hub', aRepostInside, requestDelete, 'app.erase_post'],
])('%s that is taken back as its author comes into a Hub', (_, act, takeBack, erase) => {
  /** Somebody who has acted on a post, on their way into the Hub of an observer; a follower sees what they do. */
  async function onTheWay() {
    const [observer, writer] = [await aHubReady(opine, 'Observer'), await aHubReady(opine, 'Jonas')];
    const [follower, author] = [await aRegistered(opine, 'Maya'), await aHubReady(opine)];
    const hub = await aHub(observer);
    await follow(follower, writer);
    const post = await aSlider(author);
    const done: Json = await act(writer, post);
    expect(await homeFeed(follower)).toContain(post.id);
    return { observer, writer, follower, hub, done };
  }

  test('is not heard of where they come before it is gone', async () => {
    const { observer, writer, follower, hub, done } = await onTheWay();
    const invitation = await anInvitation(observer, hub, writer);
    const accepted = await amid(
      opine,
      () => requestAccept(writer, invitation),
      async (holder) => {
        await sql`select ${sql.raw(erase)}(${done.id})`.execute(holder);
      },
    );
    expect(accepted.status).toBe(200);
    expect(await homeFeed(observer)).toEqual([]);
    expect(await homeFeed(follower)).toEqual([]);
  });

  test('is not heard of where it goes before they have come', async () => {
    const { observer, writer, follower, hub, done } = await onTheWay();
    const taken = await amid(
      opine,
      () => takeBack(writer, done),
      async (holder) => {
        const membership = { hub_id: hub.id, user_id: writer.id, role: 'member' } as const;
        await holder.insertInto('app.memberships').values(membership).execute();
      },
    );
    expect(taken.status).toBe(200);
    expect(await homeFeed(observer)).toEqual([]);
    expect(await homeFeed(follower)).toEqual([]);
  });
});
