import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, expectOk, type Json, refusal } from '../support/client.ts';
import { type OpineWithStaff, SPAM, startOpineWithStaff, suspend } from '../support/decisions.ts';
import { aHubWithDiscussion } from '../support/discussions.ts';
import { aHub, aMessage, requestClose, requestMessageDeletion } from '../support/hubs.ts';
import { advanceTime } from '../support/opine.ts';
import {
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  type UserRef,
} from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { aThought, publish, requestComment, requestCommentDeletion } from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';
import type { StaffMember } from '../support/staff.ts';
import { anUpload, fetchFile, requestDownload } from '../support/uploads.ts';
import { countRows, expectAfterWorker, waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStaff;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStaff();
  picture = await aPng();
});

afterAll(() => opine.stop());

type Things = Parameters<typeof requestReport>[1];

const report = async (reporter: Client, things: Things, target: UserRef): Promise<string> =>
  (await expectOk(requestReport(reporter, things, target))).reportId;

/** Returns the entry of a report in staff's queue. */
async function entryOf(reportId: string, on = opine): Promise<Json | undefined> {
  const { items } = await expectOk(on.nina.get('/admin/reports?limit=100'));
  return items.find((item: Json) => item.reportId === reportId);
}

async function filesOf(reportId: string, on = opine): Promise<Uint8Array[]> {
  const { items } = await expectOk(on.nina.post(`/admin/reports/${reportId}/media`));
  const files = await Promise.all(items.map(({ url }: Json) => fetchFile(url)));
  expect(files.map(({ status }) => status)).toEqual(items.map(() => 200));
  return files.map(({ bytes }) => bytes);
}

const dismiss = (member: StaffMember, reportId: string) =>
  expectOk(member.post(`/admin/reports/${reportId}/dismiss`, { reason: 'A joke.' }));

async function stateOf(reporter: Client): Promise<string> {
  return (await expectOk(reporter.get('/users/me/reports'))).items[0].state;
}

/** Something that was reported with a picture, and how its author deletes it. */
interface Reported {
  readonly reportId: string;
  readonly reporter: Person;
  readonly author: Person;
  readonly content: string;
  readonly assetId: string;
  readonly remove: () => Promise<unknown>;
}

async function aReportedPost(on = opine): Promise<Reported> {
  const [author, reporter] = [await confirmedPerson(on), await anonymousPerson(on)];
  const { assetId } = await anUpload(author, picture, 'post_image');
  const article = {
    url: 'https://pills.example',
    title: 'Pills',
    text: 'All kinds.',
    media: [{ assetId, altText: 'A blue pill' }],
  };
  const slider = { leftLabel: 'No pills', rightLabel: 'Pills' };
  const post = await expectOk(
    publish(author, { article, thoughtText: 'Buy them.', sliderText: 'Will you?', slider }),
  );
  return {
    reportId: await report(reporter, 'posts', post),
    reporter,
    author,
    content:
      'https://pills.example / Pills / All kinds. / Buy them. / Will you? / No pills / Pills / A blue pill',
    assetId,
    remove: () => expectOk(author.delete(`/posts/${post.id}`)),
  };
}

const REPORTED: readonly [string, () => Promise<Reported>][] = [
  ['post', aReportedPost],
  [
    'comment without text',
    async () => {
      const [author, reporter] = [await confirmedPerson(opine), await anonymousPerson(opine)];
      const { assetId } = await anUpload(author, picture, 'post_image');
      const post = await aThought(await confirmedPerson(opine));
      const comment = await expectOk(requestComment(author, post, { assetId, altText: 'A blue pill' }));
      return {
        reportId: await report(reporter, 'comments', comment),
        reporter,
        author,
        content: 'A blue pill',
        assetId,
        remove: () => expectOk(requestCommentDeletion(author, comment)),
      };
    },
  ],
  [
    'message',
    async () => {
      const { amara, jonas, discussion } = await aHubWithDiscussion(opine);
      const { assetId } = await anUpload(jonas, picture, 'post_image');
      const message = await aMessage(jonas, discussion, 'Buy pills.', { assetId, altText: 'A blue pill' });
      return {
        reportId: await report(amara, 'messages', message),
        reporter: amara,
        author: jonas,
        content: 'Buy pills. / A blue pill',
        assetId,
        remove: () => expectOk(requestMessageDeletion(jonas, discussion, message)),
      };
    },
  ],
];

