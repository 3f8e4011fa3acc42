import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, clientOf, type Json } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import {
  aContact,
  allowContacts,
  aNumber,
  aPersonWhoKnows,
  upload,
  withPendingSnapshot,
} from '../support/contacts.ts';
import { aDeviceToken, register } from '../support/devices.ts';
import { votesAreFolded } from '../support/fold.ts';
import { aComment, aRepost, place, requestReport, requestSave, share } from '../support/frames.ts';
import { granted } from '../support/graph.ts';
import { aHub, aHubPost, aMessage, discussionOf, join, requestInvite } from '../support/hubs.ts';
import {
  aConfirmed,
  aGuest,
  aHubReady,
  anAnonymous,
  aPhone,
  aRegistered,
  type Person,
} from '../support/people.ts';
import { aSlider, publish } from '../support/posts.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { castVote, countsOf } from '../support/votes.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

/** What may not be left of somebody, as the database would hold it. */
const TRACES = {
  fullName: 'Zephyrine Quillfeather',
  handle: 'zephyrine_q',
  deviceId: 'install-of-zephyrine-0123456789',
  contactName: 'Barnaby Thistlewood',
  contactNumber: aNumber(),
  thought: 'Quokkas deserve the vote.',
  article: 'https://quokka.example/zephyrine',
} as const;

interface Column {
  readonly schema: string;
  readonly name: string;
  readonly column: string;
  readonly is_bytea: boolean;
}

/** Every column of every table that is Opine's, by the catalogue. */
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

/** Where the database holds `trace`, in whatever case: as text, within JSON or a list, or as bytes. */
async function placesOf(trace: string): Promise<string[]> {
  const bytes = Buffer.from(trace);
  const places: string[] = [];
  for (const { schema, name, column, is_bytea } of await everyColumn()) {
    const value = sql.ref(column);
    const holds = is_bytea
      ? sql`position(${bytes}::bytea in ${value}) > 0`
      : sql`position(lower(${trace}::text) in lower(${value}::text)) > 0
          or position(${bytes.toString('hex')}::text in ${value}::text) > 0`;
    const { rows } = await sql`select from ${sql.table(`${schema}.${name}`)} where ${holds} limit 1`.execute(
      opine.database.superuser,
    );
    if (rows.length > 0) places.push(`${schema}.${name}.${column}`);
  }
  return places;
}

/** Somebody opens the app on an install and verifies a phone there. */
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

/** `person` does what there is to do. */
async function liveIn(person: Person): Promise<void> {
  const { contactName: name, contactNumber, handle, thought: thoughtText, article: url } = TRACES;
  const { data } = await allowContacts(person, { permission: 'granted', contactCount: 1 });
  const book = [aContact({ name, phoneNumbers: [contactNumber] })];
  expect((await upload(person, data.snapshot.uploadId, book)).status).toBe(200);
  expect((await register(person, aDeviceToken())).status).toBe(200);
  await person.post('/users/handles/availability', { username: handle });
  const post = { visibility: 'public', thoughtText, article: { url, title: thoughtText } };
  const headers = { 'idempotency-key': 'a-key-of-Zephyrine' };
  expect((await person.post('/posts', post, { headers })).status).toBe(201);
  expect((await publish(person, { thoughtText, sliderText: 'Do they?' })).status).toBe(201);
  const { refreshToken } = person.session;
  expect((await aGuest(opine).post('/auth/session/refresh', { refreshToken })).status).toBe(200);
  await opine.storage.keep(opine.database, person.id);
  await meetInHub(person);
  await takePart(person);
}

/** `person` does with somebody else's post what can be done with one. */
async function takePart(person: Person): Promise<void> {
  const { thought: text } = TRACES;
  const other = await aHubReady(opine);
  const post = await aSlider(other);
  const comment = await aComment(person, post, text);
  await aComment(other, post, 'I see.', { parentCommentId: comment.id });
  await aRepost(person, post, { thoughtText: text });
  await share(person, post);
  await granted(requestSave(person, post));
  await granted(requestReport(person, 'users', other));
  await place(person, post, await aHub(person));
}

/** `person` is in a Hub of somebody else's, under their name, and takes part. */
async function meetInHub(person: Person): Promise<void> {
  const { fullName: displayName, contactNumber, thought: thoughtText } = TRACES;
  const keeper = await aHubReady(opine);
  const hub = await aHub(keeper);
  await join(keeper, hub, [person]);
  await granted(person.patch('/users/me/hub-profile', { displayName }));
  await granted(requestInvite(person, hub, contactNumber));
  const discussion = await discussionOf(keeper, hub, await aHubPost(person, [hub], { thoughtText }));
  await aMessage(person, discussion, 'As I said.');
  await granted(person.post(`/hubs/${hub.id}/discussions/${discussion.id}/save`));
}

const end = async (person: Client) => expect((await person.delete('/users/me')).status).toBe(200);

/** The end of `person`'s account, and of what the worker has to do about it. */
async function leave(person: Client & { id: string }): Promise<void> {
  await end(person);
  await untilGone(opine, person.id);
}

