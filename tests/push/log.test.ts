import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectOk, type Json } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type FakeFcm, googleError, startFcm } from '../support/fcm.ts';
import { REFUSALS } from '../support/fcm-answers.ts';
import { follow } from '../support/graph.ts';
import { type Opine, testEnvironment, WITH_WORKER } from '../support/opine.ts';
import { whileInsertsFail, withoutColumn } from '../support/outages.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import { newDeviceToken, registerDevice, sentTo, tokenHash } from '../support/pushes.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const TIMEOUT = { timeout: 60_000, interval: 50 };

let database: TestDatabase;
let fcm: FakeFcm;
let server: ServerProcess;
let opine: Opine;
let log: string;
let lines: Json[];
const people: Person[] = [];
const tokens: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  fcm = await startFcm();
  server = await startServerProcess({
    ...testEnvironment(database),
    ...WITH_WORKER,
    ...fcm.environment,
    LOG_LEVEL: 'trace',
  });
  opine = { url: server.url, database, stop: async () => {} };
  await googleRefusesAccess();
  await googleRefusesMessages();
  await postgresFails();
  const { code, stdout, stderr } = await server.end();
  expect(code).toBe(0);
  log = stdout + stderr;
  lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
});

afterAll(async () => {
  await fcm.close();
  await database.drop();
});

/** Notifies a new person with a device of a new follower. */
async function notifySomebody(token = newDeviceToken()): Promise<string> {
  const [recipient, follower] = [
    await registeredPerson(opine, 'Hagebuttentee'),
    await registeredPerson(opine, 'Quitte'),
  ];
  people.push(recipient, follower);
  tokens.push(token);
  await expectOk(registerDevice(recipient, token));
  await follow(follower, recipient);
  return token;
}

async function googleRefusesAccess(): Promise<void> {
  const before = fcm.grants.length;
  fcm.answerGrants({
    status: 400,
    body: { error: 'invalid_grant', error_description: fcm.account.client_email },
  });
  await notifySomebody();
  await vi.waitUntil(() => fcm.grants.length > before, TIMEOUT);
  fcm.answerGrants(null);
}

async function googleRefusesMessages(): Promise<void> {
  // Errors of Google may quote the request.
  const quoting = newDeviceToken();
  const quotes = googleError(400, 'INVALID_ARGUMENT', `Invalid value: ${quoting} for Hagebuttentee`);
  const refused = [
    ...REFUSALS.map(({ answer }) => ({ token: newDeviceToken(), answer })),
    { token: quoting, answer: quotes },
  ];
  for (const { token, answer } of refused) {
    fcm.answer(token, answer);
    await notifySomebody(token);
  }
  await vi.waitUntil(() => refused.every(({ token }) => sentTo(fcm, token).length > 0), TIMEOUT);
}

async function postgresFails(): Promise<void> {
  await whileInsertsFail(database, 'realtime.messages', async () => {
    await notifySomebody();
    await vi.waitUntil(async () => (await failedSignals()) > 0, TIMEOUT);
  });
  await whileInsertsFail(database, 'app.pushes', async () => {
    const token = newDeviceToken();
    fcm.answer(token, googleError(500, 'INTERNAL', 'Internal error.'));
    await notifySomebody(token);
    await vi.waitUntil(() => isLogged('pushes were not settled'), TIMEOUT);
  });
  await withoutColumn(database, 'app.device_tokens', 'sealed_token', () =>
    vi.waitUntil(() => isLogged('deliver outbox') && isLogged('push to devices'), TIMEOUT),
  );
}

function isLogged(words: string): boolean {
  return server.written().stdout.includes(words);
}

/** Counts the outbox rows that failed and will be retried. */
async function failedSignals(): Promise<number> {
  const { rows } = await sql<Json>`select from app.outbox where attempt_count > 0`.execute(
    database.superuser,
  );
  return rows.length;
}

test('the log names the SQLSTATE of failed tasks and the FCM code of failed pushes', () => {
  const failed = lines.filter(({ msg, task }) => msg === 'task failed' && task === 'push to devices');
  expect(failed).not.toHaveLength(0);
  // check_violation and undefined_column
  for (const { err } of failed) expect(['23514', '42703']).toContain(err.sqlstate);
  const refused = lines.filter(({ msg }) => msg === 'pushes failed');
  expect(refused.flatMap(({ failures }) => Object.keys(failures))).toContain('SENDER_ID_MISMATCH');
});

test('the log holds no device token, name, message, access token or key', () => {
  const { private_key: key, client_email: email } = fcm.account;
  const grants = fcm.grants.filter((grant) => grant !== null);
  expect(grants).not.toHaveLength(0);
  expect(tokens.length).toBeGreaterThan(REFUSALS.length);
  const secrets = [
    ...tokens,
    ...tokens.map((token) => tokenHash(token).toString('hex')),
    ...people.map(({ username }) => username),
    ...people.map(({ session }) => session.accessToken),
    ...grants,
    email,
    ...key.split('\n').filter((line) => line.length > 20),
    'Hagebuttentee',
    'collapse',
    'You have a new follower',
  ];
  for (const secret of secrets) {
    const found = log.split('\n').filter((line) => line.toLowerCase().includes(secret.toLowerCase()));
    expect(found).toEqual([]);
  }
});
