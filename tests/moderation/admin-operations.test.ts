import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { aHub, aHubPost, aMemberOf, discussionOf, hubSeenBy } from '../support/hubs.ts';
import { type OpineWithIdp, startOpineWithIdp } from '../support/id-tokens.ts';
import { aGuest, confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';
import { aDeadLetter, aReport, aStaffMember, type StaffMember, type StaffRole } from '../support/staff.ts';

type Route = (typeof ROUTES)[number];

const ROLES = ['support', 'moderator', 'admin'] as const;
const UNKNOWN_ID = '01900000-0000-7000-8000-00000000dead';

/** The lowest role that may call each operation. */
const NEEDED: Readonly<Record<string, StaffRole>> = {
  get_staff_session: 'support',
  find_accounts: 'support',
  get_staff_health: 'support',
  get_staff_numbers: 'support',
  unmask_phone: 'support',
  list_default_feed_users: 'support',
  list_reports: 'moderator',
  list_closed_reports: 'moderator',
  claim_report: 'moderator',
  release_report: 'moderator',
  dismiss_report: 'moderator',
  remove_content: 'moderator',
  why_visible: 'moderator',
  suspend_user: 'moderator',
  restore_user: 'moderator',
  suspend_hub: 'moderator',
  restore_hub: 'moderator',
  view_reported_media: 'moderator',
  list_appeals: 'moderator',
  decide_appeal: 'moderator',
  get_account_history: 'moderator',
  list_blocked_terms: 'moderator',
  add_blocked_term: 'moderator',
  remove_blocked_term: 'moderator',
  add_default_feed_user: 'admin',
  remove_default_feed_user: 'admin',
  list_staff: 'admin',
  admit_staff: 'admin',
  dismiss_staff: 'admin',
  list_audit_log: 'admin',
  list_dead_letters: 'admin',
  requeue_dead_letter: 'admin',
};

let opine: OpineWithIdp;
let staff: Record<StaffRole, StaffMember>;
let nina: StaffMember;
let otto: StaffMember;
let maya: Person;
let jonas: Person;

beforeAll(async () => {
  opine = await startOpineWithIdp();
  staff = {
    support: await aStaffMember(opine, 'support'),
    moderator: await aStaffMember(opine, 'moderator'),
    admin: await aStaffMember(opine, 'admin'),
  };
  nina = staff.moderator;
  otto = await aStaffMember(opine, 'moderator', 'otto');
  maya = await confirmedPerson(opine, 'Maya');
  jonas = await confirmedPerson(opine, 'Jonas');
});

afterAll(() => opine.stop());

const BECAUSE = { reason: 'It sells pills.' };
const STATEMENT = { reason: 'spam', statement: 'It sells pills.' };
const forStaff = ROUTES.filter(({ auth, id }) => auth === 'staff' && id !== 'end_staff_session');

/** Calls an operation on a missing resource as a staff member, or as a guest if `member` is null. */
function callAs(member: StaffMember | null, { method, path, example }: Route) {
  const address = path.replaceAll(/\{\w+\}/g, UNKNOWN_ID);
  const caller = member ?? aGuest(opine);
  return method === 'get' ? caller.get(address) : caller.post(address, example.body);
}

/** Returns the item of the report queue about `id`. */
async function queued(id: string): Promise<Json | undefined> {
  const { data } = await nina.get('/admin/reports?limit=100');
  return data.items.find(({ target }: Json) => target.id === id);
}

const onReport = (member: StaffMember, reportId: string, act: string, body?: object) =>
  member.post(`/admin/reports/${reportId}/${act}`, body);

async function aReportedPost(text?: string): Promise<{ post: Json; reportId: string }> {
  const post = await aSlider(maya, text === undefined ? {} : { sliderText: text });
  return { post, reportId: await aReport(jonas, 'posts', post) };
}

describe('staff roles', () => {
  test('every staff operation has a role', () => {
    expect(forStaff.map(({ id }) => id).sort()).toEqual(Object.keys(NEEDED).sort());
  });

  // docs/product.md S4
  test.for(forStaff)(
    '$id accepts its role and higher roles, and refuses lower roles and guests',
    async (route) => {
      const needed = NEEDED[route.id] ?? 'admin';
      for (const role of ROLES) {
        const { status } = await callAs(staff[role], route);
        const may = ROLES.indexOf(role) >= ROLES.indexOf(needed);
        expect([role, may ? [200, 404] : [403]]).toEqual([role, expect.arrayContaining([status])]);
      }
      expect(await callAs(null, route)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    },
  );

  test('a changed role takes effect on the next request', async () => {
    const lea = await aStaffMember(opine, 'moderator', 'lea');
    expect((await lea.get('/admin/reports')).status).toBe(200);
    await sql`update staff.allowed_emails set role = 'support' where email = ${lea.email}`.execute(
      opine.database.superuser,
    );
    expect(await lea.get('/admin/reports')).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect((await lea.get('/admin/auth/session')).data.role).toBe('support');
  });

  // docs/product.md S3
  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
  ])('a cross-site request is refused even with the cookie: %j', async (headers) => {
    const { reportId } = await aReportedPost();
    const claim = `/admin/reports/${reportId}/claim`;
    expect(await nina.post(claim, undefined, headers)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(await nina.post(claim, undefined, { origin: opine.url })).toMatchObject({ status: 200 });
  });
});

describe('the queue of reports', () => {
  // docs/product.md S9
  test('two reports of a post are one item with its text and both reasons', async () => {
    const post = await aSlider(maya, { sliderText: 'Pills?' });
    const reportId = await aReport(jonas, 'posts', post);
    await aReport(await confirmedPerson(opine), 'posts', post, 'hate');
    expect(await queued(post.id)).toMatchObject({
      reportId,
      target: { kind: 'post', id: post.id, name: maya.username },
      authorId: maya.id,
      content: 'Pills?',
      reportCount: 2,
      reasons: ['spam', 'hate'],
      claimedBy: null,
    });
  });

  test('the pages list every report, oldest first', async () => {
    for (let count = 0; count < 3; count += 1) await aReportedPost();
    const all = (await nina.get('/admin/reports?limit=100')).data.items.map(({ reportId }: Json) => reportId);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor && `&cursor=${cursor}`;
      const { data } = await nina.get(`/admin/reports?limit=2${query}`);
      seen.push(...data.items.map(({ reportId }: Json) => reportId));
      cursor = data.nextCursor;
    }
    expect(seen).toEqual(all);
    expect(seen.length).toBeGreaterThan(2);
    expect([...seen].sort()).toEqual(seen);
  });

  test('an empty cursor is none', async () => {
    const [empty, none] = await Promise.all([nina.get('/admin/reports?cursor='), nina.get('/admin/reports')]);
    expect([empty.status, empty.data]).toEqual([200, none.data]);
  });

  test.each(['cursor=x', 'limit=0', 'limit=101'])('the query %s is refused with 422', async (query) => {
    expect(await nina.get(`/admin/reports?${query}`)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });
});

describe('a report', () => {
  // docs/product.md S9
  test('one of two concurrent claims succeeds, and the other moderator gets 409 until the report is released', async () => {
    const { post, reportId } = await aReportedPost();
    const [one, other] = await Promise.all([
      onReport(nina, reportId, 'claim'),
      onReport(otto, reportId, 'claim'),
    ]);
    expect([one.status, other.status].sort()).toEqual([200, 409]);
    const [holder, late] = one.status === 200 ? [nina, otto] : [otto, nina];
    expect((await queued(post.id))?.claimedBy).toBe(holder.email);
    for (const act of ['claim', 'release']) {
      expect(await onReport(late, reportId, act)).toMatchObject(refusal(409, 'REPORT_CLAIMED'));
    }
    for (const [act, body] of [['dismiss', BECAUSE] as const, ['remove', STATEMENT] as const]) {
      expect(await onReport(late, reportId, act, body)).toMatchObject(refusal(409, 'REPORT_CLAIMED'));
    }
    expect((await onReport(holder, reportId, 'release')).status).toBe(200);
    expect((await onReport(late, reportId, 'dismiss', BECAUSE)).status).toBe(200);
  });

  test('one of two concurrent decisions succeeds', async () => {
    const { post, reportId } = await aReportedPost();
    const replies = await Promise.all([
      onReport(nina, reportId, 'remove', STATEMENT),
      onReport(otto, reportId, 'dismiss', BECAUSE),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await queued(post.id)).toBeUndefined();
  });

  test('a concurrent suspension of the reported user closes the report', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const reportId = await aReport(jonas, 'users', lena);
    const dismisses = () => onReport(nina, reportId, 'dismiss', BECAUSE);
    const reply = await duringTransaction(opine, dismisses, async (holder) => {
      await sql`select staff.suspend_user(${lena.id}, 'spam', 'a test')`.execute(holder);
    });
    expect(reply).toMatchObject(refusal(404, 'REPORT_NOT_FOUND'));
  });

  // docs/product.md S6, S10
  test('removing the content closes the report and records the actor, the reason and the statement in the audit log', async () => {
    const { post, reportId } = await aReportedPost();
    expect((await onReport(nina, reportId, 'remove', STATEMENT)).status).toBe(200);
    expect(await jonas.get(`/posts/${post.id}`)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    const { rows } = await sql<Json>`
      select actor_email, details from staff.audit_log
      where action = 'remove_content' and details ->> 'targetId' = ${post.id}`.execute(
      opine.database.superuser,
    );
    expect(rows).toMatchObject([{ actor_email: nina.email, details: STATEMENT }]);
  });

  // docs/product.md S6
  test('a removal needs a known reason and a statement, and a dismissal a reason', async () => {
    const { reportId } = await aReportedPost();
    const { reason, statement } = STATEMENT;
    const tooLong = 'x'.repeat(2001);
    for (const body of [{}, { reason }, { statement }, BECAUSE, { reason: 'pills', statement }]) {
      expect(await onReport(nina, reportId, 'remove', body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    for (const wrong of [' ', tooLong]) {
      const body = { reason, statement: wrong };
      expect(await onReport(nina, reportId, 'remove', body)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }]) {
      expect(await onReport(nina, reportId, 'dismiss', body)).toMatchObject(
        refusal(422, 'VALIDATION_FAILED'),
      );
    }
  });

  // docs/product.md S10
  test('a removal is refused for a report of a user', async () => {
    const ofPerson = await aReport(jonas, 'users', await confirmedPerson(opine));
    expect(await onReport(nina, ofPerson, 'remove', STATEMENT)).toMatchObject(
      refusal(409, 'REPORT_NOT_OF_CONTENT'),
    );
  });
});

// docs/product.md S9
test('closed reports are listed with their outcome, newest first, and open ones are not', async () => {
  const [removed, dismissed, open] = [
    await aReportedPost('Removed.'),
    await aReportedPost('Dismissed.'),
    await aReportedPost('Open.'),
  ];
  await expectOk(onReport(nina, removed.reportId, 'remove', STATEMENT));
  await expectOk(onReport(nina, dismissed.reportId, 'dismiss', BECAUSE));
  const { items } = await expectOk(nina.get('/admin/closed-reports?limit=2'));
  const closed = { reason: 'spam', details: null, authorId: maya.id, closedAt: expect.any(String) };
  expect(items).toMatchObject([
    { ...closed, reportId: dismissed.reportId, content: 'Dismissed.', state: 'dismissed' },
    { ...closed, reportId: removed.reportId, content: 'Removed.', state: 'actioned' },
  ]);
  const { data } = await nina.get('/admin/closed-reports?limit=100');
  expect(data.items.map(({ reportId }: Json) => reportId)).not.toContain(open.reportId);
});

describe('an account', () => {
  // docs/product.md S5
  test('staff find an account by id, username or complete phone, and see the phone masked', async () => {
    const { phoneNumber, username, id } = maya;
    const pasted = phoneNumber.replace(/^\+1(\d{3})/, '\u202atel:＋1 ($1)\u00a0');
    for (const q of [id, username, `@${username}`, phoneNumber, pasted]) {
      const { data } = await staff.support.post('/admin/accounts/find', { q });
      expect(data.items).toMatchObject([{ userId: id, username, endedAt: null, suspendedAt: null }]);
      expect(JSON.stringify(data)).not.toContain(phoneNumber.slice(3, -2));
    }
    const { data } = await staff.support.post('/admin/accounts/find', { q: phoneNumber.slice(2) });
    expect(data.items).toEqual([]);
  });

  // docs/product.md S5, S6
  test('unmasking a phone needs a reason and is recorded in the audit log', async () => {
    const unmask = `/admin/users/${maya.id}/unmask`;
    expect(await staff.support.post(unmask, { reason: ' ' })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED'),
    );
    const { data } = await staff.support.post(unmask, { reason: 'She has called.' });
    expect(data).toEqual({ phoneNumber: maya.phoneNumber });
    const { rows } = await sql<Json>`
      select actor_email, details from staff.audit_log where action = 'unmask_phone'`.execute(
      opine.database.superuser,
    );
    expect(rows).toEqual([
      { actor_email: staff.support.email, details: { userId: maya.id, reason: 'She has called.' } },
    ]);
  });

  test('a suspended account is signed out and hidden, and its posts return when it is restored', async () => {
    const lena = await confirmedPerson(opine, 'Lena');
    const post = await aSlider(lena);
    const suspended = async () =>
      (await nina.post('/admin/accounts/find', { q: lena.id })).data.items[0].suspendedAt !== null;
    expect((await nina.post(`/admin/users/${lena.id}/suspend`, STATEMENT)).status).toBe(200);
    expect([await suspended(), (await lena.get('/users/me/profile')).status]).toEqual([true, 401]);
    expect((await jonas.get(`/posts/${post.id}`)).status).toBe(404);
    expect((await nina.post(`/admin/users/${lena.id}/restore`, BECAUSE)).status).toBe(200);
    expect([await suspended(), (await jonas.get(`/posts/${post.id}`)).status]).toEqual([false, 200]);
    expect(await nina.post(`/admin/users/${lena.id}/restore`, BECAUSE)).toMatchObject(
      refusal(404, 'USER_NOT_FOUND'),
    );
  });
});

// docs/product.md S17
test('why-visible explains each visibility rule for a user and for a guest', async () => {
  const post = await aSlider(maya);
  await expectOk(maya.post(`/users/${jonas.id}/block`));
  onTestFinished(async () => void (await expectOk(maya.delete(`/users/${jonas.id}/block`))));
  const rulesFor = async (viewerId: string | null): Promise<Json> => {
    const { data } = await nina.post(`/admin/posts/${post.id}/why-visible`, { viewerId });
    return Object.fromEntries(data.rules.map(({ rule, holds }: Json) => [rule, holds]));
  };
  expect(await rulesFor(null)).toMatchObject({
    'the post is public': true,
    'the viewer sees the post': true,
  });
  expect(await rulesFor(jonas.id)).toMatchObject({
    'no block exists between author and viewer': false,
    'the viewer sees the post': false,
  });
});

// docs/product.md S15
test('a suspended Hub is not found until it is restored', async () => {
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  const tariq = await aMemberOf(opine, amara, hub);
  const discussion = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
  const reportId = await aReport(tariq, 'hubs', hub);
  expect((await queued(hub.id))?.reportId).toBe(reportId);
  expect((await nina.post(`/admin/hubs/${hub.id}/suspend`, STATEMENT)).status).toBe(200);
  expect(await queued(hub.id)).toBeUndefined();
  expect(await tariq.get(`/hubs/${hub.id}`)).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
  expect((await nina.post(`/admin/hubs/${hub.id}/restore`, BECAUSE)).status).toBe(200);
  expect((await hubSeenBy(tariq, hub)).viewerStatus).toBe('member');
  expect((await discussionOf(tariq, hub, { id: discussion.postId })).id).toBe(discussion.id);
});

// docs/product.md S16, N20
describe('dead letters', () => {
  test('an admin counts, lists and requeues a dead letter once', async () => {
    const deadLetterId = await aDeadLetter(opine, jonas, maya);
    const { admin } = staff;
    expect((await admin.get('/admin/health')).data.deadLetterCount).toBe(1);
    const { data } = await admin.get('/admin/dead-letters');
    expect(data).toMatchObject({
      items: [
        { deadLetterId, type: 'user_followed', recipientId: maya.id, channel: 'stream', failure: 'XX000' },
      ],
      nextCursor: null,
    });
    expect((await admin.post(`/admin/dead-letters/${deadLetterId}/requeue`)).status).toBe(200);
    expect(await admin.post(`/admin/dead-letters/${deadLetterId}/requeue`)).toMatchObject(
      refusal(404, 'DEAD_LETTER_NOT_FOUND'),
    );
    expect((await admin.get('/admin/health')).data.deadLetterCount).toBe(0);
  });
});
