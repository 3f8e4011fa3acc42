import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, type Client, expectOk, type Json, refusal } from '../support/client.ts';
import {
  appeal,
  decideAppeal,
  decisionAbout,
  type OpineWithStaff,
  SPAM,
  startOpineWithStaff,
  suspend,
} from '../support/decisions.ts';
import { aHubWithDiscussion } from '../support/discussions.ts';
import { aHub, aMessage } from '../support/hubs.ts';
import { advanceTime } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  type UserRef,
} from '../support/people.ts';
import { aComment, aThought } from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';

let opine: OpineWithStaff;

beforeAll(async () => {
  opine = await startOpineWithStaff();
});

afterAll(() => opine.stop());

const PATH = '/users/me/reports';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

type Things = Parameters<typeof requestReport>[1];

const ownReports = async (reporter: Client): Promise<Json[]> => (await allPages(reporter, PATH)).flat();

const report = async (
  reporter: Client,
  things: Things,
  target: UserRef,
  fields: object = {},
): Promise<string> => (await expectOk(requestReport(reporter, things, target, fields))).reportId;

const dismiss = (reportId: string) =>
  expectOk(opine.nina.post(`/admin/reports/${reportId}/dismiss`, { reason: 'A joke.' }));
const removeContent = (reportId: string) =>
  expectOk(opine.nina.post(`/admin/reports/${reportId}/remove`, SPAM));

/** One of each kind that Jonas may report; Amara is the author of all. */
interface Reportables {
  readonly jonas: Person;
  readonly targets: Readonly<Record<Things, UserRef>>;
}

async function reportables(): Promise<Reportables> {
  const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
  const post = await aThought(amara);
  const comment = await aComment(amara, post);
  const message = await aMessage(amara, discussion);
  return { jonas, targets: { users: amara, posts: post, hubs: hub, comments: comment, messages: message } };
}

const KINDS = [
  ['users', 'user'],
  ['posts', 'post'],
  ['comments', 'comment'],
  ['messages', 'message'],
  ['hubs', 'hub'],
] as const;

/** Acts on a report as staff: removes content, suspends a person or a Hub. */
function actOn(things: Things, target: UserRef, reportId: string): Promise<unknown> {
  return things === 'users' || things === 'hubs'
    ? suspend(opine.nina, things, target)
    : removeContent(reportId);
}

