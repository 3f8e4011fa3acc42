import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import type { Json, Reply } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  cookieOf,
  idpEnvironment,
  phoneClaims,
  staffClaims,
  staffIdpEnvironment,
  withCookie,
} from '../support/id-tokens.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import {
  exerciseHub,
  exercisePeople,
  exercisePost,
  type JourneyPerson,
  type Recorder,
  recorderOf,
  uploadPicture,
} from '../support/journey.ts';
import { SIGNING_KEY } from '../support/keys.ts';
import { advanceTime, testEnvironment, WITH_WORKER } from '../support/opine.ts';
import { whileInsertsFail, withoutColumn, withoutDatabase } from '../support/outages.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { codeIn, otherCode, smsEnvironment } from '../support/sign-in.ts';
import { type FlakyStorage, startFlakyStorage } from '../support/storage.ts';
import { type FakeTwilio, startTwilio, TWILIO_ACCOUNT } from '../support/twilio.ts';

const PHONE = '+4915112340042';
const OTHER_PHONE = '+4915112340043';
const NEW_PHONE = '+4915112340044';
const DEVICE = 'device-of-a-private-person';
const STAFF = 'rhabarberkuchen@opine.example';
const PUSH_TOKEN = 'Hagebuttentee-on-a-phone';
const BASICS = { fullName: 'Hagebuttentee', username: 'quittengelee', termsAccepted: true };
const CONTENT = {
  thoughtText: 'Rhabarberkuchen?',
  article: { title: 'Quittengelee' },
  sliderText: 'Mirabellenmus!',
};
const STATEMENT = { reason: 'spam', statement: 'Quittengelee' };

let database: TestDatabase;
let twilio: FakeTwilio;
let provider: IdentityProvider;
let storage: FlakyStorage;
let server: ServerProcess;
let guest: Recorder;
let log: string;
let lines: Json[];
const codes = new Set<string>();

beforeAll(async () => {
  database = await createTestDatabase();
  twilio = await startTwilio();
  provider = await startIdentityProvider();
  storage = await startFlakyStorage();
  server = await startServerProcess({
    ...testEnvironment(database),
    ...WITH_WORKER,
    ...smsEnvironment(twilio),
    ...idpEnvironment(provider),
    ...staffIdpEnvironment(provider, STAFF),
    ...storage.environment,
    LOG_LEVEL: 'debug',
  });
  guest = recorderOf(server.url);
  const session = await mayaSignsIn();
  const maya = guest.as(session.accessToken);
  const post = await mayaPublishes(maya);
  await mayaVotes(maya, post);
  await mayaSyncs(maya);
  const friend = await jonas();
  await exercisePeople(maya, guest, friend);
  await exercisePost(maya, guest, { database, post, friend: friend.id, word: 'Mirabellenmus' });
  await uploadPicture(maya, 'Rhabarberkuchen.png');
  await exerciseHub(maya, guest, { database, phoneNumber: PHONE, other: OTHER_PHONE, word: 'Hagebuttentee' });
  await staffSignsIn(maya, friend);
  await postgresRefusesRows(maya);
  await mayaChangesHerPhone(maya);
  await dependenciesAreDown(maya, post);
  await mayaLogsOut(maya, post, session.refreshToken);
  await mayaDeletesHerAccount();
  const { code, stdout, stderr } = await server.end();
  expect(code).toBe(0);
  log = stdout + stderr;
  lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
});

afterAll(async () => {
  await twilio.close();
  await provider.close();
  await storage.remove();
  await database.drop();
});

async function mayaSignsIn(): Promise<Json> {
  await guest.call('get_login_config');
  const { accessToken } = await guest.call('start_anonymous_session', { body: { deviceId: DEVICE } });
  const anonymous = guest.as(accessToken);
  const phone = { phoneNumber: PHONE };
  await anonymous.call('create_post', { body: { ...CONTENT, visibility: 'public' } });
  await anonymous.call('request_otp', { body: phone });
  await anonymous.call('request_otp', { body: phone });
  const code = codeIn(twilio, PHONE);
  codes.add(code).add(otherCode(code));
  await anonymous.call('verify_otp', { body: { ...phone, code: otherCode(code) } });
  return anonymous.call('verify_otp', { body: { ...phone, code } });
}

