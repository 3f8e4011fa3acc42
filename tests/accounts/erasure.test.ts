import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, clientOf, expectOk, type Json } from '../support/client.ts';
import {
  aContact,
  allowContacts,
  contactNumber,
  personWithContacts,
  uploadContacts,
  withPendingSnapshot,
} from '../support/contacts.ts';
import { aHub, aHubPost, aMessage, discussionOf, join, requestInvite } from '../support/hubs.ts';
import { advanceTime } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import {
  aComment,
  aRepost,
  aSlider,
  publish,
  requestSavePost,
  shareToFeed,
  shareToHubs,
} from '../support/posts.ts';
import { newDeviceToken, registerDevice } from '../support/pushes.ts';
import { requestReport } from '../support/reports.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { castVote, countsOf } from '../support/votes.ts';
import { foldAllVotes, waitUntilDeleted } from '../support/worker.ts';

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

/** Texts that would identify the user if the database kept one. */
const TRACES = {
  fullName: 'Zephyrine Quillfeather',
  handle: 'zephyrine_q',
  deviceId: 'install-of-zephyrine-0123456789',
  contactName: 'Barnaby Thistlewood',
  contactNumber: contactNumber(),
  thought: 'Quokkas deserve the vote.',
  article: 'https://quokka.example/zephyrine',
} as const;

interface Column {
  readonly schema: string;
  readonly name: string;
  readonly column: string;
  readonly is_bytea: boolean;
}