describe('GET /users/me/reports', () => {
  // docs/product.md S19
  test.each(KINDS)(
    'a report of %s is open, and its reporter sees target, reason and time',
    async (things, type) => {
      const { jonas, targets } = await reportables();
      const fields = { reason: 'hate', details: 'Every day.' };
      const reportId = await report(jonas, things, targets[things], fields);
      expect(await ownReports(jonas)).toEqual([
        {
          reportId,
          target: { type, id: targets[things].id },
          reason: 'hate',
          state: 'open',
          createdAt: expect.stringMatching(TIME),
        },
      ]);
    },
  );

  // docs/product.md S19
  test.each(KINDS)('a report of %s is dismissed once staff dismisses it', async (things) => {
    const { jonas, targets } = await reportables();
    const reportId = await report(jonas, things, targets[things]);
    const [before] = await ownReports(jonas);
    await dismiss(reportId);
    expect(await ownReports(jonas)).toEqual([{ ...before, state: 'dismissed' }]);
  });

  // docs/product.md S19
  test.each(KINDS)('a report of %s is actioned once staff acts on it', async (things) => {
    const { jonas, targets } = await reportables();
    const reportId = await report(jonas, things, targets[things]);
    const [before] = await ownReports(jonas);
    await actOn(things, targets[things], reportId);
    expect(await ownReports(jonas)).toEqual([{ ...before, state: 'actioned' }]);
  });

  // docs/product.md S9
  test('one decision settles the reports of all reporters', async () => {
    const reporters = [await anonymousPerson(opine), await anonymousPerson(opine)];
    const post = await aThought(await confirmedPerson(opine));
    const ids = await Promise.all(reporters.map((reporter) => report(reporter, 'posts', post)));
    await removeContent(ids[0] ?? '');
    for (const [index, reporter] of reporters.entries())
      expect(await ownReports(reporter)).toMatchObject([{ reportId: ids[index], state: 'actioned' }]);
  });

  test('a report after a dismissed one of the same target is another one', async () => {
    const [jonas, post] = [await anonymousPerson(opine), await aThought(await confirmedPerson(opine))];
    const first = await report(jonas, 'posts', post);
    await dismiss(first);
    const second = await report(jonas, 'posts', post, { reason: 'hate' });
    expect(await ownReports(jonas)).toMatchObject([
      { reportId: second, reason: 'hate', state: 'open' },
      { reportId: first, reason: 'spam', state: 'dismissed' },
    ]);
  });

  test('a repeat of an open report adds nothing', async () => {
    const [jonas, post] = [await anonymousPerson(opine), await aThought(await confirmedPerson(opine))];
    const reportId = await report(jonas, 'posts', post);
    const before = await ownReports(jonas);
    expect(await report(jonas, 'posts', post, { reason: 'hate' })).toBe(reportId);
    expect(await ownReports(jonas)).toEqual(before);
  });

  test('a claim changes nothing', async () => {
    const [jonas, post] = [await anonymousPerson(opine), await aThought(await confirmedPerson(opine))];
    const reportId = await report(jonas, 'posts', post);
    const before = await ownReports(jonas);
    await expectOk(opine.nina.post(`/admin/reports/${reportId}/claim`));
    expect(await ownReports(jonas)).toEqual(before);
  });

  test('a report stays in the list after its author has deleted the target', async () => {
    const [jonas, maya] = [await anonymousPerson(opine), await confirmedPerson(opine)];
    const post = await aThought(maya);
    const reportId = await report(jonas, 'posts', post);
    await expectOk(maya.delete(`/posts/${post.id}`));
    expect(await ownReports(jonas)).toMatchObject([{ reportId, target: { type: 'post', id: post.id } }]);
  });

  test('a report is in the list of its reporter alone', async () => {
    const { jonas, targets } = await reportables();
    for (const [things] of KINDS) await report(jonas, things, targets[things]);
    const others = [targets.users as Person, await hubReadyPerson(opine)];
    for (const other of others) expect(await ownReports(other)).toEqual([]);
    expect(await ownReports(jonas)).toHaveLength(KINDS.length);
  });

  test('pages list each report once, newest first', async () => {
    const [jonas, maya] = [await anonymousPerson(opine), await confirmedPerson(opine)];
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift(await report(jonas, 'posts', await aThought(maya)));
      if (count === 2) await dismiss(ids[0] ?? '');
      if (count % 2 === 0) await advanceTime(opine, '1 second');
    }
    for (const limit of [1, 2, 5, 100]) {
      const pages = await allPages(jonas, PATH, { limit });
      expect(pages.map((items) => items.length)).toEqual(
        Array.from({ length: Math.ceil(5 / limit) }, (_, page) => Math.min(limit, 5 - page * limit)),
      );
      expect(pages.flat().map(({ reportId }) => reportId)).toEqual(ids);
    }
  });

  test('a report that arrives during pagination is on no later page', async () => {
    const [jonas, maya] = [await anonymousPerson(opine), await confirmedPerson(opine)];
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.unshift(await report(jonas, 'posts', await aThought(maya)));
    const first = await expectOk(jonas.get(`${PATH}?limit=2`));
    await report(jonas, 'posts', await aThought(maya));
    const second = await expectOk(
      jonas.get(`${PATH}?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`),
    );
    const seen = [...first.items, ...second.items].map(({ reportId }) => reportId);
    expect([seen, second.nextCursor]).toEqual([ids, null]);
  });

  test.each(['cursor=x', 'limit=0', 'limit=101', 'limit=x'])('the query %s is 422', async (query) => {
    expect(await (await anonymousPerson(opine)).get(`${PATH}?${query}`)).toMatchObject(
      refusal(422, 'VALIDATION_FAILED'),
    );
  });

  test('a guest gets 401', async () => {
    expect(await aGuest(opine).get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('the list never says who decided, why, or that somebody appealed', async () => {
    const { jonas, targets } = await reportables();
    const amara = targets.users as Person;
    for (const [things] of KINDS.slice(1, 3)) await report(jonas, things, targets[things]);
    const [ofComment, ofPost] = await ownReports(jonas);
    await removeContent(ofPost.reportId);
    await dismiss(ofComment.reportId);
    const decision = await decisionAbout(amara, targets.posts);
    await appeal(amara, decision);
    await decideAppeal(opine.otto, decision, 'upheld');
    const items = await ownReports(jonas);
    for (const item of items)
      expect(Object.keys(item).sort()).toEqual(['createdAt', 'reason', 'reportId', 'state', 'target']);
    expect(JSON.stringify(items)).not.toMatch(/nina|otto|opine\.example|pills|joke|decision/i);
  });

  test('a report of a Hub stays in the list after the Hub is closed', async () => {
    const amara = await hubReadyPerson(opine);
    const hub = await aHub(amara);
    const reportId = await report(amara, 'hubs', hub);
    await expectOk(amara.delete(`/hubs/${hub.id}`));
    expect(await ownReports(amara)).toMatchObject([{ reportId, target: { type: 'hub', id: hub.id } }]);
  });
});
