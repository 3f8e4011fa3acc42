import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/auth/secrets.ts';
import { timePasses } from '../support/clock.ts';
import { aDeviceToken, hashOf, keptFor, ownerOf, register, registerMany } from '../support/devices.ts';
import { fcmCode, googleError } from '../support/fcm.ts';
import { REFUSALS } from '../support/fcm-answers.ts';
import { follow, granted, mergeInto } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { aConfirmed, aRegistered, type Person } from '../support/people.ts';
import {
  aDeviceOf,
  deadLettersOf,
  type PushingOpine,
  startPushingOpine,
  waitingIn,
} from '../support/pushes.ts';

const GONE = googleError(404, 'NOT_FOUND', 'Requested entity was not found.', [fcmCode('UNREGISTERED')]);
const DOWN = googleError(500, 'INTERNAL', 'Internal error encountered.', [fcmCode('INTERNAL')]);

let opine: PushingOpine;
let maya: Person;

beforeAll(async () => {
  opine = await startPushingOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await aRegistered(opine, 'Maya');
});

/** Somebody new follows `person`. */
async function somebodyFollows(person: Person): Promise<void> {
  await follow(await aRegistered(opine), person);
}

/** What devices were sent, each by how many messages. */
function countsOf(tokens: readonly string[]): number[] {
  return tokens.map((token) => opine.sentTo(token).length);
}

describe('of three devices', () => {
  test('each gets the message, with one id', async () => {
    const tokens = [await aDeviceOf(maya), await aDeviceOf(maya, 'ios'), await aDeviceOf(maya)];
    await somebodyFollows(maya);
    await opine.deliver();
    const [told] = await notificationsOf(maya);
    const ids = tokens.map((token) => opine.sentTo(token).map(({ data }) => data.notificationId));
    expect(ids).toEqual([[told?.id], [told?.id], [told?.id]]);
  });

  test('the one that is gone goes, the one that failed is tried again, and the third is left alone', async () => {
    const tokens = await registerMany(opine, maya, 3);
    const [well = '', gone = '', down = ''] = tokens;
    opine.fcm.answer(gone, GONE);
    opine.fcm.answer(down, DOWN);
    await somebodyFollows(maya);
    await opine.deliver();
    expect(await keptFor(opine, maya.id, tokens)).toEqual([well, down]);
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 1 });
    await opine.laterOn();
    expect(countsOf(tokens)).toEqual([1, 1, 2]);
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
    await somebodyFollows(maya);
    await opine.deliver();
    expect(countsOf(tokens)).toEqual([2, 1, 3]);
  });

  test('the gone one takes what else waits for it along', async () => {
    const token = await aDeviceOf(maya);
    await somebodyFollows(maya);
    opine.fcm.answer(token, DOWN);
    await opine.deliver();
    await somebodyFollows(maya);
    opine.fcm.answer(token, GONE);
    await opine.deliver();
    await opine.laterOn();
    expect(countsOf([token])).toEqual([2]);
    expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
    expect(await deadLettersOf(opine, maya)).toEqual([]);
  });
});

test('what FCM answers decides which devices stay: those that are gone, and no other, go', async () => {
  const worlds = [];
  for (const { name, answer, isGone } of REFUSALS) {
    const person = await aRegistered(opine);
    const token = await aDeviceOf(person);
    opine.fcm.answer(token, answer);
    await somebodyFollows(person);
    worlds.push({ name, isGone, person, token });
  }
  await opine.deliver();
  const fates = worlds.map(async ({ name, person, token }) => [
    name,
    (await ownerOf(opine, token)) !== person.id,
  ]);
  expect(await Promise.all(fates)).toEqual(worlds.map(({ name, isGone }) => [name, isGone]));
  const failed = worlds.filter(({ isGone }) => !isGone);
  expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: failed.length });
  await opine.laterOn();
  expect(countsOf(failed.map(({ token }) => token))).toEqual(failed.map(() => 2));
  expect(await waitingIn(opine)).toEqual({ outbox: 0, pushes: 0 });
});

describe('when a message is sent', () => {
  test('the five newest devices get it, not one that went for a sixth', async () => {
    const tokens = await registerMany(opine, maya, 5);
    await somebodyFollows(maya);
    await opine.publish();
    const [sixth = ''] = await registerMany(opine, maya, 1);
    await opine.push();
    // The sixth came after the message: it is shown what is new from then on.
    expect(countsOf([...tokens, sixth])).toEqual([0, 1, 1, 1, 1, 0]);
    await somebodyFollows(maya);
    await opine.deliver();
    expect(countsOf([...tokens, sixth])).toEqual([0, 2, 2, 2, 2, 1]);
  });

  test("a device that has become another's gets nothing of who had it before", async () => {
    const jonas = await aRegistered(opine, 'Jonas');
    const token = await aDeviceOf(maya);
    await somebodyFollows(maya);
    await opine.publish();
    await granted(register(jonas, token));
    await opine.push();
    expect(opine.sentTo(token)).toEqual([]);
    await somebodyFollows(maya);
    await somebodyFollows(jonas);
    await opine.deliver();
    expect(opine.sentTo(token).map(({ data }) => data.recipientUserId)).toEqual([jonas.id]);
  });

  test('a device that has gone to another and back gets it', async () => {
    const jonas = await aRegistered(opine, 'Jonas');
    const token = await aDeviceOf(maya);
    await somebodyFollows(maya);
    await opine.publish();
    await granted(register(jonas, token));
    await granted(register(maya, token));
    await opine.push();
    expect(opine.sentTo(token).map(({ data }) => data.recipientUserId)).toEqual([maya.id]);
  });

  test('a device that came along with a merge gets what its owner is told', async () => {
    const owner = await aConfirmed(opine, 'Maya');
    const token = await aDeviceOf(maya);
    await mergeInto(opine, maya, owner);
    await somebodyFollows(owner);
    await opine.deliver();
    expect(opine.sentTo(token).map(({ data }) => data.recipientUserId)).toEqual([owner.id]);
  });

  test('a device that nobody has refreshed for sixty days gets nothing', async () => {
    const token = await aDeviceOf(maya);
    await timePasses(opine, '61 days');
    await sql`select app.prune_device_tokens()`.execute(opine.database.superuser);
    await somebodyFollows(maya);
    await opine.deliver();
    expect(opine.sentTo(token)).toEqual([]);
  });

  test('a device whose token was sealed by another key goes, and the others get it', async () => {
    const [lost, kept] = [await aDeviceOf(maya), await aDeviceOf(maya)];
    const elsewhere = createSecrets('another secret of tests, long enough to be one');
    await sql`
      update app.device_tokens set sealed_token = ${Buffer.from(elsewhere.sealDeviceToken(lost), 'base64')}
      where token_hash = ${hashOf(lost)}`.execute(opine.database.superuser);
    await somebodyFollows(maya);
    await opine.deliver();
    expect(countsOf([lost, kept])).toEqual([0, 1]);
    expect(await keptFor(opine, maya.id, [lost, kept])).toEqual([kept]);
    await granted(register(maya, lost));
    await somebodyFollows(maya);
    await opine.deliver();
    expect(countsOf([lost, kept])).toEqual([1, 2]);
  });

  test('a device that was refreshed meanwhile by a new key stays', async () => {
    const token = aDeviceToken();
    await granted(register(maya, token));
    opine.fcm.answer(token, DOWN);
    await somebodyFollows(maya);
    await opine.deliver();
    await granted(register(maya, token, 'ios'));
    await opine.laterOn();
    expect(countsOf([token])).toEqual([2]);
    expect(await keptFor(opine, maya.id, [token])).toEqual([token]);
  });
});
