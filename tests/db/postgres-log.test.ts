import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startServer } from '../../src/server.ts';
import { backendPidsOf, configureLogging, type Entry, followPostgresLog } from '../secrecy/logs.ts';
import { expectOk, type Json, type Reply } from '../support/client.ts';
import { aContact, uploadContacts, withPendingSnapshot } from '../support/contacts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { requestSaveDiscussion } from '../support/discussions.ts';
import {
  aHub,
  aHubPost,
  aMessage,
  anInviteLink,
  discussionOf,
  type Hub,
  join,
  requestHub,
  requestInvite,
  requestJoin,
  requestMessage,
} from '../support/hubs.ts';
import { type Opine, testEnvironment } from '../support/opine.ts';
import { whileInsertsFail } from '../support/outages.ts';
import { aGuest, anonymousPerson, hubReadyPerson, newPhoneNumber, type Person } from '../support/people.ts';
import { aComment, aSlider, aThought } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

const TEXT = 'Quittengelee with walnuts';
const NEW_NAME = 'Hagebutte Sanddorn';
const CONTACT = 'Aunt Mirabelle';

let database: TestDatabase;
let opine: Opine;
let ada: Person;
let jonas: Person;
let hub: Hub;
let post: Json;
let discussion: Json;
let entries: Entry[];
let replies: Map<string, Reply>;
const newPhones = [newPhoneNumber(), newPhoneNumber()];

beforeAll(async () => {
  database = await createTestDatabase();
  await configureLogging(database);
  const server = await startServer(testEnvironment(database));
  opine = { url: server.url, database, stop: server.stop };
  try {
    await createScene();
    const log = followPostgresLog();
    replies = new Map([...(await violations()), ...(await refusedRows()), ...(await concurrentDeletions())]);
    const processes = await backendPidsOf(database);
    entries = log.since().filter(({ pid }) => processes.includes(pid));
  } finally {
    await server.stop();
  }
}, 120_000);

afterAll(() => database.drop());

async function createScene(): Promise<void> {
  [ada, jonas] = [await hubReadyPerson(opine, 'Ada'), await hubReadyPerson(opine, 'Jonas')];
  hub = await aHub(ada, { customLink: 'quince-lane' });
  await join(ada, hub, [jonas]);
  post = await aSlider(ada);
  discussion = await discussionOf(jonas, hub, await aHubPost(ada, [hub], { thoughtText: TEXT }));
  await expectOk(castVote(jonas, post, 'left'));
  await expectOk(jonas.post(`/users/${ada.id}/follow`));
}

type Case = readonly [title: string, send: () => Promise<Reply>];

async function sendAll(cases: readonly Case[]): Promise<[string, Reply][]> {
  const replies: [string, Reply][] = [];
  for (const [title, send] of cases) replies.push([title, await send()]);
  return replies;
}

/** Sends requests that a constraint refuses; titles begin with the expected status. */
async function violations(): Promise<[string, Reply][]> {
  const link = await anInviteLink(ada, hub);
  const lena = await hubReadyPerson(opine, 'Lena');
  await expectOk(requestJoin(lena, link));
  const file = { fileName: `${TEXT}.pdf`, contentType: 'application/pdf', sizeBytes: 1000 };
  const basics = { fullName: NEW_NAME, termsAccepted: true };
  return sendAll([
    ['409 second vote', () => castVote(jonas, post, 'right')],
    ['409 second follow', () => jonas.post(`/users/${ada.id}/follow`)],
    ['409 follow of oneself', () => ada.post(`/users/${ada.id}/follow`)],
    ['409 block of oneself', () => ada.post(`/users/${ada.id}/block`)],
    ['409 taken handle', () => ada.patch('/users/me/profile', { username: jonas.username, bio: TEXT })],
    [
      '409 taken handle of a newcomer',
      async () =>
        (await anonymousPerson(opine)).put('/users/me/onboarding/profile-basics', {
          ...basics,
          username: jonas.username,
        }),
    ],
    ['422 reserved handle', () => ada.patch('/users/me/profile', { username: 'admin', fullName: NEW_NAME })],
    ['409 taken custom link', () => requestHub(jonas, { name: TEXT, customLink: 'quince-lane' })],
    ['409 second join request', () => requestJoin(lena, link)],
    ['422 unfit file', () => jonas.post('/uploads/presign', { ...file, purpose: 'profile_photo' })],
    [
      '422 large file',
      () => jonas.post('/uploads/presign', { ...file, purpose: 'document', sizeBytes: 2 ** 30 }),
    ],
  ]);
}

