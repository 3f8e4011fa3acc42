import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createPushFile } from '../../src/push/file.ts';
import { publishSignals, pushToDevices } from '../../src/worker/tasks.ts';
import type { Json } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { hashOf } from '../support/devices.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aRegistered, type Person } from '../support/people.ts';
import { aDeviceOf, deliveryRests, dispatchOf, waitingIn } from '../support/pushes.ts';

let opine: Opine;
let directory: string;

beforeAll(async () => {
  opine = await startOpine();
  await deliveryRests(opine.database);
  directory = mkdtempSync(path.join(os.tmpdir(), 'opine-push-file-'));
});

afterAll(async () => {
  rmSync(directory, { recursive: true });
  await opine.stop();
});

/** What waits is written into `file`, as the worker of `npm start` does. */
async function deliverInto(file: string): Promise<void> {
  const db = openWorkerDatabase(opine.database.superuserUrl, () => {});
  const sender = createPushFile(file);
  const { signal } = new AbortController();
  try {
    const dispatch = dispatchOf(opine.database, db, sender);
    await publishSignals(db, dispatch).run(signal);
    await pushToDevices(db, dispatch).run(signal);
    await dispatch.idle();
  } finally {
    await sender.close();
    await db.destroy();
  }
}

function linesOf(file: string): Json[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Maya, who is followed and has a device of each platform: their tokens. */
async function aMaya(): Promise<{ maya: Person; android: string; ios: string }> {
  const maya = await aRegistered(opine, 'Maya');
  const [android, ios] = [await aDeviceOf(maya), await aDeviceOf(maya, 'ios')];
  await follow(await aRegistered(opine, 'Quittengelee'), maya);
  return { maya, android, ios };
}

test('a push is a line for each device: when, to which, by its hash, and what FCM would be sent', async () => {
  const file = path.join(directory, 'push.jsonl');
  const { maya, android, ios } = await aMaya();
  const before = Date.now();
  await deliverInto(file);
  const [{ id, actor } = { id: '', actor: {} }] = await notificationsOf(maya);
  const message = {
    notification: { title: 'Opine', body: 'You have a new follower.' },
    data: {
      notificationId: id,
      type: 'user_followed',
      recipientUserId: maya.id,
      actorIsAnonymous: 'false',
      actorId: actor.id,
    },
    android: { collapseKey: id, priority: 'high', notification: { tag: id } },
    apns: { headers: { 'apns-collapse-id': id }, payload: { aps: { sound: 'default' } } },
  };
  const lines = linesOf(file).sort((one, other) => one.platform.localeCompare(other.platform));
  expect(lines).toEqual(
    [
      { platform: 'android', token: android },
      { platform: 'ios', token: ios },
    ].map(({ platform, token }) => ({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      platform,
      token_sha256: hashOf(token).toString('hex'),
      message,
    })),
  );
  for (const { at } of lines) expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
  const written = readFileSync(file, 'utf8');
  for (const secret of [android, ios, 'Quittengelee', 'quittengelee']) expect(written).not.toContain(secret);
  await aMaya();
  await deliverInto(file);
  expect(linesOf(file)).toHaveLength(4);
});

test('a file that cannot be written is tried again', async () => {
  const { maya } = await aMaya();
  await deliverInto(path.join(directory, 'no-folder', 'push.jsonl'));
  expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 2 });
  await timePasses(opine, '1 minute');
  const file = path.join(directory, 'later.jsonl');
  await deliverInto(file);
  expect(linesOf(file).map(({ message }) => message.data.recipientUserId)).toEqual([maya.id, maya.id]);
});