// docs/product.md S25
describe.for(REPORTED)('a reported %s', ([, aReported]) => {
  test('its texts, author and file stay for staff when its author deletes it', async () => {
    const { reportId, author, content, assetId, remove } = await aReported();
    expect(await entryOf(reportId)).toMatchObject({ content, isGone: false, isAuthorGone: false });
    await remove();
    const gone = { content, authorId: author.id, isGone: true, isAuthorGone: false };
    await expectAfterWorker(opine, () => entryOf(reportId)).toMatchObject(gone);
    expect((await entryOf(reportId))?.target.name).toBe(author.username);
    expect(await filesOf(reportId)).toEqual([picture]);
    // Else the author would learn that somebody has reported it.
    expect(await requestDownload(author, assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
  });

  test('they stay for staff when the account of its author ends', async () => {
    const { reportId, author, content } = await aReported();
    await expectOk(author.delete('/users/me'));
    await waitUntilDeleted(opine, author.id);
    const gone = { content, authorId: author.id, isAuthorGone: true };
    expect(await entryOf(reportId)).toMatchObject(gone);
    expect((await entryOf(reportId))?.target.name).toBe(author.username);
    expect(await filesOf(reportId)).toEqual([picture]);
    expect(await opine.nina.post(`/admin/users/${author.id}/suspend`, SPAM)).toMatchObject(
      refusal(404, 'USER_NOT_FOUND'),
    );
  });

  test('its file goes when the report is closed', async () => {
    const { reportId, assetId, remove } = await aReported();
    await remove();
    await dismiss(opine.nina, reportId);
    await expectAfterWorker(opine, () => opine.storage.stored([assetId])).toEqual([]);
    expect(await filesOf(reportId)).toEqual([]);
  });

  // docs/product.md S10
  test('suspending its author closes the report of what is deleted as actioned', async () => {
    const { reportId, reporter, author, remove } = await aReported();
    await remove();
    await suspend(opine.nina, 'users', author);
    expect([await stateOf(reporter), await entryOf(reportId)]).toEqual(['actioned', undefined]);
  });

  test('a removal finds nothing left, and dismisses the report without a decision', async () => {
    const { reportId, reporter, author, remove } = await aReported();
    await remove();
    await expectOk(opine.nina.post(`/admin/reports/${reportId}/remove`, SPAM));
    expect(await stateOf(reporter)).toBe('dismissed');
    expect((await expectOk(author.get('/users/me/moderation-decisions'))).items).toEqual([]);
  });
});

test('the file of a report that is closed after the account has ended is removed from storage', async () => {
  const { reportId, author, assetId } = await aReportedPost();
  await expectOk(author.delete('/users/me'));
  await waitUntilDeleted(opine, author.id);
  expect(await opine.storage.stored([assetId])).toEqual([assetId]);
  await dismiss(opine.nina, reportId);
  await expectAfterWorker(opine, () => countRows(opine, 'app.stored_objects', 'owner_id', author.id)).toBe(0);
  expect(await opine.storage.stored([assetId])).toEqual([]);
});

// docs/product.md S25
test('a report keeps the profile as it was, and each reported version is shown', async () => {
  const [maya, jonas, lena] = [
    await confirmedPerson(opine, 'Maya'),
    await anonymousPerson(opine),
    await anonymousPerson(opine),
  ];
  const photo = await anUpload(maya, picture, 'profile_photo');
  await expectOk(maya.patch('/users/me/profile', { bio: 'I sell pills.', profileAssetId: photo.assetId }));
  const reportId = await report(jonas, 'users', maya);
  await expectOk(maya.patch('/users/me/profile', { bio: 'I knit.', profileAssetId: null }));
  await report(lena, 'users', maya);
  const { content, reportCount } = (await entryOf(reportId)) ?? {};
  expect(reportCount).toBe(2);
  expect(content).toMatch(/I sell pills\.\n\n.*I knit\.$/);
  expect(await filesOf(reportId)).toEqual([picture]);
});

test('a report of a Hub outlives the Hub', async () => {
  const amara = await hubReadyPerson(opine);
  const jonas = await anonymousPerson(opine);
  const hub = await aHub(amara, { name: 'Pills for all', description: 'Come and buy.' });
  const reportId = await report(jonas, 'hubs', hub);
  await expectOk(requestClose(amara, hub));
  await expectAfterWorker(opine, () => countRows(opine, 'app.hubs', 'id', hub.id)).toBe(0);
  expect(await entryOf(reportId)).toMatchObject({
    content: expect.stringContaining('Pills for all / Come and buy.'),
    target: { kind: 'hub', name: 'Pills for all' },
    isGone: true,
  });
  await dismiss(opine.nina, reportId);
  expect(await stateOf(jonas)).toBe('dismissed');
});

// docs/product.md S25
test('evidence goes 90 days after the report is closed, and that of an open report stays', async () => {
  const later = await startOpineWithStaff();
  onTestFinished(() => later.stop());
  const [closed, open] = [await aReportedPost(later), await aReportedPost(later)];
  for (const { remove } of [closed, open]) await remove();
  await dismiss(later.nina, closed.reportId);
  const kept = async () => {
    await sql`select app.prune_evidence()`.execute(later.database.superuser);
    const { rows } = await sql<{ content: string }>`
      select e.content from app.evidence as e order by e.closed_at nulls last`.execute(
      later.database.superuser,
    );
    return rows.map(({ content }) => content);
  };
  await advanceTime(later, '89 days');
  expect(await kept()).toEqual([closed.content, open.content]);
  await advanceTime(later, '25 hours');
  expect(await kept()).toEqual([open.content]);
});

// docs/product.md S25
test('evidence is readable by moderators alone', async () => {
  for (const role of ['authenticated', 'anon', 'opine_worker', 'opine_service', 'staff_support']) {
    const { rows } = await sql<{ may: boolean }>`
      select has_table_privilege(${role}, 'app.evidence', 'select')
        or has_any_column_privilege(${role}, 'app.evidence', 'select')
        or has_table_privilege(${role}, 'app.evidence_assets', 'select') as may`.execute(
      opine.database.superuser,
    );
    expect([role, rows]).toEqual([role, [{ may: false }]]);
  }
});
