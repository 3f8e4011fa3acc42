import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createFcm } from '../../src/push/fcm.ts';
import type { Dispatch } from '../../src/worker/dispatch.ts';
import { publishSignals, pushToDevices } from '../../src/worker/tasks.ts';
import { follow } from '../support/graph.ts';
import { registeredPerson } from '../support/people.ts';
import {
  aDeviceOf,
  dispatchOf,
  type OpineWithPush,
  queuedCounts,
  startOpineWithPush,
} from '../support/pushes.ts';

const NEVER = new AbortController().signal;

let opine: OpineWithPush;

beforeAll(async () => {
  opine = await startOpineWithPush();
});

afterAll(() => opine.stop());

/** Runs `use` with a worker of its own while FCM does not answer; FCM answers at the end. */
async function whileFcmIsSilent(
  use: (worker: { dispatch: Dispatch; publish: () => Promise<void>; push: () => void }) => Promise<void>,
): Promise<void> {
  const { promise: answered, resolve } = Promise.withResolvers<null>();
  opine.fcm.answerAll(answered);
  const db = openWorkerDatabase(opine.database.superuserUrl, () => {});
  const sender = createFcm(opine.fcm.account, opine.fcm.agent());
  const dispatch = dispatchOf(opine.database, db, sender);
  const underWay: Promise<void>[] = [];
  try {
    await use({
      dispatch,
      publish: () => publishSignals(db, dispatch).run(NEVER),
      push: () => {
        underWay.push(pushToDevices(db, dispatch).run(NEVER));
      },
    });
  } finally {
    resolve(null);
    await Promise.all([dispatch.idle(), ...underWay]);
    opine.fcm.answerAll(null);
    await sender.close();
    await db.destroy();
  }
}

/** Notifies a person with a device and returns its token. */
async function aNotifiedDevice(): Promise<string> {
  const maya = await registeredPerson(opine, 'Maya');
  const token = await aDeviceOf(maya);
  await follow(await registeredPerson(opine), maya);
  return token;
}

test('publication does not wait for devices and starts the push messages at once', async () => {
  await whileFcmIsSilent(async ({ dispatch, publish }) => {
    const room = dispatch.room();
    for (const number of [1, 2]) {
      const token = await aNotifiedDevice();
      await publish();
      expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: number });
      await expect.poll(() => opine.sentTo(token).length).toBe(1);
      expect(dispatch.room()).toBe(room - number);
    }
  });
  expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
});

test('a worker that waits for FCM leaves new messages to other workers', async () => {
  await whileFcmIsSilent(async ({ publish, push }) => {
    const first = await aNotifiedDevice();
    await publish();
    await expect.poll(() => opine.sentTo(first).length).toBe(1);
    const other = await aNotifiedDevice();
    await opine.publish();
    push();
    // By now this worker would have claimed the message.
    await publish();
    opine.fcm.answerAll(null);
    await opine.push();
    expect(opine.sentTo(other)).toHaveLength(1);
    expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 1 });
  });
});
