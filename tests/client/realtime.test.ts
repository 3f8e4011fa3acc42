import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anAppOf, collectEvents } from '../support/clients.ts';
import { follow } from '../support/graph.ts';
import { advanceTime, anOpine, WITH_WORKER } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';
import { startTestRealtime } from '../support/realtime.ts';
import { logOut } from '../support/sign-in.ts';
import { eventually } from '../support/streams.ts';

const followed = { type: 'notification', payload: expect.objectContaining({ type: 'user_followed' }) };
const ready = (unreadCount: number) => ({
  type: 'ready',
  inbox: { unreadCount, inboxVersion: unreadCount },
});

test('an app on Realtime receives signals, and the inbox again after a reconnect', async () => {
  const opine = await anOpine(WITH_WORKER);
  const realtime = await startTestRealtime(opine);
  const [maya, jonas, amara] = [
    await registeredPerson(opine),
    await registeredPerson(opine),
    await registeredPerson(opine),
  ];
  const { events } = collectEvents(anAppOf(opine, maya, { realtime: realtime.options }));
  await eventually(() => events).toEqual([ready(0)]);
  await follow(jonas, maya);
  await eventually(() => events).toEqual([ready(0), followed]);
  await realtime.restart();
  await eventually(() => events).toEqual([ready(0), followed, ready(1)]);
  await follow(amara, maya);
  await eventually(() => events).toEqual([ready(0), followed, ready(1), followed]);
});

test('an app with an ended session throws UNAUTHORIZED instead of joining', async () => {
  const opine = await anOpine(WITH_WORKER);
  const { options: realtime } = await startTestRealtime(opine);
  const jonas = await registeredPerson(opine);
  await logOut(opine, jonas.session);
  const his = collectEvents(anAppOf(opine, jonas, { realtime }));
  await expect(his.ended).rejects.toMatchObject({ name: 'OpineError', code: 'UNAUTHORIZED' });
});

test('an app with an expired access token joins with a refreshed one', async () => {
  const opine = await anOpine(WITH_WORKER);
  const { options: realtime } = await startTestRealtime(opine);
  const maya = await registeredPerson(opine);
  await advanceTime(opine, '16 minutes');
  const hers = collectEvents(anAppOf(opine, maya, { realtime }));
  await eventually(() => hers.events).toEqual([ready(0)]);
});

test('an app throws RealtimeError with the reason if its project has no policy for the channel', async () => {
  const opine = await anOpine(WITH_WORKER);
  const { options: realtime } = await startTestRealtime(opine);
  const maya = await registeredPerson(opine);
  await sql`drop policy opine_users_receive_own_signals on realtime.messages`.execute(
    opine.database.superuser,
  );
  await expect(collectEvents(anAppOf(opine, maya, { realtime })).ended).rejects.toMatchObject({
    name: 'RealtimeError',
    message: `Unauthorized: You do not have permissions to read from this Channel topic: user:${maya.id}`,
  });
});

test('an app that breaks out of the event loop disconnects from Realtime', async () => {
  const opine = await anOpine(WITH_WORKER);
  const realtime = await startTestRealtime(opine);
  const app = anAppOf(opine, await registeredPerson(opine), { realtime: realtime.options });
  for await (const { type } of app.events()) {
    expect([type, await realtime.connections()]).toEqual(['ready', 1]);
    break;
  }
  await eventually(() => realtime.connections()).toBe(0);
});