async function mayaPublishes(maya: Recorder): Promise<string> {
  await maya.call('save_profile_basics', { body: { ...BASICS, fullName: 'H', note: 'Mirabellenmus' } });
  await maya.call('save_profile_basics', { body: BASICS });
  await maya.call('complete_media', { body: {} });
  await maya.call('get_onboarding_status');
  const headers = { 'idempotency-key': 'Quittengelee-1' };
  const { id } = await maya.call('create_post', { body: { ...CONTENT, visibility: 'public' }, headers });
  await maya.call('create_post', { body: { ...CONTENT, visibility: 'Hagebuttentee' } });
  await maya.call('create_post', { body: '{"thoughtText": "Rhabarberkuchen' });
  await maya.call('get_home_feed');
  await guest.call('get_home_feed', { query: '?cursor=Quittengelee' });
  await maya.call('get_post', { id });
  await maya.call('get_post', { id: 'Rhabarberkuchen' });
  await guest.as('Hagebuttentee.is.no-token').call('get_onboarding_status');
  return id;
}

async function mayaVotes(maya: Recorder, post: string): Promise<void> {
  const vote = (position: string) => maya.call('cast_vote', { body: { position }, id: post });
  await vote('strong_middle');
  await whileInsertsFail(database, 'app.vote_slots', () => vote('neutral'));
  await whileInsertsFail(database, 'app.vote_receipts', () => vote('strong_right'));
  await vote('strong_left');
  await vote('strong_right');
  await maya.call('get_my_vote', { id: post });
  await maya.call('get_vote_summary', { id: post });
  await maya.call('get_vote_distribution', { id: post });
  await maya.call('get_hub_votes', { id: post });
}

/** Creates a second user for Maya to interact with. */
async function jonas(): Promise<JourneyPerson> {
  const { accessToken, user } = await guest.call('start_anonymous_session', {
    body: { deviceId: `${DEVICE} of Jonas` },
  });
  const words = { fullName: 'Mirabellenmus', username: 'rhabarberkuchen' };
  await guest.as(accessToken).call('save_profile_basics', { body: { ...words, termsAccepted: true } });
  return { id: user.id, username: words.username, name: words.fullName };
}

async function mayaSyncs(maya: Recorder): Promise<void> {
  await maya.call('check_handle', { body: { username: 'Quittengelee' } });
  const device = { token: PUSH_TOKEN, platform: 'ios' };
  await maya.call('register_device_token', { body: device });
  await maya.call('register_device_token', { body: { ...device, platform: 'Mirabellenmus' } });
  await whileInsertsFail(database, 'app.device_tokens', () =>
    maya.call('register_device_token', { body: device }),
  );
  await maya.call('remove_device_token', { body: { token: PUSH_TOKEN } });
  await maya.call('list_notifications', { query: '?unreadOnly=true' });
  await maya.call('list_notifications', { query: '?cursor=Rhabarberkuchen' });
  await maya.call('stream_notifications');
  await maya.call('get_notification_preferences');
  await maya.call('update_notification_preferences', { body: { push: { user_followed: false } } });
  await maya.call('update_notification_preferences', { body: { quietHours: { timeZone: 'Quittengelee' } } });
  await maya.call('mark_notifications_read', { body: { all: true } });
  await maya.call('mark_notifications_read', { body: { notificationId: 'Quittengelee' } });
  const { snapshot } = await maya.call('sync_contacts', { body: { permission: 'granted' } });
  const id = snapshot.uploadId;
  const contacts = (phoneNumber: string) => ({
    contacts: [{ name: 'Quittengelee', phoneNumbers: [phoneNumber] }],
  });
  await maya.call('store_contacts', { body: contacts('Rhabarberkuchen'), id });
  await whileInsertsFail(database, 'app.contacts', () =>
    maya.call('store_contacts', { body: contacts(OTHER_PHONE), id }),
  );
  await maya.call('store_contacts', { body: contacts(OTHER_PHONE), id });
}

