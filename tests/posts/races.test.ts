import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, type Reply, refusal } from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo } from '../support/discussions.ts';
import { aHub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import {
  aComment,
  aSlider,
  framesOf,
  requestComment,
  requestRepost,
  requestSavePost,
  requestShareToFeed,
  requestShareToHubs,
  seenBy,
} from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
let circle: HubOfTwo;
/** A public post of Amara's with a slider. */
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  circle = await aHubOfTwo(opine);
  post = await aSlider(circle.amara);
});

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status);

/** The operations on a post that a member of the Hub is allowed. */
const OPERATIONS: Readonly<Record<string, (person: Person) => Promise<Reply>>> = {
  'a vote': (person) => castVote(person, post),
  'a comment': (person) => requestComment(person, post, { text: 'Well.' }),
  'a repost': (person) => requestRepost(person, post),
  'a repost into a Hub': (person) =>
    requestRepost(person, post, { visibility: 'private_locked_hub', hubIds: [circle.hub.id] }),
  'a share to the feed': (person) => requestShareToFeed(person, post),
  'a share into a Hub': (person) => requestShareToHubs(person, post, [circle.hub]),
  'a save': (person) => requestSavePost(person, post),
};

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  test('a request during the deletion of the post answers 404', async () => {
    const reply = await duringTransaction(
      opine,
      () => operation(circle.jonas),
      async (holder) => {
        await sql`delete from app.posts where id = ${post.id}`.execute(holder);
      },
    );
    expect(reply).toMatchObject(HIDDEN);
  });

  test('requests concurrent with the deletion succeed or answer 404 or 409', async () => {
    const { amara, jonas } = circle;
    for (const _ of Array(8).keys()) {
      post = await aSlider(amara);
      const gone = amara.delete(`/posts/${post.id}`);
      const replies = await Promise.all([
        operation(jonas),
        operation(amara),
        gone,
        operation(jonas),
        operation(amara),
      ]);
      expect((await gone).status).toBe(200);
      for (const { status } of replies) expect([200, 201, 404, 409]).toContain(status);
    }
  });
});

test('concurrent operations of six members are all counted', async () => {
  const { hub, amara, jonas } = circle;
  const others = await Promise.all(Array.from({ length: 4 }, () => hubReadyPerson(opine)));
  await join(amara, hub, others);
  const people = [amara, jonas, ...others];
  const replies = await Promise.all(
    people.flatMap((person) => Object.values(OPERATIONS).map((operation) => operation(person))),
  );
  expect(new Set(statusesOf(replies))).toEqual(new Set([200, 201]));
  const { repostCount, commentCount, voteSummary } = await seenBy(amara, post);
  expect([repostCount, commentCount, voteSummary.totalVotes]).toEqual([12, 6, 6]);
  expect(await framesOf(amara, post, { limit: 50 })).toHaveLength(13);
});

test('concurrent shares into the same Hubs in opposite orders do not deadlock', async () => {
  const { hub, amara, jonas } = circle;
  const more = [await aHub(amara), await aHub(amara), await aHub(amara)];
  for (const other of more) await join(amara, other, [jonas]);
  const hubs = [hub, ...more];
  const forward = Array.from({ length: 4 }, () => requestShareToHubs(amara, post, hubs));
  const backward = Array.from({ length: 4 }, () => requestShareToHubs(jonas, post, hubs.toReversed()));
  const replies = await Promise.all([...forward, ...backward]);
  expect(statusesOf(replies)).toEqual(Array(8).fill(201));
  expect(replies.flatMap(({ data }) => data.hubs).filter(({ created }) => created)).toHaveLength(4);
});

test('a share concurrent with leaving the Hub succeeds or answers 403', async () => {
  const { hub, amara, jonas } = circle;
  const [shared, left] = await Promise.all([
    requestShareToHubs(jonas, post, [hub]),
    requestLeave(jonas, hub),
  ]);
  expect(left.status).toBe(200);
  expect([201, 403]).toContain(shared.status);
  const hubs = shared.status === 201 ? [{ id: hub.id, name: hub.name }] : [];
  expect((await seenBy(amara, post)).hubs).toEqual(hubs);
});

test('concurrent deletions of reposts leave repostCount at the remaining repost', async () => {
  const { amara, jonas } = circle;
  const made = await Promise.all(Array.from({ length: 6 }, () => expectOk(requestRepost(jonas, post))));
  await aComment(amara, post);
  await Promise.all(made.slice(1).map(({ id }) => expectOk(jonas.delete(`/posts/${id}`))));
  expect(await seenBy(amara, post)).toMatchObject({ repostCount: 1, commentCount: 1 });
});

test('a repost that waits for a lock answers 404 when a block hides its source meanwhile', async () => {
  const { amara, jonas, hub } = circle;
  const reply = await duringTransaction(
    opine,
    () => requestRepost(jonas, post, { visibility: 'private_locked_hub', hubIds: [hub.id] }),
    async (holder) => {
      await sql`select from app.memberships where hub_id = ${hub.id} and user_id = ${jonas.id} for update`.execute(
        holder,
      );
      await sql`insert into app.blocks (blocker_id, blocked_id) values (${amara.id}, ${jonas.id})`.execute(
        holder,
      );
    },
  );
  expect(reply).toMatchObject(HIDDEN);
});
