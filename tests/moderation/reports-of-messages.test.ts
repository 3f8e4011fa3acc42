import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import { aHubWithDiscussion, type HubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { block } from '../support/graph.ts';
import { aMessage, eventsDuring, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson } from '../support/people.ts';
import { duringTransaction } from '../support/races.ts';
import { requestReport } from '../support/reports.ts';
import { waitUntilDeleted } from '../support/worker.ts';

const NOT_FOUND = refusal(404, 'MESSAGE_NOT_FOUND');

let opine: Opine;
/** Amara and Jonas are members of a Hub; Jonas writes the message in a discussion of a post by Amara. */
let circle: HubOfTwo;
let message: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  const { discussion, ...rest } = await aHubWithDiscussion(opine);
  circle = rest;
  message = await aMessage(circle.jonas, discussion);
});

const report = (reporter: Client, { id }: Pick<Json, 'id'> = message, fields: object = {}) =>
  requestReport(reporter, 'messages', { id }, fields);

/** Returns the stored reports of the message, with the number of other targets. */
async function stored(): Promise<Json[]> {
  const { rows } = await sql<Json>`
    select reporter_id as "reporterId", reason::text as reason, details, num_nonnulls(user_id, post_id, hub_id, comment_id) as others
    from app.reports where message_id = ${message.id}`.execute(opine.database.superuser);
  return rows;
}

describe('POST /reports/messages/{messageId}', () => {
  test('a member has one open report per message, and the report sends no notification', async () => {
    const { amara, jonas } = circle;
    const first = await expectOk(report(jonas, message, { reason: 'hate', details: 'Every day.' }));
    expect(first).toEqual({ reportId: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'open' });
    expect(await eventsDuring(opine, () => expectOk(report(jonas)))).toEqual([]);
    const replies = await Promise.all([report(jonas), report(jonas), report(jonas)]);
    for (const { status, data } of replies) expect([status, data]).toEqual([201, first]);
    expect(await stored()).toEqual([
      { reporterId: jonas.id, reason: 'hate', details: 'Every day.', others: 0 },
    ]);
    expect((await expectOk(report(amara))).reportId).not.toBe(first.reportId);
  });

  test('a member of a blocked pair can report the message of the other', async () => {
    await block(circle.amara, circle.jonas);
    expect((await report(circle.jonas)).status).toBe(201);
  });

  test('a message of a deleted account can be reported', async () => {
    const { amara, jonas } = circle;
    await expectOk(jonas.delete('/users/me'));
    await waitUntilDeleted(opine, jonas.id);
    expect((await report(amara)).status).toBe(201);
  });
});

describe('a refused report of a message', () => {
  test('guests and non-members cannot report a message', async () => {
    expect(await report(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const nonMembers = await nonMembersOf(opine, circle.amara, circle.hub);
    for (const nonMember of [...nonMembers.values(), await anonymousPerson(opine)]) {
      expect(await report(nonMember)).toMatchObject(NOT_FOUND);
    }
    expect(await stored()).toEqual([]);
  });

  test('a former member cannot report a message again while their report is open', async () => {
    const { jonas, hub } = circle;
    await expectOk(report(jonas));
    await expectOk(requestLeave(jonas, hub));
    expect(await report(jonas)).toMatchObject(NOT_FOUND);
  });

  test('a report of an unknown id, of another resource or of a message under deletion returns 404', async () => {
    const { jonas, hub, amara } = circle;
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS, hub.id, amara.id]) {
      expect(await report(jonas, { id })).toMatchObject(NOT_FOUND);
    }
    const late = await duringTransaction(
      opine,
      () => report(jonas),
      async (holder) => {
        await sql`lock table app.reports in share mode`.execute(holder);
        await sql`delete from app.messages where id = ${message.id}`.execute(holder);
      },
    );
    expect(late).toMatchObject(NOT_FOUND);
  });
});

test('the report of a message outlives the message', async () => {
  await expectOk(report(circle.jonas));
  await sql`delete from app.messages where id = ${message.id}`.execute(opine.database.superuser);
  expect(await stored()).toHaveLength(1);
});