async function staffSignsIn(maya: Recorder, friend: JourneyPerson): Promise<void> {
  await guest.call('get_staff_config');
  const idToken = await provider.sign(staffClaims(STAFF));
  const refused = await provider.sign(staffClaims('quittengelee@opine.example'));
  guest.keep(idToken, refused);
  await guest.call('start_staff_session', { body: { idToken: 'Hagebuttentee.of.nobody' } });
  await guest.call('start_staff_session', { body: { idToken: refused } });
  await whileInsertsFail(database, 'staff.audit_log', () =>
    guest.call('start_staff_session', { body: { idToken } }),
  );
  await guest.call('start_staff_session', { body: { idToken } });
  const reply = lastReply();
  const { headers } = withCookie(reply ? cookieOf(reply) : '');
  guest.keep(headers.cookie.split('=')[1] ?? '');
  await guest.call('get_staff_session', { headers });
  await staffDecides(headers);
  await mayaAppeals(maya, headers);
  await jonasAppeals(friend, headers);
  await staffKeepsLists(headers);
  await guest.call('end_staff_session', { headers });
}

const lastReply = (): Reply | undefined => [...guest.calls.values()].at(-1)?.reply;

async function staffDecides(headers: Record<string, string>): Promise<void> {
  const asStaff = { headers, id: crypto.randomUUID(), body: { reason: 'Quittengelee' } };
  const found = await guest.call('find_accounts', { headers, body: { q: PHONE } });
  await guest.call('find_accounts', { headers, body: { q: 'rhabarberkuchen' } });
  await guest.call('unmask_phone', { ...asStaff, id: found.items[0].userId });
  await guest.call('why_visible', { headers, id: asStaff.id, body: { viewerId: found.items[0].userId } });
  await guest.call('list_reports', { headers, query: '?cursor=Mirabellenmus' });
  for (const operation of ['claim_report', 'release_report']) {
    await guest.call(operation, { headers, id: asStaff.id });
  }
  for (const operation of ['dismiss_report', 'restore_user', 'restore_hub']) {
    await guest.call(operation, asStaff);
  }
  for (const operation of ['remove_content', 'suspend_user', 'suspend_hub']) {
    await guest.call(operation, { ...asStaff, body: STATEMENT });
  }
  await guest.call('get_account_history', { headers, id: found.items[0].userId });
  await guest.call('list_dead_letters', { headers });
  await guest.call('requeue_dead_letter', { headers, id: 'Hagebuttentee' });
  await guest.call('get_staff_health', { headers });
}

/** Staff removes a post of Maya's, who appeals. */
async function mayaAppeals(maya: Recorder, headers: Record<string, string>): Promise<void> {
  const post = await maya.call('create_post', { body: { ...CONTENT, visibility: 'public' } });
  const { accessToken } = await guest.call('start_anonymous_session', {
    body: { deviceId: `${DEVICE} of Lena` },
  });
  const reports = { id: post.id, body: { reason: 'spam' } };
  const { reportId } = await guest.as(accessToken).call('report_post', reports);
  await guest.call('view_reported_media', { headers, id: reportId });
  await whileInsertsFail(database, 'app.decisions', () =>
    guest.call('remove_content', { headers, id: reportId, body: STATEMENT }),
  );
  await guest.call('remove_content', { headers, id: reportId, body: STATEMENT });
  await maya.call('list_own_reports');
  const [{ id }] = (await maya.call('list_moderation_decisions')).items;
  await appealTwice(() => maya.call('appeal_decision', { id, body: { text: 'Mirabellenmus' } }));
  await guest.call('list_appeals', { headers });
  const body = { outcome: 'upheld', statement: 'Hagebuttentee' };
  await guest.call('decide_appeal', { headers, id, body });
}

