import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createFcm } from '../../src/push/fcm.ts';
import type { Push, PushSender } from '../../src/push/push.ts';
import { waitWithoutClock } from '../support/clock.ts';
import { type FakeFcm, fcmCode, googleError, startFcm } from '../support/fcm.ts';
import { REFUSALS, SILENCES } from '../support/fcm-answers.ts';
import { newDeviceToken } from '../support/pushes.ts';

const GONE = googleError(404, 'NOT_FOUND', 'Requested entity was not found.', [fcmCode('UNREGISTERED')]);
const HOUR_MS = 3_600_000;

const NEVER = new AbortController().signal;

let fcm: FakeFcm;
let sender: PushSender;

beforeAll(async () => {
  fcm = await startFcm();
  sender = createFcm(fcm.account, fcm.agent());
});

afterEach(() => vi.useRealTimers());

afterAll(async () => {
  await sender.close();
  await fcm.close();
});

function aPush(): Push {
  return {
    device: { token: newDeviceToken(), platform: 'android' },
    badge: 1,
    payload: { notificationId: crypto.randomUUID(), type: 'user_followed' },
  };
}

/** Counts the requests to FCM for a message. */
function requestCount({ device }: Push): number {
  return fcm.requests.filter(({ message }) => message.token === device.token).length;
}

describe('the result of a push message', () => {
  test.each(REFUSALS)('the answer "$name" decides whether the device is gone', async ({ answer, isGone }) => {
    const push = aPush();
    fcm.answer(push.device.token, answer);
    const [result] = await sender.send([push], NEVER);
    expect(result).toEqual({
      outcome: isGone ? 'gone' : 'failed',
      failure: expect.stringMatching(/^\S{1,80}$/),
    });
    // The sender never retries: the outbox does, after a recheck of visibility.
    expect(requestCount(push)).toBe(1);
    expect(await sender.send([push], NEVER)).toEqual([{ outcome: 'sent' }]);
  });

  test.each(SILENCES)('$name fails the message after 20 seconds', async ({ answer }) => {
    const push = aPush();
    fcm.answer(push.device.token, answer);
    await sender.send([aPush()], NEVER);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const sent = sender.send([push], NEVER);
    let isSettled = false;
    sent.finally(() => {
      isSettled = true;
    });
    await waitWithoutClock(() => requestCount(push) === 1);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(isSettled).toBe(false);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await sent).toEqual([{ outcome: 'failed', failure: 'late' }]);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    vi.useRealTimers();
    await sender.send([aPush()], NEVER);
    expect(requestCount(push)).toBe(1);
  });

  test('each message has its own result, in the order of the messages', async () => {
    const pushes = Array.from({ length: 120 }, aPush);
    const [first, second, , fourth] = pushes;
    for (const push of [second, fourth]) fcm.answer(push?.device.token ?? '', GONE);
    fcm.answer(first?.device.token ?? '', googleError(500, 'INTERNAL', 'Internal error encountered.'));
    const outcomes = (await sender.send(pushes, NEVER)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['failed', 'gone', 'sent', 'gone', ...Array(116).fill('sent')]);
  });

  test('50 messages are on their way at most, and those that wait when the worker stops are not sent', async () => {
    const answering = Promise.withResolvers<null>();
    fcm.answerAll(answering.promise);
    const stopping = new AbortController();
    const before = fcm.requests.length;
    const sent = sender.send(Array.from({ length: 60 }, aPush), stopping.signal);
    await expect.poll(() => fcm.requests.length - before).toBe(50);
    stopping.abort();
    answering.resolve(null);
    fcm.answerAll(null);
    const results = await sent;
    expect(results.slice(0, 50)).toEqual(Array(50).fill({ outcome: 'sent' }));
    expect(results.slice(50)).toEqual(Array(10).fill({ outcome: 'failed', failure: 'stopped' }));
    expect(fcm.requests.length - before).toBe(50);
  });

  test('an empty batch has no results', async () => {
    expect(await sender.send([], NEVER)).toEqual([]);
  });
});
