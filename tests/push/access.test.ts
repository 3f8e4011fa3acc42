import { generateKeyPairSync } from 'node:crypto';
import type { Agent } from 'node:https';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFcm } from '../../src/push/fcm.ts';
import type { Push, PushSender } from '../../src/push/push.ts';
import { createSender } from '../../src/push/sender.ts';
import type { Json } from '../support/client.ts';
import { stopTimeouts } from '../support/clock.ts';
import { type FakeFcm, googleError, startFcm, TOKEN_SECONDS } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import type { FakeAnswer } from '../support/loopback.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import {
  aDeviceOf,
  attemptCountOf,
  deadLettersOf,
  newDeviceToken,
  type OpineWithPush,
  queuedCounts,
  requeue,
  startOpineWithPush,
} from '../support/pushes.ts';
import { eventually } from '../support/streams.ts';

const NEVER = new AbortController().signal;

const MAX_ATTEMPTS = 10;
const NOTHING_WAITS = { outbox: 0, pushes: 0 };

const REFUSED: FakeAnswer = { status: 400, body: { error: 'invalid_grant' } };
const OUTAGES: readonly [string, FakeAnswer][] = [
  ['does not answer', 'hang'],
  ['resets the connection', 'reset'],
  ['refuses access', REFUSED],
];

let fcm: FakeFcm;
let sender: PushSender;

beforeEach(async () => {
  fcm = await startFcm();
  sender = openSender((agent) => createFcm(fcm.account, agent));
});

afterEach(() => fcm.close());

/** Opens a sender, which is closed when the test ends. */
function openSender(create: (agent: Agent) => PushSender): PushSender {
  const created = create(fcm.agent());
  onTestFinished(() => created.close());
  return created;
}

function pushes(count: number): Push[] {
  return Array.from({ length: count }, () => ({
    device: { token: newDeviceToken(), platform: 'ios' },
    badge: 1,
    payload: { notificationId: crypto.randomUUID(), type: 'user_followed' },
  }));
}

async function outcomesOf(by: PushSender, count: number): Promise<string[]> {
  return (await by.send(pushes(count), NEVER)).map(({ outcome }) => outcome);
}

const REFUSALS: readonly [string, FakeAnswer][] = [
  [
    'invalid_grant',
    { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } },
  ],
  ['429', googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.')],
  ['500', { status: 500, body: { error: 'internal_failure' } }],
  ['503', { status: 503, body: '<html>' }],
  ['an empty body', { status: 200, body: '' }],
  ['HTML', { status: 200, body: '<html>' }],
  ['an answer without a token', { status: 200, body: { token_type: 'Bearer', expires_in: 3599 } }],
  ['a token without a lifetime', { status: 200, body: { access_token: 'x', expires_in: 'soon' } }],
  ['a cut answer', 'cut'],
  ['a reset', 'reset'],
];

describe('the access token of the push service', () => {
  test('one access token serves all messages while it is valid', async () => {
    expect(await outcomesOf(sender, 120)).toEqual(Array(120).fill('sent'));
    expect(await outcomesOf(sender, 3)).toEqual(Array(3).fill('sent'));
    expect(fcm.grants).toHaveLength(1);
    const bearers = new Set(fcm.requests.map(({ authorization }) => authorization));
    expect([...bearers]).toEqual([`Bearer ${fcm.grants[0]}`]);
  });

  test('an access token is renewed five minutes before it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await outcomesOf(sender, 1);
    const renewedAt = Date.now() + (TOKEN_SECONDS - 300) * 1_000;
    vi.setSystemTime(renewedAt - 2_000);
    await outcomesOf(sender, 1);
    expect(fcm.grants).toHaveLength(1);
    vi.setSystemTime(renewedAt);
    expect(await outcomesOf(sender, 1)).toEqual(['sent']);
    expect(fcm.grants).toHaveLength(2);
  });

  test('an access token is granted when a second ends between the times of its request', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { setIssuedAt } = SignJWT.prototype;
    const spy = vi.spyOn(SignJWT.prototype, 'setIssuedAt').mockImplementation(function (this: SignJWT, at) {
      const issued = setIssuedAt.call(this, at);
      vi.setSystemTime(Date.now() + 1_000);
      return issued;
    });
    onTestFinished(() => spy.mockRestore());
    expect(await outcomesOf(sender, 1)).toEqual(['sent']);
  });

  test('a revoked access token is replaced after one failed message', async () => {
    await outcomesOf(sender, 1);
    fcm.revoke();
    expect(await outcomesOf(sender, 1)).toEqual(['failed']);
    expect(await outcomesOf(sender, 1)).toEqual(['sent']);
    expect(fcm.grants).toHaveLength(2);
  });

  test('a wrong signing key gets no access token', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const impostor = openSender((agent) => createFcm({ ...fcm.account, private_key: privateKey }, agent));
    expect(await outcomesOf(impostor, 2)).toEqual(['failed', 'failed']);
    expect(fcm.requests).toEqual([]);
  });

  test('a malformed signing key fails the messages and does not throw', async () => {
    const keyless = openSender((agent) => createFcm({ ...fcm.account, private_key: 'none' }, agent));
    expect(await outcomesOf(keyless, 2)).toEqual(['failed', 'failed']);
  });

  test.each(REFUSALS)(
    'messages fail on %s, and the next messages request access again',
    async (_, answer) => {
      fcm.answerGrants(answer);
      expect(await outcomesOf(sender, 20)).toEqual(Array(20).fill('failed'));
      expect(fcm.requests).toEqual([]);
      // Waiting messages share an access request.
      expect(fcm.grants.length).toBeLessThan(20);
      fcm.answerGrants(null);
      expect(await outcomesOf(sender, 2)).toEqual(['sent', 'sent']);
    },
  );

  test('a server with an untrusted certificate receives no request', async () => {
    const { address, account } = fcm;
    const trusting = createSender({
      FIREBASE_SERVICE_ACCOUNT: account,
      PUSH_ADDRESS: address,
      PUSH_FILE: undefined,
      PUSH_LOC_KEYS: false,
    });
    onTestFinished(() => trusting?.close());
    expect(await trusting?.send(pushes(1), NEVER)).toEqual([
      { outcome: 'failed', failure: expect.any(String) },
    ]);
    expect([fcm.grants, fcm.requests]).toEqual([[], []]);
  });

  test('two senders of one account close independently', async () => {
    const other = createFcm(fcm.account, fcm.agent());
    expect(await outcomesOf(other, 1)).toEqual(['sent']);
    await other.close();
    expect(await outcomesOf(sender, 1)).toEqual(['sent']);
  });
});