/** Sends requests with personal data whose rows Postgres refuses. */
async function refusedRows(): Promise<[string, Reply][]> {
  const { person, uploadId } = await withPendingSnapshot(opine, 'Noor');
  const [phoneNumber = '', invited = ''] = newPhones;
  await expectOk(aGuest(opine).post('/auth/otp/request', { phoneNumber }));
  const contacts = [aContact({ name: CONTACT, phoneNumbers: [invited] })];
  const cases: [table: string, send: () => Promise<Reply>][] = [
    ['app.users', () => aGuest(opine).post('/auth/otp/verify', { phoneNumber, code: '4242' })],
    ['app.profiles', () => jonas.patch('/users/me/profile', { fullName: NEW_NAME })],
    ['app.contacts', () => uploadContacts(person, uploadId, contacts)],
    ['app.hub_invitations', () => requestInvite(ada, hub, invited)],
    ['app.posts', () => ada.post('/posts', { thoughtText: TEXT, visibility: 'public' })],
    ['app.comments', () => jonas.post(`/posts/${post.id}/comments`, { text: TEXT })],
    ['app.messages', () => requestMessage(jonas, discussion, { text: TEXT })],
    ['app.reports', () => jonas.post(`/reports/users/${ada.id}`, { reason: 'other', details: TEXT })],
    ['app.vote_receipts', async () => castVote(ada, post, 'left')],
    ['app.feed_shares', () => jonas.post(`/posts/${post.id}/share/feed`)],
    ['app.saved_posts', () => jonas.post(`/posts/${post.id}/save`)],
    ['app.memberships', () => ada.post(`/hubs/${hub.id}/admins`, { userId: jonas.id })],
  ];
  return sendAll(
    cases.map(([table, send]) => [
      `500 refused row of ${table}`,
      () => whileInsertsFail(database, table, send),
    ]),
  );
}

/** Sends requests that wait for a transaction which deletes their target. */
async function concurrentDeletions(): Promise<[string, Reply][]> {
  const made = await Promise.all([1, 2, 3].map(() => aThought(ada)));
  const [saved, shared, commented] = made as [Json, Json, Json];
  const comment = await aComment(jonas, commented);
  const slider = await aSlider(ada);
  const other = await discussionOf(jonas, hub, await aHubPost(ada, [hub]));
  const message = await aMessage(jonas, discussion);
  return sendAll([
    ['404 deleted post', whileDeleting('app.posts', saved.id, () => jonas.post(`/posts/${saved.id}/save`))],
    ['404 deleted slider', whileDeleting('app.posts', slider.id, () => castVote(jonas, slider, 'left'))],
    [
      '404 deleted post',
      whileDeleting('app.posts', shared.id, () => jonas.post(`/posts/${shared.id}/share/feed`)),
    ],
    [
      '404 deleted comment',
      whileDeleting('app.comments', comment.id, () =>
        jonas.post(`/posts/${commented.id}/comments`, { text: TEXT, parentCommentId: comment.id }),
      ),
    ],
    [
      '404 deleted message',
      whileDeleting('app.messages', message.id, () =>
        requestMessage(jonas, discussion, { text: TEXT, parentMessageId: message.id }),
      ),
    ],
    [
      '404 deleted discussion',
      whileDeleting('app.discussions', other.id, () => requestSaveDiscussion(jonas, other)),
    ],
  ]);
}

/** Sends a request that waits for a row and finds it deleted. */
function whileDeleting(table: string, id: string, send: () => Promise<Reply>): () => Promise<Reply> {
  return async () => {
    const { pending } = await database.superuser.transaction().execute(async (transaction) => {
      await sql`delete from ${sql.table(table)} where id = ${id}`.execute(transaction);
      const pending = send();
      await vi.waitUntil(async () => (await countWaiting()) > 0, { timeout: 60_000, interval: 5 });
      return { pending };
    });
    return pending;
  };
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and usename like 'opine%' and wait_event_type = 'Lock'
  `.execute(database.superuser);
  return rows.length;
}

test('each request is refused with the status in its title', () => {
  const wrong = [...replies].filter(([title, { status }]) => !title.startsWith(String(status)));
  expect(wrong.map(([title, { status, error }]) => [title, status, error?.code])).toEqual([]);
});

test('the log of Postgres at default verbosity names violated constraints', () => {
  for (const constraint of [
    'refused_by_test',
    'profiles_username_key',
    'follows_pkey',
    'saved_posts_post_id_fkey',
  ])
    expect(
      entries.filter(({ text }) => text.includes(constraint)),
      constraint,
    ).not.toEqual([]);
});

test('the log of Postgres at default verbosity holds no id, phone, name or text of a request', () => {
  const secrets = [
    ...[ada, jonas].flatMap(({ id, username, phoneNumber }) => [id, username, phoneNumber.slice(1)]),
    ...newPhones.map((phone) => phone.slice(1)),
    ...[post, hub, discussion].map(({ id }) => id as string),
    TEXT,
    NEW_NAME,
    CONTACT,
    'quince-lane',
  ];
  for (const secret of secrets)
    expect(
      entries.filter(({ text }) => text.includes(secret)),
      secret,
    ).toEqual([]);
  const ids = entries.flatMap(
    ({ text }) => text.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}/g) ?? [],
  );
  expect(ids).toEqual([]);
});
