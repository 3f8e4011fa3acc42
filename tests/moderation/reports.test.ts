import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Client,
  clientOf,
  expectOk,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
} from '../support/client.ts';
import { readDocument } from '../support/document.ts';
import { profileSeenBy } from '../support/graph.ts';
import { aHub, eventsDuring } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  hubReadyPerson,
  type Person,
  personOfLevel,
  registeredPerson,
  type UserRef,
} from '../support/people.ts';
import { aComment, aThought, seenBy } from '../support/posts.ts';
import { NOT_FOUND, REPORTABLES, type Reportable, requestReport } from '../support/reports.ts';
import { waitUntilDeleted } from '../support/worker.ts';

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
/** The author of the reported post and the founder of the reported Hub. */
let amara: Person;
/** The reporter. */
let maya: Person;
let targets: Readonly<Record<Reportable, UserRef>>;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, maya] = [await hubReadyPerson(opine, 'Amara'), await anonymousPerson(opine)];
  const post = await aThought(amara);
  targets = { users: amara, posts: post, hubs: await aHub(amara), comments: await aComment(amara, post) };
});

const reportId = async (reporter: Client, things: Reportable, target: UserRef): Promise<string> =>
  (await expectOk(requestReport(reporter, things, target))).reportId;

/** Returns a stored report by its id. */
async function stored(id: string): Promise<Json> {
  const { rows } = await sql<Json>`
    select reporter_id as "reporterId", coalesce(user_id, post_id, hub_id, comment_id) as "targetId", reason::text as reason, details
    from app.reports where id = ${id}`.execute(opine.database.superuser);
  return rows[0];
}

describe.each(REPORTABLES)('a report of %s', (things) => {
  const report = (reporter: Client, fields: object = {}) =>
    requestReport(reporter, things, targets[things], fields);

  test('users of every level can report', async () => {
    const ids = new Set<string>();
    for (const level of [1, 2, 3, 4]) {
      const { status, data } = await report(await personOfLevel(level, opine));
      expect([status, data]).toEqual([
        201,
        { reportId: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'open' },
      ]);
      ids.add(data.reportId);
    }
    expect(ids.size).toBe(4);
  });

  test('guests cannot report', async () => {
    for (const guest of [aGuest(opine), clientOf(opine.url, 'no.good.token')]) {
      expect(await report(guest)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });

  test('a second report of the same reporter returns the unchanged first one', async () => {
    const first = await expectOk(report(maya, { reason: 'hate', details: 'Every day.' }));
    for (const fields of [{}, { reason: 'other', details: 'Again.' }]) {
      const { status, data } = await report(maya, fields);
      expect([status, data]).toEqual([201, first]);
    }
    expect(await stored(first.reportId)).toEqual({
      reporterId: maya.id,
      targetId: targets[things].id,
      reason: 'hate',
      details: 'Every day.',
    });
    expect(await reportId(await anonymousPerson(opine), things, targets[things])).not.toBe(first.reportId);
  });

  test('concurrent reports of the same reporter create one report', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => report(maya)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map(({ data }) => data.reportId)).size).toBe(1);
  });

  test.each(REASONS)('the reason %s is accepted with and without details', async (reason) => {
    const { reportId: bare } = await expectOk(report(maya, { reason }));
    expect(await stored(bare)).toMatchObject({ reason, details: null });
    const details = '👍'.repeat(1000);
    const { reportId: detailed } = await expectOk(report(await anonymousPerson(opine), { reason, details }));
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
    { reporterId: NONEXISTENT.id },
  ])('the body %j is refused with 422', async (fields) => {
    expect(await report(maya, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test('an Idempotency-Key replays the report and refuses another body', async () => {
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

  test('a report of an unknown id or of another kind returns 404', async () => {
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await requestReport(maya, things, { id })).toMatchObject(NOT_FOUND[things]);
    }
    for (const other of REPORTABLES.filter((each) => each !== things)) {
      expect(await requestReport(maya, things, targets[other])).toMatchObject(NOT_FOUND[things]);
    }
  });

  test('a report sends no notification and leaves profile and post unchanged', async () => {
    const look = async () => [await profileSeenBy(maya, amara), await seenBy(maya, targets.posts)];
    const before = await look();
    expect(await eventsDuring(opine, () => expectOk(report(maya)))).toEqual([]);
    expect(await look()).toEqual(before);
  });

  test('reporter and reported user cannot read the report', async () => {
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

test('reports of a user, their post, Hub and comment are four reports', async () => {
  const ids = await Promise.all(REPORTABLES.map((things) => reportId(maya, things, targets[things])));
  expect(new Set(ids).size).toBe(4);
});

test('the API has no operation that reads reports', async () => {
  const { paths } = await readDocument(opine.url);
  const about = Object.entries<Json>(paths).filter(([path]) => path.startsWith('/reports'));
  expect(about.flatMap(([, operations]) => Object.keys(operations))).toEqual(Array(5).fill('post'));
});

test('reporters and reported users can delete their accounts', async () => {
  for (const things of REPORTABLES) await reportId(maya, things, targets[things]);
  await reportId(amara, 'users', await registeredPerson(opine));
  for (const person of [maya, amara]) {
    await expectOk(person.delete('/users/me'));
    await waitUntilDeleted(opine, person.id);
  }
});
