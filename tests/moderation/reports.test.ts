import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubWithDiscussion, type HubOfTwo } from '../support/discussions.ts';
import { readDocument } from '../support/document.ts';
import { block, profileSeenBy } from '../support/graph.ts';
import { aHub, aMemberOf, aMessage, eventsDuring } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { anonymousPerson, hubReadyPerson, type Person, type UserRef } from '../support/people.ts';
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

  // docs/product.md S8
  test('concurrent reports of the same reporter create one report', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => report(maya)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(replies.map(({ data }) => data.reportId)).size).toBe(1);
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

  // docs/product.md S8
  test('a report sends no notification and leaves profile and post unchanged', async () => {
    const look = async () => [await profileSeenBy(maya, amara), await seenBy(maya, targets.posts)];
    const before = await look();
    expect(await eventsDuring(opine, () => expectOk(report(maya)))).toEqual([]);
    expect(await look()).toEqual(before);
  });

  test('the reported user cannot read the report, and its reporter reads it in their list alone', async () => {
    const id = await reportId(maya, things, targets[things]);
    for (const viewer of [maya, amara]) {
      for (const path of [`/reports/${things}/${targets[things].id}`, `/reports/${things}/${id}`]) {
        const reply = await viewer.get(path);
        expect(reply).toMatchObject(refusal(405, 'METHOD_NOT_ALLOWED'));
        expect(reply.headers.get('allow')).toBe('POST');
      }
    }
    const listFor = async (viewer: Client) =>
      (await expectOk(viewer.get('/users/me/reports'))).items.map((item: Json) => item.reportId);
    expect([await listFor(maya), await listFor(amara)]).toEqual([[id], []]);
  });
});

// docs/product.md S7
test('every reason is accepted, with and without details', async () => {
  for (const reason of REASONS)
    for (const details of [null, '👍'.repeat(1000)]) {
      const reporter = await anonymousPerson(opine);
      const fields = { reason, ...(details !== null && { details }) };
      const { data } = await requestReport(reporter, 'users', amara, fields);
      const target = { reporterId: reporter.id, targetId: amara.id };
      expect([data.state, await stored(data.reportId)]).toEqual(['open', { ...target, reason, details }]);
    }
});

test('the API has no operation that reads reports by their target', async () => {
  const { paths } = await readDocument(opine.url);
  const about = Object.entries<Json>(paths).filter(([path]) => path.startsWith('/reports'));
  expect(about.flatMap(([, operations]) => Object.keys(operations))).toEqual(Array(5).fill('post'));
});

// docs/product.md S8
describe('a report across a block', () => {
  test.each([...REPORTABLES.filter((things) => things !== 'hubs')])(
    'both people of a blocked pair can report %s of the other',
    async (things) => {
      const jonas = await hubReadyPerson(opine, 'Jonas');
      await block(amara, jonas);
      const post = await aThought(jonas);
      const his = { users: jonas, posts: post, comments: await aComment(jonas, post) };
      expect((await requestReport(jonas, things, targets[things])).status).toBe(201);
      expect((await requestReport(amara, things, his[things])).status).toBe(201);
    },
  );

  test('everybody can report a comment that a block hides', async () => {
    const jonas = await hubReadyPerson(opine, 'Jonas');
    const comment = await aComment(jonas, targets.posts);
    await block(amara, jonas);
    for (const reporter of [amara, maya])
      expect((await requestReport(reporter, 'comments', comment)).status).toBe(201);
  });
});

// docs/product.md S8
test.each(REPORTABLES.filter((things) => things !== 'hubs'))(
  'a report of oneself or of own %s is 422',
  async (things) => {
    expect(await requestReport(amara, things, targets[things])).toMatchObject(
      refusal(422, 'VALIDATION_FAILED'),
    );
  },
);

// docs/product.md S8
describe('a report of hidden content', () => {
  test.each(REPORTABLES)(
    'a report of %s that a concurrent transaction hides or deletes returns 404',
    async (things) => {
      const { id } = targets[things];
      const changes = {
        users: sql`insert into app.suspensions (user_id) values (${id})`,
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
  /** Amara and Jonas are members of a Hub; Amara writes the message in a discussion of her post. */
  let circle: HubOfTwo;
  let message: Json;

  beforeEach(async () => {
    const { discussion, ...rest } = await aHubWithDiscussion(opine);
    circle = rest;
    message = await aMessage(circle.amara, discussion);
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
    const noor = await aMemberOf(opine, amara, circle.hub);
    expect((await expectOk(report(noor))).reportId).not.toBe(first.reportId);
  });

  test('a member of a blocked pair can report the message of the other', async () => {
    await block(circle.amara, circle.jonas);
    expect((await report(circle.jonas)).status).toBe(201);
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

  // docs/product.md S8
  test('the report of a message outlives the message', async () => {
    await expectOk(report(circle.jonas));
    await sql`delete from app.messages where id = ${message.id}`.execute(opine.database.superuser);
    expect(await storedOfMessage()).toHaveLength(1);
  });
});