/** Returns every column of Opine's tables. */
async function everyColumn(): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select n.nspname as schema, c.relname as name, a.attname as column, a.atttypid = 'bytea'::regtype as is_bytea
    from pg_attribute as a
    join pg_class as c on c.oid = a.attrelid
    join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname in ('app', 'api', 'gateway', 'staff')
      and c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped
    order by 1, 2, 3
  `.execute(opine.database.superuser);
  return rows;
}

/** Returns the columns that hold `trace` in any case: as text, within JSON or a list, or as bytes. */
async function columnsWith(trace: string): Promise<string[]> {
  const bytes = Buffer.from(trace);
  const searches = (await everyColumn()).map(({ schema, name, column, is_bytea }) => {
    const value = sql.ref(column);
    const holds = is_bytea
      ? sql`position(${bytes}::bytea in ${value}) > 0`
      : sql`position(lower(${trace}::text) in lower(${value}::text)) > 0
          or position(${bytes.toString('hex')}::text in ${value}::text) > 0`;
    const found = sql`exists (select from ${sql.table(`${schema}.${name}`)} where ${holds})`;
    return sql<{ column: string }>`select ${`${schema}.${name}.${column}`}::text as column where ${found}`;
  });
  const { rows } = await sql<{ column: string }>`${sql.join(searches, sql` union all `)}`.execute(
    opine.database.superuser,
  );
  return rows.map(({ column }) => column);
}

/** Starts an anonymous session on an install and verifies a phone there. */
async function signUp(phoneNumber: string): Promise<Person> {
  const { deviceId, fullName, handle } = TRACES;
  const { data: first } = await aGuest(opine).post('/auth/anonymous/session', { deviceId });
  const anonymous = clientOf(opine.url, first.accessToken);
  const basics = { fullName, username: handle, termsAccepted: true, termsVersion: '1' };
  expect((await anonymous.put('/users/me/onboarding/profile-basics', basics)).status).toBe(200);
  await requestOtp(anonymous, phoneNumber);
  await enterCode(anonymous, phoneNumber, '0000');
  const { status, data: session } = await enterCode(anonymous, phoneNumber);
  expect(status).toBe(200);
  const client = clientOf(opine.url, session.accessToken);
  expect((await client.put('/users/me/onboarding/media', {})).status).toBe(200);
  return { ...client, id: session.user.id, username: handle, phoneNumber, session };
}

/** Stores every kind of trace of `person`. */
async function leaveTraces(person: Person): Promise<void> {
  const { contactName: name, contactNumber, handle, thought: thoughtText, article: url } = TRACES;
  const { data } = await allowContacts(person, { permission: 'granted', contactCount: 1 });
  const book = [aContact({ name, phoneNumbers: [contactNumber] })];
  expect((await uploadContacts(person, data.snapshot.uploadId, book)).status).toBe(200);
  expect((await registerDevice(person, newDeviceToken())).status).toBe(200);
  await person.post('/users/handles/availability', { username: handle });
  const post = { visibility: 'public', thoughtText, article: { url, title: thoughtText } };
  const headers = { 'idempotency-key': 'a-key-of-Zephyrine' };
  expect((await person.post('/posts', post, { headers })).status).toBe(201);
  expect((await publish(person, { thoughtText, sliderText: 'Do they?' })).status).toBe(201);
  const { refreshToken } = person.session;
  expect((await aGuest(opine).post('/auth/session/refresh', { refreshToken })).status).toBe(200);
  await opine.storage.keep(opine.database, person.id);
  await takePartInHub(person);
  await actOnPost(person);
}

/** Lets `person` act on a post of another user in every way. */
async function actOnPost(person: Person): Promise<void> {
  const { thought: text } = TRACES;
  const other = await hubReadyPerson(opine);
  const post = await aSlider(other);
  const comment = await aComment(person, post, text);
  await aComment(other, post, 'I see.', { parentCommentId: comment.id });
  await aRepost(person, post, { thoughtText: text });
  await shareToFeed(person, post);
  await expectOk(requestSavePost(person, post));
  await expectOk(requestReport(person, 'users', other));
  await shareToHubs(person, post, await aHub(person));
}

/** Lets `person` join a Hub of another user, under their name, and take part. */
async function takePartInHub(person: Person): Promise<void> {
  const { fullName: displayName, contactNumber, thought: thoughtText } = TRACES;
  const keeper = await hubReadyPerson(opine);
  const hub = await aHub(keeper);
  await join(keeper, hub, [person]);
  await expectOk(person.patch('/users/me/hub-profile', { displayName }));
  await expectOk(requestInvite(person, hub, contactNumber));
  const discussion = await discussionOf(keeper, hub, await aHubPost(person, [hub], { thoughtText }));
  await aMessage(person, discussion, 'As I said.');
  await expectOk(person.post(`/hubs/${hub.id}/discussions/${discussion.id}/save`));
}

const requestDeletion = async (person: Client) => expect((await person.delete('/users/me')).status).toBe(200);

/** Deletes the account of `person` and waits for the worker. */
async function deleteAccount(person: Client & { id: string }): Promise<void> {
  await requestDeletion(person);
  await waitUntilDeleted(opine, person.id);
}

// docs/product.md I17, I18
test('after account deletion the database holds nothing of a user but anonymous counts', async () => {
  const phoneNumber = newPhoneNumber();
  const digits = phoneNumber.slice(1);
  const jonas = await personWithContacts(opine, [
    aContact({ name: 'Z. from school', phoneNumbers: [phoneNumber, contactNumber()] }),
  ]);
  const post = await aSlider(await confirmedPerson(opine));
  const zephyrine = await signUp(phoneNumber);
  await castVote(zephyrine, post, 'right');
  await leaveTraces(zephyrine);

  // Proves that the search below can find each trace.
  const { deviceId, thought, article, ...personal } = TRACES;
  for (const trace of [digits, thought, article, ...Object.values(personal)]) {
    expect(await columnsWith(trace)).not.toEqual([]);
  }
  expect(await columnsWith(digits)).toEqual(
    expect.arrayContaining(['app.contacts.phone_numbers', 'app.hub_invitations.phone', 'app.users.phone']),
  );

  await requestDeletion(zephyrine);
  for (const trace of [digits, deviceId, ...Object.values(personal)]) {
    expect(await columnsWith(trace)).toEqual([]);
  }
  await waitUntilDeleted(opine, zephyrine.id);
  for (const trace of [thought, article]) expect(await columnsWith(trace)).toEqual([]);
  await foldAllVotes(opine);
  await advanceTime(opine, '1 day');
  await sql`select app.prune_feeds()`.execute(opine.database.superuser);
  expect(await columnsWith(zephyrine.id)).toEqual(['app.users.id', 'app.vote_receipts.user_id']);
  expect(await countsOf(jonas, post)).toEqual([0, 0, 0, 1, 0]);
  const { rows } = await sql<Json>`select * from app.users where id = ${zephyrine.id}`.execute(
    opine.database.superuser,
  );
  const { id, ended_at, created_at: _, ...rest } = rows[0];
  expect([id, ended_at]).toEqual([zephyrine.id, expect.any(Date)]);
  expect(new Set(Object.values(rest))).toEqual(new Set([null]));
});

test('account deletion removes the traces of users without a phone', async () => {
  const deviceId = 'install-of-who-had-no-phone-42';
  const { data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId });
  await deleteAccount({ ...clientOf(opine.url, data.accessToken), id: data.user.id });
  expect(await columnsWith(deviceId)).toEqual([]);
  const registered = await registeredPerson(opine, 'Ottoline Nightingale');
  expect(await columnsWith('Ottoline Nightingale')).not.toEqual([]);
  await deleteAccount(registered);
  expect(await columnsWith('Ottoline Nightingale')).toEqual([]);
  expect(await columnsWith(registered.username)).toEqual([]);
});

test('deleting an account removes the traces of an install that was merged into it', async () => {
  const known = await confirmedPerson(opine, 'Known');
  const anonymous = await anonymousPerson(opine);
  await advanceTime(opine, '1 minute');
  await requestOtp(anonymous, known.phoneNumber);
  const { data } = await enterCode(anonymous, known.phoneNumber);
  await deleteAccount({ ...clientOf(opine.url, data.accessToken), id: data.user.id });
  expect(await columnsWith(known.phoneNumber)).toEqual([]);
  expect(await columnsWith(known.username)).toEqual([]);
});

test('account deletion removes what concurrent requests of the user write', async () => {
  const fullName = 'Ignatius Merriweather';
  const name = 'Hortensia Bloom';
  const users: Person[] = [];
  for (const round of [1, 2, 3, 4]) {
    const { person, uploadId } = await withPendingSnapshot(opine, fullName);
    users.push(person);
    const basics = { fullName, username: `ignatius_again_${round}`, termsAccepted: true };
    const headers = { 'idempotency-key': `ignatius-${round}` };
    const { refreshToken } = person.session;
    const [ended, ...others] = await Promise.all([
      person.delete('/users/me'),
      uploadContacts(person, uploadId, [aContact({ name })]),
      registerDevice(person, newDeviceToken()),
      person.put('/users/me/onboarding/profile-basics', basics),
      person.post('/posts', { visibility: 'public', thoughtText: fullName }, { headers }),
      person.post('/users/handles/availability', { username: 'ignatius' }),
      aGuest(opine).post('/auth/session/refresh', { refreshToken }),
    ]);
    expect(ended.status).toBe(200);
    for (const { status } of others) expect([200, 201, 401, 404]).toContain(status);
  }
  for (const user of users) await waitUntilDeleted(opine, user.id);
  for (const trace of [fullName, name, 'ignatius_again']) expect(await columnsWith(trace)).toEqual([]);
  // Later pages of feeds need to know for a day who was hidden.
  await advanceTime(opine, '1 day');
  await sql`select app.prune_feeds()`.execute(opine.database.superuser);
  for (const { id } of users) expect(await columnsWith(id)).toEqual(['app.users.id']);
});
