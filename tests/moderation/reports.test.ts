import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { readDocument } from '../support/document.ts';
import { aComment, requestReport } from '../support/frames.ts';
import { granted, NO_IDS, NOBODY, profileSeenBy, type Somebody } from '../support/graph.ts';
import { eventsOf } from '../support/hub-worlds.ts';
import { aHub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, anAnonymous, aPersonOf, aRegistered, type Person } from '../support/people.ts';
import { aThought, seenBy } from '../support/posts.ts';
import { ALL_THINGS, NOT_FOUND, type Things } from '../support/reports.ts';

const REASONS = [
  'spam',
  'harassment',
  'hate',
  'violence',
  'nudity',
  'misinformation',
  'impersonation',
  'other',
];

let opine: Opine;
/** Who founded a Hub and published a post, and who reports. */
let amara: Person;
let maya: Person;
let targets: Readonly<Record<Things, Somebody>>;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, maya] = [await aHubReady(opine, 'Amara'), await anAnonymous(opine)];
  const post = await aThought(amara);
  targets = { users: amara, posts: post, hubs: await aHub(amara), comments: await aComment(amara, post) };
});

const reportId = async (reporter: Client, things: Things, target: Somebody): Promise<string> =>
  (await granted(requestReport(reporter, things, target))).reportId;

/** What is stored of a report that somebody made, by its id. */
async function stored(id: string): Promise<Json> {
  const { rows } = await sql<Json>`
    select reporter_id as "reporterId", coalesce(user_id, post_id, hub_id, comment_id) as "targetId", reason::text as reason, details
    from app.reports where id = ${id}`.execute(opine.database.superuser);
  return rows[0];
}

describe.each(ALL_THINGS)('of %s,', (things) => {
  const ask = (reporter: Client, fields: object = {}) =>
    requestReport(reporter, things, targets[things], fields);

  test('a report is made by whoever has a session', async () => {
    const ids = new Set<string>();
    for (const level of [1, 2, 3, 4]) {
      const { status, data } = await ask(await aPersonOf(level, opine));
      expect([status, data]).toEqual([
        201,
        { reportId: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'open' },
      ]);
      ids.add(data.reportId);
    }
    expect(ids.size).toBe(4);
  });

  test('a report is made by no guest', async () => {
    for (const nobody of [aGuest(opine), clientOf(opine.url, 'no.good.token')]) {
      expect(await ask(nobody)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });

  test('the same reporter has one report, which stays as it was', async () => {
    const first = await granted(ask(maya, { reason: 'hate', details: 'Every day.' }));
    for (const fields of [{}, { reason: 'other', details: 'Again.' }]) {
      const { status, data } = await ask(maya, fields);
      expect([status, data]).toEqual([201, first]);
    }
    expect(await stored(first.reportId)).toEqual({
      reporterId: maya.id,
      targetId: targets[things].id,
      reason: 'hate',
      details: 'Every day.',
    });
    expect(await reportId(await anAnonymous(opine), things, targets[things])).not.toBe(first.reportId);
  });

  test('the same reporter at once has one report', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => ask(maya)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map(({ data }) => data.reportId)).size).toBe(1);
  });

  test.each(REASONS)('%s is a reason, with or without details', async (reason) => {
    const { reportId: bare } = await granted(ask(maya, { reason }));
    expect(await stored(bare)).toMatchObject({ reason, details: null });
    const details = '👍'.repeat(1000);
    const { reportId: detailed } = await granted(ask(await anAnonymous(opine), { reason, details }));
    expect(await stored(detailed)).toMatchObject({ reason, details });
  });

  test.each([
    { reason: undefined },
    { reason: null },
    { reason: '' },
    { reason: 'Spam' },
    { reason: 'boring' },
    { reason: 7 },
    { reason: ['spam'] },
    { details: '👍'.repeat(1001) },
    { details: 7 },
    { details: ['Why.'] },
    { details: 'No\u0000t' },
    { details: 'half \ud83d' },
    { state: 'open' },
    { reporterId: NOBODY.id },
  ])('no report is made of %j', async (fields) => {
    expect(await ask(maya, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test('a report is sent again with its key, and with no other body', async () => {
    const send = (details: string) =>
      maya.post(
        `/reports/${things}/${targets[things].id}`,
        { reason: 'spam', details },
        { headers: { 'idempotency-key': 'a-key' } },
      );
    const [first, again] = [await send('Look.'), await send('Look.')];
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await send('Other.')).toMatchObject(refusal(409, 'IDEMPOTENCY_KEY_CONFLICT'));
    expect((await stored(first.data.reportId)).details).toBe('Look.');
  });

  test('none is of what is not there', async () => {
    for (const id of [NOBODY.id, ...NO_IDS]) {
      expect(await requestReport(maya, things, { id })).toMatchObject(NOT_FOUND[things]);
    }
    for (const other of ALL_THINGS.filter((each) => each !== things)) {
      expect(await requestReport(maya, things, targets[other])).toMatchObject(NOT_FOUND[things]);
    }
  });

  test('nobody is notified, and nothing changes for who is reported', async () => {
    const look = async () => [await profileSeenBy(maya, amara), await seenBy(maya, targets.posts)];
    const before = await look();
    expect(await eventsOf(opine, () => granted(ask(maya)))).toEqual([]);
    expect(await look()).toEqual(before);
  });

  test('nobody reads a report', async () => {
    const id = await reportId(maya, things, targets[things]);
    for (const viewer of [maya, amara]) {
      for (const path of [`/reports/${things}/${targets[things].id}`, `/reports/${things}/${id}`]) {
        const reply = await viewer.get(path);
        expect(reply).toMatchObject(refusal(405, 'METHOD_NOT_ALLOWED'));
        expect(reply.headers.get('allow')).toBe('POST');
      }
    }
  });
});

test('a report of somebody is none of what they publish', async () => {
  const ids = await Promise.all(ALL_THINGS.map((things) => reportId(maya, things, targets[things])));
  expect(new Set(ids).size).toBe(4);
});

test('no operation of people reads reports', async () => {
  const { paths } = await readDocument(opine.url);
  const about = Object.entries<Json>(paths).filter(([path]) => path.startsWith('/reports'));
  expect(about.flatMap(([, operations]) => Object.keys(operations))).toEqual(Array(5).fill('post'));
});

test('who has reported may leave, and so may who is reported, with all that is', async () => {
  for (const things of ALL_THINGS) await reportId(maya, things, targets[things]);
  await reportId(amara, 'users', await aRegistered(opine));
  for (const person of [maya, amara]) {
    await granted(person.delete('/users/me'));
    await untilGone(opine, person.id);
  }
});