/** Staff suspends Jonas, who appeals with the token of his refused sign-in. */
async function jonasAppeals({ id }: JourneyPerson, headers: Record<string, string>): Promise<void> {
  await guest.call('suspend_user', { headers, id, body: STATEMENT });
  await guest.call('start_anonymous_session', { body: { deviceId: `${DEVICE} of Jonas` } });
  const appealToken: string = lastReply()?.error.details.appealToken;
  guest.keep(appealToken);
  const text = 'Rhabarberkuchen';
  await guest.call('appeal_suspension', { body: { appealToken: 'Hagebuttentee', text } });
  await appealTwice(() => guest.call('appeal_suspension', { body: { appealToken, text } }));
}

async function appealTwice(appeals: () => Promise<Json>): Promise<void> {
  await whileInsertsFail(database, 'app.appeals', appeals);
  await appeals();
}

async function staffKeepsLists(headers: Record<string, string>): Promise<void> {
  const member = { email: 'hagebuttentee@opine.example', reason: 'Quittengelee' };
  await guest.call('admit_staff', { headers, body: { ...member, role: 'support' } });
  await guest.call('dismiss_staff', { headers, body: member });
  for (const operation of ['list_staff', 'list_audit_log', 'list_closed_reports', 'get_staff_numbers']) {
    await guest.call(operation, { headers });
  }
  const body = { term: 'Quittengelee', reason: 'Mirabellenmus' };
  await whileInsertsFail(database, 'staff.blocked_terms', () =>
    guest.call('add_blocked_term', { headers, body }),
  );
  for (const operation of ['add_blocked_term', 'remove_blocked_term', 'remove_blocked_term']) {
    await guest.call(operation, { headers, body });
    await guest.call('list_blocked_terms', { headers });
  }
  const user = { username: BASICS.username, reason: 'Mirabellenmus' };
  await guest.call('add_default_feed_user', { headers, body: user });
  await guest.call('list_default_feed_users', { headers });
  await guest.call('remove_default_feed_user', { headers, body: user });
}

async function mayaChangesHerPhone(maya: Recorder): Promise<void> {
  const body = { phoneNumber: NEW_PHONE };
  await maya.call('request_phone_change', { body });
  const code = codeIn(twilio, NEW_PHONE);
  codes.add(code).add(otherCode(code));
  await maya.call('verify_phone_change', { body: { ...body, code: otherCode(code) } });
  await maya.call('verify_phone_change', { body: { ...body, code } });
}

async function postgresRefusesRows(maya: Recorder): Promise<void> {
  const body = { ...CONTENT, visibility: 'public' };
  await whileInsertsFail(database, 'app.posts', () => maya.call('create_post', { body }));
  await whileInsertsFail(database, 'app.profiles', () => maya.call('save_profile_basics', { body: BASICS }));
  await whileInsertsFail(database, 'app.users', async () => {
    await guest.call('request_otp', { body: { phoneNumber: OTHER_PHONE } });
    const code = codeIn(twilio, OTHER_PHONE);
    codes.add(code);
    await guest.call('verify_otp', { body: { phoneNumber: OTHER_PHONE, code } });
  });
}

async function dependenciesAreDown(maya: Recorder, post: string): Promise<void> {
  await withoutColumn(database, 'app.posts', 'author_id', () => maya.call('get_post', { id: post }));
  await advanceTime({ database }, '1 minute');
  twilio.answerNext(...Array.from({ length: 5 }, () => ({ status: 500, body: `{"to":"${PHONE}"}` })));
  await guest.call('request_otp', { body: { phoneNumber: PHONE } });
  await withoutDatabase(database, async () => {
    await maya.call('get_post', { id: post });
    await maya.call('cast_vote', { body: { position: 'strong_left' }, id: post });
    await guest.call('verify_otp', { body: { phoneNumber: PHONE, code: codeIn(twilio, PHONE) } });
  });
}

async function mayaLogsOut(maya: Recorder, post: string, refreshToken: string): Promise<void> {
  await guest.call('refresh_session', { body: { refreshToken } });
  await maya.call('delete_post', { id: post });
  const nobodys = {
    refreshToken: 'Rhabarberkuchen-token',
    logoutFromAllDevices: false,
    notificationDeviceToken: PUSH_TOKEN,
  };
  await maya.call('log_out', { body: nobodys });
  await advanceTime({ database }, '2 minutes');
  await guest.call('refresh_session', { body: { refreshToken } });
  await maya.call('get_onboarding_status');
}

