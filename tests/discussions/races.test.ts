import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/client.ts';
import { aHubWithDiscussion, messagesOf, textsOf } from '../support/discussions.ts';
import {
  aMemberOf,
  aMessage,
  discussionOf,
  markDiscussionRead,
  requestMessage,
  requestMessageDeletion,
} from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';
import {
  countLockWaits,
  OK,
  outcomesOf,
  type Requests,
  ROUNDS,
  raceInHub,
  sortedOutcomes,
} from '../support/races.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let hub: Json;
let post: Json;
let discussion: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const messageCount = async () => (await discussionOf(amara, hub, post)).messageCount;

describe.each(ROUNDS)('concurrent requests in a discussion, round %i', (round) => {
  const race = <A extends Requests>(...requests: A) =>
    raceInHub(opine, round, hub, [amara, jonas], ...requests);

  beforeEach(async () => {
    ({ hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine));
  });

  test('one of two deletions of a message succeeds', async () => {
    const root = await aMessage(jonas, discussion);
    await aMessage(amara, discussion, 'Quite.', { parentMessageId: root.id });
    const replies = await race(
      () => requestMessageDeletion(amara, discussion, root),
      () => requestMessageDeletion(jonas, discussion, root),
    );
    expect(sortedOutcomes(replies)).toEqual([String(OK), 'MESSAGE_NOT_FOUND']);
    expect(await messageCount()).toBe(1);
  });

  test('a reply joins the thread before the deletion of its root or is 404', async () => {
    const root = await aMessage(jonas, discussion);
    const outcomes = outcomesOf(
      await race(
        () => requestMessage(amara, discussion, { text: 'Quite.', parentMessageId: root.id }),
        () => requestMessageDeletion(jonas, discussion, root),
      ),
    );
    const isReplied = outcomes[0] === 201;
    expect(outcomes).toEqual([isReplied ? 201 : 'MESSAGE_NOT_FOUND', OK]);
    const roots = await messagesOf(amara, discussion);
    expect(roots.map(({ isDeleted, replyCount }) => [isDeleted, replyCount])).toEqual(
      isReplied ? [[true, 1]] : [],
    );
    expect(await messageCount()).toBe(isReplied ? 1 : 0);
  });

  test('a root and its last reply go together if both are deleted', async () => {
    const root = await aMessage(jonas, discussion);
    const reply = await aMessage(amara, discussion, 'Quite.', { parentMessageId: root.id });
    const replies = await race(
      () => requestMessageDeletion(jonas, discussion, root),
      () => requestMessageDeletion(amara, discussion, reply),
    );
    expect(outcomesOf(replies)).toEqual([OK, OK]);
    expect(await messagesOf(amara, discussion)).toEqual([]);
    expect(await messageCount()).toBe(0);
  });
});

test('a message that is committed after a discussion was read is unread and comes last', async () => {
  ({ hub, amara, jonas, post, discussion } = await aHubWithDiscussion(opine));
  const bo = await aMemberOf(opine, amara, hub, 'Bo');
  const late = await opine.database.superuser.transaction().execute(async (holder) => {
    await sql`select from app.memberships where user_id = ${jonas.id} for update`.execute(holder);
    // Its transaction begins here and waits for the membership.
    const reply = requestMessage(jonas, discussion, { text: 'Late.' });
    await expect.poll(() => countLockWaits(opine, 'opine_gateway')).toBe(1);
    await aMessage(amara, discussion, 'Early.');
    await markDiscussionRead(bo, discussion);
    return [reply];
  });
  expect(outcomesOf(await Promise.all(late))).toEqual([201]);
  expect((await discussionOf(bo, hub, post)).unreadCount).toBe(1);
  expect(textsOf(await messagesOf(bo, discussion))).toEqual(['Early.', 'Late.']);
});
