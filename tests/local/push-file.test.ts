import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tailOf } from '../../scripts/demo/tail.ts';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createPushFile } from '../../src/push/file.ts';
import { deliverOutbox, pushToDevices } from '../../src/worker/tasks.ts';
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
    await deliverOutbox(db, dispatch).run(signal);
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

// docs/product.md R7
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

const LIMIT = 10_000_000;
const PUSH_FILE = new URL('../../src/push/file.ts', import.meta.url).href;

/** Sends numbered messages into a file, in a process of its own. */
async function sendInProcess(file: string, sender: string, count: number): Promise<void> {
  const code = `
    const { createPushFile } = await import(${JSON.stringify(PUSH_FILE)});
    const { send } = createPushFile(${JSON.stringify(file)});
    for (let n = 0; n < ${count}; n += 1) {
      const payload = { type: 'user_followed', notificationId: ${JSON.stringify(sender)} + n };
      const [{ outcome }] = await send([{ device: { platform: 'ios', token: 'a token' }, payload, badge: 1 }]);
      if (outcome !== 'sent') process.exit(1);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
  expect(await once(child, 'close')).toEqual([0, null]);
}

describe('a full push file', () => {
  const FILLER = `${JSON.stringify({ at: 'before', filler: 'x'.repeat(973) })}\n`;

  /** Creates a file of numbered lines just below the limit. */
  function aFullFile(name: string): string {
    const file = path.join(directory, name, 'push.jsonl');
    mkdirSync(path.dirname(file));
    writeFileSync(file, `{"at":"the oldest"}\n${FILLER.repeat(Math.floor(LIMIT / FILLER.length) - 1)}`);
    return file;
  }

  const idsIn = (lines: readonly Json[]) =>
    lines.flatMap(({ message }) => (message === undefined ? [] : [message.data.notificationId]));

  // docs/product.md R7
  test('keeps its newest 10 MB of whole lines', async () => {
    const file = aFullFile('newest');
    await sendInProcess(file, 'a', 20);
    expect(statSync(file).size).toBeLessThanOrEqual(LIMIT);
    expect(statSync(file).size).toBeGreaterThan(0.98 * LIMIT);
    const lines = linesOf(file);
    expect(lines[0]?.at).toBe('before');
    expect(idsIn(lines)).toEqual(Array.from({ length: 20 }, (_, n) => `a${n}`));
    expect(readdirSync(path.dirname(file))).toEqual(['push.jsonl']);
  });

  test('loses no new line of several processes, nor does a reader that follows it', async () => {
    const file = aFullFile('shared');
    const read = tailOf(file);
    const seen: string[] = [];
    const follow = () => seen.push(...idsIn(read().map((line) => JSON.parse(line))));
    const following = setInterval(follow, 5);
    await Promise.all(['a', 'b', 'c'].map((sender) => sendInProcess(file, sender, 200)));
    clearInterval(following);
    follow();
    const sent = ['a', 'b', 'c'].flatMap((sender) => Array.from({ length: 200 }, (_, n) => `${sender}${n}`));
    expect(idsIn(linesOf(file)).toSorted()).toEqual(sent.toSorted());
    expect([...new Set(seen)].toSorted()).toEqual(sent.toSorted());
    expect(statSync(file).size).toBeLessThanOrEqual(LIMIT);
  });

  test('is written again after a process was killed amid a write', async () => {
    const file = aFullFile('killed');
    mkdirSync(`${file}.lock`);
    utimesSync(`${file}.lock`, 0, 0);
    await sendInProcess(file, 'a', 1);
    expect(idsIn(linesOf(file))).toEqual(['a0']);
  });
});