async function mayaDeletesHerAccount(): Promise<void> {
  const idToken = await provider.sign(phoneClaims(NEW_PHONE));
  guest.keep(idToken);
  await provider.rotate();
  await provider.vanish();
  await guest.call('exchange_id_token', { body: { idToken: await provider.sign(phoneClaims(NEW_PHONE)) } });
  await provider.recover();
  await guest.call('exchange_id_token', { body: { idToken: 'Hagebuttentee' } });
  const { accessToken } = await guest.call('exchange_id_token', { body: { idToken } });
  await guest.as(accessToken).call('delete_account');
}

/** Returns what the log must not contain: a name and the text of each secret. */
function secrets(): [string, string][] {
  const { HASH_SECRET = '', DATABASE_URL = '' } = testEnvironment(database);
  const texts = ['Rhabarberkuchen', 'Quittengelee', 'Mirabellenmus', 'Hagebuttentee'];
  return [
    ...[...guest.tokens].map((token): [string, string] => ['a token', token]),
    ...texts.map((text): [string, string] => ['a text', text]),
    ['the phone', PHONE.slice(3)],
    ['the other phone', OTHER_PHONE.slice(3)],
    ['the new phone', NEW_PHONE.slice(3)],
    ['the device', DEVICE],
    ['a position', 'strong_'],
    ['the position in the middle', 'neutral'],
    ['the secret of hashes', HASH_SECRET],
    ['the signing key', SIGNING_KEY.d ?? ''],
    ["Twilio's token", TWILIO_ACCOUNT.authToken],
    ["the database's password", new URL(DATABASE_URL).password],
  ];
}

describe('the log', () => {
  test('the logged requests cover every operation and every kind of status', () => {
    const calls = [...guest.calls.values()];
    const statuses = new Set(calls.map(({ reply }) => reply.status));
    expect([...statuses].sort()).toEqual([200, 201, 400, 401, 403, 404, 409, 422, 429, 500, 503]);
    const called = new Set(calls.map(({ operation }) => operation));
    expect([...called].sort()).toEqual(ROUTES.map(({ id }) => id).sort());
  });

  test('each request has one log line with its id, operation and status', () => {
    const lineOf = Map.groupBy(lines, ({ requestId, status }) => status && requestId);
    for (const [requestId, { operation, reply }] of guest.calls) {
      const { status } = reply;
      expect(lineOf.get(requestId)).toEqual([expect.objectContaining({ requestId, operation, status })]);
    }
  });

  test('each 500 is logged as fatal or error with its SQLSTATE', () => {
    const faults = lines.filter(({ status }) => status === 500);
    expect(faults.length).toBeGreaterThanOrEqual(15);
    for (const { level, err } of faults) {
      expect(level).toBeGreaterThanOrEqual(50);
      expect(err.sqlstate).toMatch(/^[0-9A-Z]{5}$/);
    }
  });

  test('the log contains no token, phone, text, position or key', () => {
    for (const [name, secret] of secrets()) {
      expect(secret.length).toBeGreaterThan(5);
      const found = log.split('\n').filter((line) => line.toLowerCase().includes(secret.toLowerCase()));
      expect([name, found]).toEqual([name, []]);
    }
  });

  test('the log contains no payload or signature of an access token', () => {
    const accessTokens = [...guest.tokens]
      .map((token) => token.split('.'))
      .filter(({ length }) => length === 3);
    expect(accessTokens).not.toHaveLength(0);
    for (const part of accessTokens.flatMap(([, ...parts]) => parts)) expect(log).not.toContain(part);
  });

  test('the log contains no one-time code', () => {
    const logged = lines.map(({ time: _, pid: __, requestId: ___, milliseconds: ____, ...line }) => line);
    for (const code of codes) {
      const pattern = new RegExp(`(?<![\\w.:-])${code}(?![\\w.:-])`);
      expect(logged.filter((line) => pattern.test(JSON.stringify(line)))).toEqual([]);
    }
  });
});
