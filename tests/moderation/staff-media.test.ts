import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, MALFORMED_IDS, NONEXISTENT, refusal } from '../support/client.ts';
import {
  appeal,
  decideAppeal,
  decisionAbout,
  type OpineWithStaff,
  remove,
  restore,
  SPAM,
  startOpineWithStaff,
  suspend,
} from '../support/decisions.ts';
import { aHubWithDiscussion } from '../support/discussions.ts';
import { aHub, aMemberOf, aMessage, setHubProfile } from '../support/hubs.ts';
import { currentTime } from '../support/opine.ts';
import { aGuest, anonymousPerson, confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aPdf, aPng, type Bytes } from '../support/pictures.ts';
import { aComment, aThought, publish } from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';
import { anUpload, downloadFile, fetchFile, requestDownload } from '../support/uploads.ts';
import { expectAfterWorker } from '../support/worker.ts';

let opine: OpineWithStaff;
/** Two pictures with different bytes. */
let picture: Bytes;
let otherPicture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStaff();
  [picture, otherPicture] = [await aPng(), await aPng({ green: 40 })];
});

afterAll(() => opine.stop());

const REPORT_NOT_FOUND = refusal(404, 'REPORT_NOT_FOUND');

type Things = Parameters<typeof requestReport>[1];

const report = async (
  reporter: Client,
  things: Things,
  target: { id: string },
  fields: object = {},
): Promise<string> => (await expectOk(requestReport(reporter, things, target, fields))).reportId;

const requestMedia = (member: Pick<Client, 'post'>, reportId: string) =>
  member.post(`/admin/reports/${reportId}/media`);
const mediaOf = async (reportId: string): Promise<Json[]> =>
  (await expectOk(requestMedia(opine.nina, reportId))).items;

/** Expects links to exactly these files, in any order. */
async function expectFiles(reportId: string, files: readonly Bytes[]): Promise<void> {
  const items = await mediaOf(reportId);
  const fetched = await Promise.all(items.map(({ url }) => fetchFile(url)));
  expect(fetched.map(({ status }) => status)).toEqual(files.map(() => 200));
  const sorted = (all: readonly Uint8Array[]) =>
    all.map((bytes) => Buffer.from(bytes).toString('hex')).sort();
  expect(sorted(fetched.map(({ bytes }) => bytes))).toEqual(sorted(files));
}

/** Publishes a post of `author` with a picture and a document. */
async function aPostWithFiles(author: Person): Promise<{ post: Json; image: Json }> {
  const image = await anUpload(author, picture, 'post_image');
  const document = await anUpload(author, aPdf(), 'document', { fileName: 'pills.pdf' });
  const assetIds = [image.assetId, document.assetId];
  return { post: await expectOk(publish(author, { article: { title: 'Pills', assetIds } })), image };
}

/** Reports one of each kind that has pictures. Returns the report's id and the files. */
const REPORTED: [kind: string, () => Promise<{ reportId: string; files: Bytes[] }>][] = [
  [
    'post',
    async () => {
      const { post } = await aPostWithFiles(await confirmedPerson(opine));
      return {
        reportId: await report(await anonymousPerson(opine), 'posts', post),
        files: [picture, aPdf()],
      };
    },
  ],
  [
    'comment',
    async () => {
      const jonas = await confirmedPerson(opine);
      const { assetId } = await anUpload(jonas, picture, 'post_image');
      const comment = await aComment(jonas, await aThought(jonas), 'Look.', { assetId });
      return { reportId: await report(await anonymousPerson(opine), 'comments', comment), files: [picture] };
    },
  ],
  [
    'message',
    async () => {
      const { amara, jonas, discussion } = await aHubWithDiscussion(opine);
      const { assetId } = await anUpload(jonas, picture, 'post_image');
      const message = await aMessage(jonas, discussion, 'Look.', { assetId });
      return { reportId: await report(amara, 'messages', message), files: [picture] };
    },
  ],
  [
    'person',
    async () => {
      const amara = await hubReadyPerson(opine);
      const [photo, hubPhoto] = [
        await anUpload(amara, picture, 'profile_photo'),
        await anUpload(amara, otherPicture, 'profile_photo'),
      ];
      await expectOk(amara.patch('/users/me/profile', { profileAssetId: photo.assetId }));
      await setHubProfile(amara, { profileAssetId: hubPhoto.assetId });
      const files = [picture, otherPicture];
      return { reportId: await report(await anonymousPerson(opine), 'users', amara), files };
    },
  ],
  [
    'Hub',
    async () => {
      const amara = await hubReadyPerson(opine);
      const photo = await anUpload(amara, picture, 'hub_photo');
      const hub = await aHub(amara, { profileAssetId: photo.assetId });
      return { reportId: await report(await anonymousPerson(opine), 'hubs', hub), files: [picture] };
    },
  ],
];

