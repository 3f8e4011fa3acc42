import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aDiscussingCircle, type Circle, nonMembersOf } from '../support/discussions.ts';
import { requestReport } from '../support/frames.ts';
import { amid, block, granted, NO_IDS, NOBODY } from '../support/graph.ts';
import { eventsOf } from '../support/hub-worlds.ts';
import { aMessage, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anAnonymous } from '../support/people.ts';

const NOT_FOUND = refusal(404, 'MESSAGE_NOT_FOUND');

let opine: Opine;
/** Amara and Jonas are members of a Hub; Jonas writes the message in a discussion of a post by Amara. */
let circle: Circle;
let message: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  const { discussion, ...rest } = await aDiscussingCircle(opine);
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
    const first = await granted(report(jonas, message, { reason: 'hate', details: 'Every day.' }));
    expect(first).toEqual({ reportId: expect.stringMatching(/^[0-9a-f-]{36}$/), state: 'open' });
    expect(await eventsOf(opine, () => granted(report(jonas)))).toEqual([]);
    const replies = await Promise.all([report(jonas), report(jonas), report(jonas)]);
    for (const { status, data } of replies) expect([status, data]).toEqual([201, first]);
    expect(await stored()).toEqual([
      { reporterId: jonas.id, reason: 'hate', details: 'Every day.', others: 0 },
    ]);
    expect((await granted(report(amara))).reportId).not.toBe(first.reportId);
  });

  test('a member of a blocked pair can report the message of the other', async () => {
    await block(circle.amara, circle.jonas);
    expect((await report(circle.jonas)).status).toBe(201);
  });

  test('a message of a deleted account can be reported', async () => {
    const { amara, jonas } = circle;
    await granted(jonas.delete('/users/me'));
    await untilGone(opine, jonas.id);
    expect((await report(amara)).status).toBe(201);
  });
});

describe('a refused report of a message', () => {
  test('guests and non-members cannot report a message', async () => {
    expect(await report(aGuest(opine))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    const nonMembers = await nonMembersOf(opine, circle.amara, circle.hub);
    for (const nonMember of [...nonMembers.values(), await anAnonymous(opine)]) {
      expect(await report(nonMember)).toMatchObject(NOT_FOUND);
    }
    expect(await stored()).toEqual([]);
  });

  test('a former member cannot report a message again while their report is open', async () => {
    const { jonas, hub } = circle;
    await granted(report(jonas));
    await granted(requestLeave(jonas, hub));
    expect(await report(jonas)).toMatchObject(NOT_FOUND);
  });

  test('a report of an unknown id, of another resource or of a message under deletion returns 404', async () => {
    const { jonas, hub, amara } = circle;
    for (const id of [NOBODY.id, ...NO_IDS, hub.id, amara.id]) {
      expect(await report(jonas, { id })).toMatchObject(NOT_FOUND);
    }
    const late = await amid(
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
  await granted(report(circle.jonas));
  await sql`delete from app.messages where id = ${message.id}`.execute(opine.database.superuser);
  expect(await stored()).toHaveLength(1);
});
