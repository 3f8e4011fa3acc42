import { beforeEach, describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/auth/secrets.ts';
import { createLog } from '../../src/log.ts';
import type { Pushed } from '../../src/observability/watch.ts';
import type { Push, PushResult, PushSender } from '../../src/push/push.ts';
import { type ClaimedPush, createDispatch, type Dispatch } from '../../src/worker/dispatch.ts';
import type { Json } from '../support/client.ts';
import { stopTimeouts } from '../support/clock.ts';
import { type FunctionCall, fakeDatabase } from '../support/fake-database.ts';
import { HASH_SECRET } from '../support/opine.ts';

const NEVER = new AbortController().signal;
const { sealDeviceToken } = createSecrets(HASH_SECRET);
const LEASE = 'a lease';

/** The functions of Postgres that were called, with their arguments. */
let calls: FunctionCall[];
let pushed: Pushed[];
let lines: Json[];

beforeEach(() => {
  [calls, pushed, lines] = [[], [], []];
});

function dispatchTo(send: PushSender['send'] | null, isBroken = false): Dispatch {
  const log = createLog('info', (line) => lines.push(JSON.parse(line)));
  const meters = { pushed: (result: Pushed) => void pushed.push(result) };
  const sender = send && { send, close: async () => {} };
  const db = fakeDatabase((call) => {
    if (isBroken) throw new Error('refused');
    calls.push(call);
    return [''];
  });
  return createDispatch(db, sender, createSecrets(HASH_SECRET), log, meters);
}

function claimed(token: string, sealedToken = sealDeviceToken(token)): ClaimedPush {
  return {
    token_hash: `hash of ${token}`,
    platform: 'ios',
    sealed_token: sealedToken,
    badge: 1,
    payload: { notificationId: `about ${token}`, type: 'user_followed' },
  };
}

/** Returns how results name a message. */
const ofToken = (token: string) => ({ notificationId: `about ${token}`, tokenHash: `hash of ${token}` });
const refusedOf = (token: string, isGone: boolean, failure: string) => ({
  ...ofToken(token),
  isGone,
  failure,
});

const RESULTS: Readonly<Record<string, PushResult>> = {
  sent: { outcome: 'sent' },
  gone: { outcome: 'gone', failure: 'UNREGISTERED' },
  failed: { outcome: 'failed', failure: 'UNAVAILABLE' },
};
const byToken = async (pushes: readonly Push[]) =>
  pushes.map(({ device }) => RESULTS[device.token] ?? { outcome: 'sent' as const });
const MESSAGES = [claimed('gone'), claimed('unreadable', 'AAAA'), claimed('sent'), claimed('failed')];
const REFUSED = [
  refusedOf('gone', true, 'UNREGISTERED'),
  refusedOf('unreadable', true, 'sealed'),
  refusedOf('failed', false, 'UNAVAILABLE'),
];

describe('the results of push messages', () => {
  test('the results of published messages end their lease, each refusal with its own message', async () => {
    await dispatchTo(byToken).send(MESSAGES, LEASE, NEVER);
    expect(calls).toEqual([['app.settle_published', LEASE, { refused: REFUSED }]]);
  });

  test('the results of queued messages name those that are done, too', async () => {
    await dispatchTo(byToken).send(MESSAGES, null, NEVER);
    expect(calls).toEqual([['app.settle_pushes', { done: [ofToken('sent')], refused: REFUSED }]]);
  });

  test('a message whose token cannot be opened is not sent', async () => {
    const sent: string[] = [];
    const send: PushSender['send'] = async (pushes) => {
      sent.push(...pushes.map(({ device }) => device.token));
      return byToken(pushes);
    };
    await dispatchTo(send).send(MESSAGES, LEASE, NEVER);
    expect(sent).toEqual(['gone', 'sent', 'failed']);
  });

  test('messages are dropped without a push service, and count as done', async () => {
    await dispatchTo(null).send([claimed('sent')], null, NEVER);
    expect(calls).toEqual([['app.settle_pushes', { done: [ofToken('sent')], refused: [] }]]);
    expect(pushed).toEqual([{ outcome: 'dropped' }]);
  });

  test('each result is counted, and the failures are logged by their codes', async () => {
    await dispatchTo(byToken).send([...MESSAGES, claimed('failed')], LEASE, NEVER);
    expect(pushed).toEqual([
      RESULTS.gone,
      { outcome: 'gone', failure: 'sealed' },
      RESULTS.sent,
      ...Array(2).fill(RESULTS.failed),
    ]);
    expect(lines).toMatchObject([{ msg: 'pushes failed', failures: { UNAVAILABLE: 2 } }]);
  });

  test('nothing is logged when no message failed, and nothing is recorded for none', async () => {
    const dispatch = dispatchTo(byToken);
    await dispatch.send([claimed('sent'), claimed('gone')], LEASE, NEVER);
    await dispatch.send([], null, NEVER);
    expect([calls.length, lines]).toEqual([1, []]);
  });
});

test('messages that are not sent after 80 seconds are stopped, because their lease ends', async () => {
  const passTime = stopTimeouts();
  const sending = Promise.withResolvers<void>();
  let stopping: AbortSignal | undefined;
  const sent = dispatchTo(async (pushes, signal) => {
    stopping = signal;
    await sending.promise;
    return byToken(pushes);
  }).send([claimed('sent')], LEASE, NEVER);
  passTime(79_999);
  expect(stopping?.aborted).toBe(false);
  passTime(1);
  expect(stopping?.aborted).toBe(true);
  sending.resolve();
  await sent;
});

test('messages are stopped with the worker', async () => {
  const worker = new AbortController();
  let stopping: AbortSignal | undefined;
  await dispatchTo(async (pushes, signal) => {
    worker.abort();
    stopping = signal;
    return byToken(pushes);
  }).send([claimed('sent')], LEASE, worker.signal);
  expect(stopping?.aborted).toBe(true);
});

describe('the room of a dispatch', () => {
  test('a dispatch has room for 3,000 messages, which messages in progress take', async () => {
    const sending = Promise.withResolvers<void>();
    const dispatch = dispatchTo(async (pushes) => {
      await sending.promise;
      return byToken(pushes);
    });
    expect(dispatch.room()).toBe(3_000);
    const sent = [
      dispatch.send([claimed('sent'), claimed('gone')], LEASE, NEVER),
      dispatch.send(Array(2_997).fill(claimed('sent')), LEASE, NEVER),
    ];
    expect(dispatch.room()).toBe(1);
    sent.push(dispatch.send([claimed('sent'), claimed('sent')], LEASE, NEVER));
    expect(dispatch.room()).toBe(0);
    let isIdle = false;
    const idle = dispatch.idle().then(() => {
      isIdle = true;
    });
    await new Promise(setImmediate);
    expect(isIdle).toBe(false);
    sending.resolve();
    await Promise.all([idle, ...sent]);
    expect(dispatch.room()).toBe(3_000);
  });

  test('messages whose results cannot be recorded are logged, and make room', async () => {
    const dispatch = dispatchTo(byToken, true);
    await dispatch.send([claimed('sent')], LEASE, AbortSignal.abort());
    expect(lines).toMatchObject([{ msg: 'pushes were not settled' }]);
    expect([dispatch.room(), pushed]).toEqual([3_000, []]);
  });
});