test('a closing sender first sends its messages', async () => {
  const closing = createFcm(fcm.account, fcm.agent());
  const results = closing.send(pushes(60), NEVER);
  await closing.close();
  expect((await results).map(({ outcome }) => outcome)).toEqual(Array(60).fill('sent'));
  expect(fcm.taken).toHaveLength(60);
});

test('createSender returns null without configuration', () => {
  const none = {
    FIREBASE_SERVICE_ACCOUNT: undefined,
    PUSH_ADDRESS: undefined,
    PUSH_FILE: undefined,
    PUSH_LOC_KEYS: false,
  };
  expect(createSender(none)).toBeNull();
});

describe('an outage of the token endpoint', () => {
  /** Started for each test, so that no sender has access yet. */
  let opine: OpineWithPush;
  let maya: Person;
  let token: string;
  let notification: Json;

  beforeEach(async () => {
    opine = await startOpineWithPush();
    onTestFinished(() => opine.stop());
    maya = await registeredPerson(opine, 'Maya');
    token = await aDeviceOf(maya);
    await follow(await registeredPerson(opine), maya);
    [notification] = await notificationsOf(maya);
  });

  /** Delivers until the access request has failed, ten seconds after it began at the latest. */
  async function deliverInOutage(): Promise<void> {
    const passTime = stopTimeouts();
    const delivered = opine.deliver();
    await eventually(() => opine.fcm.grants).toEqual([null]);
    passTime(10_000);
    await delivered;
  }

  test.each(OUTAGES)(
    'a message waits while the token endpoint %s, and arrives once afterwards',
    async (_, answer) => {
      opine.fcm.answerGrants(answer);
      await deliverInOutage();
      expect(await attemptCountOf(opine, notification, token)).toBe(1);
      opine.fcm.answerGrants(null);
      for (const _ of [1, 2, 3]) await opine.deliverLater();
      // No request went to FCM without access.
      expect(opine.fcm.requests.map(({ message }) => message.data.notificationId)).toEqual([notification.id]);
      expect(opine.fcm.taken).toHaveLength(1);
      expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
      expect(await deadLettersOf(opine, maya)).toEqual([]);
    },
  );

  test('a message becomes a dead letter that staff can requeue when the token endpoint refuses access ten times', async () => {
    opine.fcm.answerGrants(REFUSED);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) await opine.deliverLater();
    expect(await queuedCounts(opine)).toEqual(NOTHING_WAITS);
    const letters = await deadLettersOf(opine, maya);
    expect(letters).toMatchObject([
      { notification_id: notification.id, channel: 'device', failure: 'app/invalid-credential' },
    ]);
    opine.fcm.answerGrants(null);
    await requeue(opine, letters[0]);
    await opine.deliver();
    expect(opine.sentTo(token).map(({ data }) => data.notificationId)).toEqual([notification.id]);
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });

  test('five devices share one access request and get the message after the outage', async () => {
    const tokens = [token];
    for (let count = 0; count < 4; count += 1) tokens.push(await aDeviceOf(maya));
    opine.fcm.answerGrants('hang');
    await deliverInOutage();
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 5 });
    opine.fcm.answerGrants(null);
    await opine.deliverLater();
    expect(tokens.map((one) => opine.sentTo(one).map(({ data }) => data.notificationId))).toEqual(
      tokens.map(() => [notification.id]),
    );
  });
});