describe('POST /admin/reports/{reportId}/media', () => {
  test.each(REPORTED)('links lead to the files of a reported %s', async (_, aReported) => {
    const { reportId, files } = await aReported();
    await expectFiles(reportId, files);
  });

  test('an item has id, type and name of the file', async () => {
    const { post, image } = await aPostWithFiles(await confirmedPerson(opine));
    const items = await mediaOf(await report(await anonymousPerson(opine), 'posts', post));
    expect(items).toHaveLength(2);
    expect(items).toContainEqual({
      assetId: image.assetId,
      contentType: 'image/png',
      fileName: null,
      url: expect.stringMatching(/^http/),
      expiresAt: expect.any(String),
    });
    expect(items).toContainEqual(
      expect.objectContaining({ contentType: 'application/pdf', fileName: 'pills.pdf' }),
    );
  });

  test('a reported target without files has none', async () => {
    const post = await aThought(await confirmedPerson(opine));
    expect(await mediaOf(await report(await anonymousPerson(opine), 'posts', post))).toEqual([]);
  });

  test('a report of one post opens no file of another post of its author', async () => {
    const maya = await confirmedPerson(opine);
    await aPostWithFiles(maya);
    const other = await aThought(maya);
    expect(await mediaOf(await report(await anonymousPerson(opine), 'posts', other))).toEqual([]);
    expect(await mediaOf(await report(await anonymousPerson(opine), 'users', maya))).toEqual([]);
  });

  // docs/product.md S23
  test('a link ends five minutes after the look', async () => {
    const { post } = await aPostWithFiles(await confirmedPerson(opine));
    const reportId = await report(await anonymousPerson(opine), 'posts', post);
    const before = (await currentTime(opine)).getTime();
    const items = await mediaOf(reportId);
    const after = (await currentTime(opine)).getTime();
    for (const { url, expiresAt } of items) {
      const ends = Date.parse(expiresAt) - 300_000;
      expect([ends >= before - 1000, ends <= after + 1000]).toEqual([true, true]);
      const { exp = 0 } = decodeJwt(new URL(url).searchParams.get('token') ?? '');
      expect(Math.abs(exp - Date.parse(expiresAt) / 1000)).toBeLessThanOrEqual(1);
    }
  });

  // docs/product.md S23
  test('the audit log records each look with its actor, the report and the target', async () => {
    const { post } = await aPostWithFiles(await confirmedPerson(opine));
    const reportId = await report(await anonymousPerson(opine), 'posts', post);
    for (const member of [opine.nina, opine.otto]) await expectOk(requestMedia(member, reportId));
    const { rows } = await sql<Json>`
      select actor_email, details from staff.audit_log
      where action = 'view_media' and details ->> 'reportId' = ${reportId} order by occurred_at`.execute(
      opine.database.superuser,
    );
    expect(rows.map((row) => row.actor_email)).toEqual([opine.nina.email, opine.otto.email]);
    for (const { details } of rows) expect(details).toMatchObject({ reportId, targetId: post.id });
  });

  test('support gets 403, a person and a guest 401, and no link', async () => {
    const maya = await confirmedPerson(opine);
    const reportId = await report(await anonymousPerson(opine), 'posts', (await aPostWithFiles(maya)).post);
    expect(await requestMedia(opine.sam, reportId)).toMatchObject(refusal(403, 'FORBIDDEN'));
    for (const client of [maya, aGuest(opine)])
      expect(await requestMedia(client, reportId)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('an unknown and a malformed id, and the id of a target, are 404', async () => {
    const { post, image } = await aPostWithFiles(await confirmedPerson(opine));
    await report(await anonymousPerson(opine), 'posts', post);
    for (const id of [NONEXISTENT.id, post.id, image.assetId, ...MALFORMED_IDS])
      expect([id, await requestMedia(opine.nina, id)]).toMatchObject([id, REPORT_NOT_FOUND]);
  });

  test('a body with fields is 422', async () => {
    const { post } = await aPostWithFiles(await confirmedPerson(opine));
    const reportId = await report(await anonymousPerson(opine), 'posts', post);
    expect(await opine.nina.post(`/admin/reports/${reportId}/media`, { assetId: post.id })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED'),
    );
  });

  test('the picture of a removed comment and message, and the files of a removed post, stay for staff', async () => {
    for (const [kind, aReported] of REPORTED.slice(0, 3)) {
      const { reportId, files } = await aReported();
      await expectOk(opine.nina.post(`/admin/reports/${reportId}/remove`, SPAM));
      const links = () => mediaOf(reportId).then((items) => [kind, items.length]);
      await expectAfterWorker(opine, links).toEqual([kind, files.length]);
      await expectFiles(reportId, files);
    }
  });

  test('a removed picture returns with its comment after the worker has run', async () => {
    const jonas = await confirmedPerson(opine);
    const maya = await confirmedPerson(opine);
    const { assetId } = await anUpload(jonas, picture, 'post_image');
    const comment = await aComment(jonas, await aThought(maya), 'Look.', { assetId });
    await remove(opine.nina, maya, 'comments', comment);
    const status = async () => (await requestDownload(maya, assetId)).status;
    await expectAfterWorker(opine, status).toBe(404);
    const decision = await decisionAbout(jonas, comment);
    await appeal(jonas, decision);
    await decideAppeal(opine.otto, decision, 'reversed');
    expect((await downloadFile(maya, { assetId })).bytes).toEqual(picture);
  });
});

// docs/product.md S23
describe('GET /admin/users/{userId}/history', () => {
  const requestHistory = (member: Pick<Client, 'get'>, { id }: { id: string }) =>
    member.get(`/admin/users/${id}/history`);
  const historyOf = (person: { id: string }) => expectOk(requestHistory(opine.nina, person));

  const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

  test('an account without a history has empty lists', async () => {
    const maya = await confirmedPerson(opine);
    expect(await historyOf(maya)).toMatchObject({ reportsAbout: [], reportsBy: [], decisions: [] });
  });

  test('reports about an account and its content are in its history, with their states, newest first', async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const post = await aThought(jonas, 'Buy my pills.');
    const comment = await aComment(jonas, await aThought(amara), 'Buy my pills.');
    const message = await aMessage(jonas, discussion, 'Buy my pills.');
    const dismissed = await report(amara, 'users', jonas, { reason: 'impersonation' });
    await expectOk(opine.nina.post(`/admin/reports/${dismissed}/dismiss`, { reason: 'It is them.' }));
    await remove(opine.nina, amara, 'posts', post);
    await report(amara, 'comments', comment, { reason: 'hate' });
    await report(amara, 'messages', message, { reason: 'other' });
    await report(jonas, 'hubs', hub);
    const { reportsAbout } = await historyOf(jonas);
    expect(reportsAbout).toEqual([
      entry({ type: 'message', id: message.id, excerpt: 'Buy my pills.' }, 'other', 'open'),
      entry({ type: 'comment', id: comment.id, excerpt: 'Buy my pills.' }, 'hate', 'open'),
      entry({ type: 'post', id: post.id, excerpt: 'Buy my pills.' }, 'spam', 'actioned'),
      entry({ type: 'user', id: jonas.id, excerpt: 'Jonas Weber' }, 'impersonation', 'dismissed'),
    ]);
  });

  test('reports by an account are in its history alone as such, newest first', async () => {
    const { hub, amara, jonas } = await aHubWithDiscussion(opine);
    const post = await aThought(amara, 'Buy my pills.');
    await report(jonas, 'posts', post);
    await report(jonas, 'hubs', hub, { reason: 'hate' });
    const { reportsBy, reportsAbout } = await historyOf(jonas);
    expect(reportsBy).toEqual([
      entry({ type: 'hub', id: hub.id, excerpt: 'Elm Street' }, 'hate', 'open'),
      entry({ type: 'post', id: post.id, excerpt: 'Buy my pills.' }, 'spam', 'open'),
    ]);
    expect(reportsAbout).toEqual([]);
    expect((await historyOf(amara)).reportsBy).toEqual([]);
  });

  test('decisions are in the history of each person concerned, with who decided and their reversal', async () => {
    const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
    const post = await aThought(maya, 'Buy my pills.');
    await remove(opine.nina, jonas, 'posts', post);
    await suspend(opine.otto, 'users', maya, { reason: 'hate', statement: 'Every day.' });
    await restore(opine.nina, 'users', maya);
    const id = expect.any(String);
    expect((await historyOf(maya)).decisions).toEqual([
      {
        decisionId: id,
        action: 'account_suspended',
        reason: 'hate',
        statement: 'Every day.',
        target: { type: 'user', id: maya.id, excerpt: 'Maya' },
        decidedBy: opine.otto.email,
        decidedAt: expect.stringMatching(TIME),
        reversedAt: expect.stringMatching(TIME),
      },
      {
        decisionId: id,
        action: 'content_removed',
        ...SPAM,
        target: { type: 'post', id: post.id, excerpt: 'Buy my pills.' },
        decidedBy: opine.nina.email,
        decidedAt: expect.stringMatching(TIME),
        reversedAt: null,
      },
    ]);
    expect((await historyOf(jonas)).decisions).toEqual([]);
  });

  test('a suspended Hub is in the history of its admins alone', async () => {
    const amara = await hubReadyPerson(opine);
    const hub = await aHub(amara);
    const jonas = await aMemberOf(opine, amara, hub);
    await suspend(opine.nina, 'hubs', hub);
    expect((await historyOf(amara)).decisions).toMatchObject([
      { action: 'hub_suspended', target: { id: hub.id } },
    ]);
    expect((await historyOf(jonas)).decisions).toEqual([]);
  });

  test('texts that nobody has reported are in no history', async () => {
    const maya = await confirmedPerson(opine, 'Maya');
    const jonas = await confirmedPerson(opine, 'Jonas');
    const post = await aThought(maya, 'The wisteria grows.');
    await aComment(maya, post, 'The wisteria is too high.');
    await report(jonas, 'users', maya);
    expect(JSON.stringify(await historyOf(maya))).not.toContain('wisteria');
    await report(jonas, 'posts', post);
    expect(JSON.stringify(await historyOf(maya))).toContain('The wisteria grows.');
    expect(JSON.stringify(await historyOf(maya))).not.toContain('too high');
  });

  test('support gets 403, a person and a guest 401, and an unknown account is 404', async () => {
    const maya = await confirmedPerson(opine);
    expect(await requestHistory(opine.sam, maya)).toMatchObject(refusal(403, 'FORBIDDEN'));
    for (const client of [maya, aGuest(opine)])
      expect(await requestHistory(client, maya)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS])
      expect([id, await requestHistory(opine.nina, { id })]).toMatchObject([
        id,
        refusal(404, 'USER_NOT_FOUND'),
      ]);
  });

  function entry(target: Json, reason: string, state: string): Json {
    return { target, reason, state, createdAt: expect.stringMatching(TIME) };
  }
});

describe('GET /admin/reports with filters', () => {
  let ids: Record<string, string>;

  const listed = async (query: string): Promise<string[]> =>
    (await expectOk(opine.nina.get(`/admin/reports?limit=100${query}`))).items.map(
      ({ target }: Json) => target.id,
    );

  beforeAll(async () => {
    const { hub, amara, jonas, discussion } = await aHubWithDiscussion(opine);
    const post = await aThought(amara);
    const comment = await aComment(amara, post);
    const message = await aMessage(amara, discussion);
    await report(jonas, 'posts', post, { reason: 'spam' });
    await report(await anonymousPerson(opine), 'posts', post, { reason: 'hate' });
    await report(jonas, 'comments', comment, { reason: 'hate' });
    await report(jonas, 'messages', message, { reason: 'violence' });
    await report(jonas, 'users', amara, { reason: 'impersonation' });
    await report(jonas, 'hubs', hub, { reason: 'violence' });
    ids = { post: post.id, comment: comment.id, message: message.id, user: amara.id, hub: hub.id };
  });

  /** Returns the names of those of this test among the listed. */
  const namesIn = async (query: string): Promise<string[]> => {
    const found = await listed(query);
    return Object.keys(ids).filter((name) => found.includes(ids[name] ?? ''));
  };

  test.each(['post', 'comment', 'message', 'user', 'hub'])(
    'kind=%s lists reports of that kind alone',
    async (kind) => {
      expect(await namesIn(`&kind=${kind}`)).toEqual([kind]);
      const { items } = await expectOk(opine.nina.get(`/admin/reports?limit=100&kind=${kind}`));
      expect(new Set(items.map(({ target }: Json) => target.kind))).toEqual(new Set([kind]));
    },
  );

  test.each([
    ['spam', ['post']],
    ['hate', ['post', 'comment']],
    ['violence', ['message', 'hub']],
    ['impersonation', ['user']],
    ['nudity', []],
  ])('reason=%s lists targets with a report of that reason', async (reason, names) => {
    expect(await namesIn(`&reason=${reason}`)).toEqual(names);
  });

  test('an entry that a reason selects shows all its reports', async () => {
    const { items } = await expectOk(opine.nina.get('/admin/reports?limit=100&reason=hate'));
    const entry = items.find(({ target }: Json) => target.id === ids.post);
    expect(entry).toMatchObject({ reportCount: 2, reasons: expect.arrayContaining(['spam', 'hate']) });
  });

  test('kind and reason together list what both select', async () => {
    expect(await namesIn('&kind=hub&reason=violence')).toEqual(['hub']);
    expect(await namesIn('&kind=hub&reason=spam')).toEqual([]);
  });

  test('pages with a filter list each entry once, oldest first', async () => {
    const all = await listed('&reason=violence');
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: Json = await expectOk(opine.nina.get(`/admin/reports?limit=1&reason=violence${from}`));
      seen.push(...page.items.map(({ target }: Json) => target.id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(all);
    expect(seen.length).toBeGreaterThan(1);
  });

  test.each(['kind=posts', 'kind=', 'reason=bad', 'reason='])('the query %s is 422', async (query) => {
    expect(await opine.nina.get(`/admin/reports?${query}`)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });
});
