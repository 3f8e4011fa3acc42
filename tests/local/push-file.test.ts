import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createPushFile } from '../../src/push/file.ts';
import { publishSignals, pushToDevices } from '../../src/worker/tasks.ts';
import type { Json } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import { aDeviceOf, dispatchOf, pauseDelivery, queuedCounts, tokenHash } from '../support/pushes.ts';

let opine: Opine;
let directory: string;

beforeAll(async () => {
  opine = await startOpine();
  await pauseDelivery(opine.database);
  directory = mkdtempSync(path.join(os.tmpdir(), 'opine-push-file-'));
});

afterAll(async () => {
  rmSync(directory, { recursive: true });
  await opine.stop();
});

/** Delivers the queued notifications into a file, like the worker of `npm start`. */
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

/** Creates Maya with a device of each platform, and follows her. */
async function followedMaya(): Promise<{ maya: Person; android: string; ios: string }> {
  const maya = await registeredPerson(opine, 'Maya');
  const [android, ios] = [await aDeviceOf(maya), await aDeviceOf(maya, 'ios')];
  await follow(await registeredPerson(opine, 'Quittengelee'), maya);
  return { maya, android, ios };
}

test('the push file has a line per device with the time, the platform, the hashed token and the message for FCM', async () => {
  const file = path.join(directory, 'push.jsonl');
  const { maya, android, ios } = await followedMaya();
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
    android: { collapseKey: id, priority: 'high', notification: { tag: id, notificationCount: 1 } },
    apns: { headers: { 'apns-collapse-id': id }, payload: { aps: { sound: 'default', badge: 1 } } },
  };
  const lines = linesOf(file).sort((one, other) => one.platform.localeCompare(other.platform));
  expect(lines).toEqual(
    [
      { platform: 'android', token: android },
      { platform: 'ios', token: ios },
    ].map(({ platform, token }) => ({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      platform,
      token_sha256: tokenHash(token).toString('hex'),
      message,
    })),
  );
  for (const { at } of lines) expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
  const written = readFileSync(file, 'utf8');
  for (const secret of [android, ios, 'Quittengelee', 'quittengelee']) expect(written).not.toContain(secret);
  await followedMaya();
  await deliverInto(file);
  expect(linesOf(file)).toHaveLength(4);
});

test('the worker retries a push that it could not write into the file', async () => {
  const { maya } = await followedMaya();
  await deliverInto(path.join(directory, 'no-folder', 'push.jsonl'));
  expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 2 });
  await advanceTime(opine, '1 minute');
  const file = path.join(directory, 'later.jsonl');
  await deliverInto(file);
  expect(linesOf(file).map(({ message }) => message.data.recipientUserId)).toEqual([maya.id, maya.id]);
});