test('of somebody who did everything and left, nothing is left but anonymous counts', async () => {
  const phoneNumber = aPhone();
  const digits = phoneNumber.slice(1);
  const jonas = await aPersonWhoKnows(opine, [
    aContact({ name: 'Z. from school', phoneNumbers: [phoneNumber, aNumber()] }),
  ]);
  const post = await aSlider(await aConfirmed(opine));
  const zephyrine = await signUp(phoneNumber);
  await castVote(zephyrine, post, 'right');
  await liveIn(zephyrine);

  // What is looked for below would be found.
  const { deviceId, thought, article, ...personal } = TRACES;
  for (const trace of [digits, thought, article, ...Object.values(personal)]) {
    expect(await placesOf(trace)).not.toEqual([]);
  }
  expect(await placesOf(digits)).toEqual(
    expect.arrayContaining(['app.contacts.phone_numbers', 'app.hub_invitations.phone', 'app.users.phone']),
  );

  await end(zephyrine);
  for (const trace of [digits, deviceId, ...Object.values(personal)]) {
    expect(await placesOf(trace)).toEqual([]);
  }
  await untilGone(opine, zephyrine.id);
  for (const trace of [thought, article]) expect(await placesOf(trace)).toEqual([]);
  await votesAreFolded(opine);
  await timePasses(opine, '1 day');
  await sql`select app.prune_feeds()`.execute(opine.database.superuser);
  expect(await placesOf(zephyrine.id)).toEqual(['app.users.id', 'app.vote_receipts.user_id']);
  expect(await countsOf(jonas, post)).toEqual([0, 0, 0, 1, 0]);
  const { rows } = await sql<Json>`select * from app.users where id = ${zephyrine.id}`.execute(
    opine.database.superuser,
  );
  const { id, ended_at, created_at: _, ...rest } = rows[0];
  expect([id, ended_at]).toEqual([zephyrine.id, expect.any(Date)]);
  expect(new Set(Object.values(rest))).toEqual(new Set([null]));
});

test('others lose their whole entry of who left, and nothing that they know of others', async () => {
  const leaver = await aConfirmed(opine);
  const jonas = await aPersonWhoKnows(opine, [
    aContact({ name: 'Two phones', phoneNumbers: [leaver.phoneNumber, aNumber()] }),
    aContact({ name: 'One phone', phoneNumbers: [leaver.phoneNumber] }),
    aContact({ name: 'Another', phoneNumbers: [aNumber()] }),
  ]);
  await leave(leaver);
  const { rows } = await sql<Json>`select name from app.contacts where user_id = ${jonas.id}`.execute(
    opine.database.superuser,
  );
  expect(rows).toEqual([{ name: 'Another' }]);
});

test('somebody anonymous or without a phone leaves as little', async () => {
  const deviceId = 'install-of-who-had-no-phone-42';
  const { data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId });
  await leave({ ...clientOf(opine.url, data.accessToken), id: data.user.id });
  expect(await placesOf(deviceId)).toEqual([]);
  const registered = await aRegistered(opine, 'Ottoline Nightingale');
  expect(await placesOf('Ottoline Nightingale')).not.toEqual([]);
  await leave(registered);
  expect(await placesOf('Ottoline Nightingale')).toEqual([]);
  expect(await placesOf(registered.username)).toEqual([]);
});

test('an install that moved to a phone is forgotten with the merged account', async () => {
  const known = await aConfirmed(opine, 'Known');
  const anonymous = await anAnonymous(opine);
  await timePasses(opine, '1 minute');
  await requestOtp(anonymous, known.phoneNumber);
  const { data } = await enterCode(anonymous, known.phoneNumber);
  await leave({ ...clientOf(opine.url, data.accessToken), id: data.user.id });
  expect(await placesOf(known.phoneNumber)).toEqual([]);
  expect(await placesOf(known.username)).toEqual([]);
});

test('what comes in while somebody leaves goes as well', async () => {
  const fullName = 'Ignatius Merriweather';
  const name = 'Hortensia Bloom';
  const leavers: Person[] = [];
  for (const round of [1, 2, 3, 4]) {
    const { person, uploadId } = await withPendingSnapshot(opine, fullName);
    leavers.push(person);
    const basics = { fullName, username: `ignatius_again_${round}`, termsAccepted: true };
    const headers = { 'idempotency-key': `ignatius-${round}` };
    const { refreshToken } = person.session;
    const [ended, ...others] = await Promise.all([
      person.delete('/users/me'),
      upload(person, uploadId, [aContact({ name })]),
      register(person, aDeviceToken()),
      person.put('/users/me/onboarding/profile-basics', basics),
      person.post('/posts', { visibility: 'public', thoughtText: fullName }, { headers }),
      person.post('/users/handles/availability', { username: 'ignatius' }),
      aGuest(opine).post('/auth/session/refresh', { refreshToken }),
    ]);
    expect(ended.status).toBe(200);
    for (const { status } of others) expect([200, 201, 401, 404]).toContain(status);
  }
  for (const leaver of leavers) await untilGone(opine, leaver.id);
  for (const trace of [fullName, name, 'ignatius_again']) expect(await placesOf(trace)).toEqual([]);
  for (const { id } of leavers) expect(await placesOf(id)).toEqual(['app.users.id']);
});
