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
import { aHubWithDiscussion, type HubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { readDocument } from '../support/document.ts';
import { block, profileSeenBy } from '../support/graph.ts';
import { aHub, aMessage, eventsDuring, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
  type UserRef,
} from '../support/people.ts';
import { aComment, aThought, seenBy } from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';
import { NOT_FOUND, REPORTABLES, type Reportable, requestReport } from '../support/reports.ts';

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

const INVALID_FIELDS = [
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

  test('guests cannot report', async () => {
    for (const guest of [aGuest(opine), clientOf(opine.url, 'no.good.token')]) {
      expect(await report(guest)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });

  test('concurrent reports of the same reporter create one report', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => report(maya)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map(({ data }) => data.reportId)).size).toBe(1);
  });

  test('every reason is accepted with and without details', async () => {
    for (const reason of REASONS)
      for (const details of [null, '👍'.repeat(1000)]) {
        const reporter = await anonymousPerson(opine);
        const { status, data } = await report(reporter, { reason, ...(details !== null && { details }) });
        expect([reason, status, data.state]).toEqual([reason, 201, 'open']);
        const target = { reporterId: reporter.id, targetId: targets[things].id };
        expect(await stored(data.reportId)).toEqual({ ...target, reason, details });
      }
  });

  test('every invalid body is refused with 422', async () => {
    const accepted: object[] = [];
    for (const fields of INVALID_FIELDS)
      if ((await report(maya, fields)).status !== 422) accepted.push(fields);
    expect(accepted).toEqual([]);
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

test('the API has no operation that reads reports', async () => {
  const { paths } = await readDocument(opine.url);
  const about = Object.entries<Json>(paths).filter(([path]) => path.startsWith('/reports'));
  expect(about.flatMap(([, operations]) => Object.keys(operations))).toEqual(Array(5).fill('post'));
});

describe('a report of hidden content', () => {
  test('a blocked reporter cannot report the blocker, their posts or comments, but can report their Hub', async () => {
    const blocked = await registeredPerson(opine);
    await block(amara, blocked);
    for (const things of ['users', 'posts', 'comments'] as const) {
      expect(await requestReport(blocked, things, targets[things])).toMatchObject(NOT_FOUND[things]);
    }
    expect((await requestReport(blocked, 'hubs', targets.hubs)).status).toBe(201);
  });

  test('a blocker can report the blocked user, but not their posts or comments', async () => {
    await block(maya, amara);
    expect((await requestReport(maya, 'users', amara)).status).toBe(201);
    for (const things of ['posts', 'comments'] as const) {
      expect(await requestReport(maya, things, targets[things])).toMatchObject(NOT_FOUND[things]);
    }
  });

  test.each(REPORTABLES)(
    'a report of %s that a concurrent transaction hides or deletes returns 404',
    async (things) => {
      const { id } = targets[things];
      const changes = {
        users: sql`insert into app.blocks (blocker_id, blocked_id) values (${id}, ${maya.id})`,
        posts: sql`delete from app.posts where id = ${id}`,
        hubs: sql`delete from app.hubs where id = ${id}`,
        comments: sql`delete from app.comments where id = ${id}`,
      };
      const late = await duringTransaction(
        opine,
        () => requestReport(maya, things, { id }),
        async (holder) => {
          await sql`lock table app.reports in share mode`.execute(holder);
          await changes[things].execute(holder);
        },
      );
      expect(late).toMatchObject(NOT_FOUND[things]);
    },
  );
});

describe('POST /reports/messages/{messageId}', () => {
  const MESSAGE_NOT_FOUND = refusal(404, 'MESSAGE_NOT_FOUND');
  /** Amara and Jonas are members of a Hub; Jonas writes the message in a discussion of a post by Amara. */
  let circle: HubOfTwo;
  let message: Json;

  beforeEach(async () => {
    const { discussion, ...rest } = await aHubWithDiscussion(opine);
    circle = rest;
    message = await aMessage(circle.jonas, discussion);
  });

  const report = (reporter: Client, { id }: Pick<Json, 'id'> = message, fields: object = {}) =>
    requestReport(reporter, 'messages', { id }, fields);

  /** Returns the stored reports of the message, with the number of other targets. */
  async function storedOfMessage(): Promise<Json[]> {
    const { rows } = await sql<Json>`
    select reporter_id as "reporterId", reason::text as reason, details, num_nonnulls(user_id, post_id, hub_id, comment_id) as others
    from app.reports where message_id = ${message.id}`.execute(opine.database.superuser);
    return rows;
  }

  test('a member has one open report per message, and the report sends no notification', async () => {
    const { amara, jonas } = circle;
    const first = await expectOk(report(jonas, message, { reason: 'hate', details: 'Every day.' }));
    expect(first).toEqual({ reportId: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'open' });
    expect(await eventsDuring(opine, () => expectOk(report(jonas)))).toEqual([]);
    const replies = await Promise.all([report(jonas), report(jonas), report(jonas)]);
    for (const { status, data } of replies) expect([status, data]).toEqual([201, first]);
    expect(await storedOfMessage()).toEqual([
      { reporterId: jonas.id, reason: 'hate', details: 'Every day.', others: 0 },
    ]);
    expect((await expectOk(report(amara))).reportId).not.toBe(first.reportId);
  });

  test('a member of a blocked pair can report the message of the other', async () => {
    await block(circle.amara, circle.jonas);
    expect((await report(circle.jonas)).status).toBe(201);
  });

  test('guests and non-members cannot report a message', async () => {
    expect(await report(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const nonMembers = await nonMembersOf(opine, circle.amara, circle.hub);
    for (const nonMember of [...nonMembers.values(), await anonymousPerson(opine)]) {
      expect(await report(nonMember)).toMatchObject(MESSAGE_NOT_FOUND);
    }
    expect(await storedOfMessage()).toEqual([]);
  });

  test('a former member cannot report a message again while their report is open', async () => {
    const { jonas, hub } = circle;
    await expectOk(report(jonas));
    await expectOk(requestLeave(jonas, hub));
    expect(await report(jonas)).toMatchObject(MESSAGE_NOT_FOUND);
  });

  test('a report of an unknown id, of another resource or of a message under deletion returns 404', async () => {
    const { jonas, hub, amara } = circle;
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS, hub.id, amara.id]) {
      expect(await report(jonas, { id })).toMatchObject(MESSAGE_NOT_FOUND);
    }
    const late = await duringTransaction(
      opine,
      () => report(jonas),
      async (holder) => {
        await sql`lock table app.reports in share mode`.execute(holder);
        await sql`delete from app.messages where id = ${message.id}`.execute(holder);
      },
    );
    expect(late).toMatchObject(MESSAGE_NOT_FOUND);
  });

  test('the report of a message outlives the message', async () => {
    await expectOk(report(circle.jonas));
    await sql`delete from app.messages where id = ${message.id}`.execute(opine.database.superuser);
    expect(await storedOfMessage()).toHaveLength(1);
  });
});
