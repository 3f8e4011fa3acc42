import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../scripts/local/ports.ts';
import { startServer } from '../../src/server.ts';
import { anAppOf, collectEvents } from '../support/clients.ts';
import { createTestDatabase } from '../support/database.ts';
import { follow } from '../support/graph.ts';
import { advanceTime, anOpine, type Opine, testEnvironment, WITH_WORKER } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { startStreamServer } from '../support/streaming.ts';
import { eventually } from '../support/streams.ts';

const followed = (unread: number) => ({
  type: 'notification',
  payload: expect.objectContaining({ type: 'user_followed', inboxVersion: unread }),
});
const ready = (unreadCount: number) => ({
  type: 'ready',
  inbox: { unreadCount, inboxVersion: unreadCount },
});

test('the stream reconnects after a server restart and receives the current inbox', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const environment = { ...testEnvironment(database), ...WITH_WORKER, PORT: String(await freePort()) };
  let server = await startServer(environment);
  onTestFinished(() => server.stop());
  const opine: Opine = { url: server.url, database, stop: () => server.stop() };
  const [maya, jonas, amara] = [
    await registeredPerson(opine),
    await registeredPerson(opine),
    await registeredPerson(opine),
  ];
  const { events } = collectEvents(anAppOf(opine, maya));
  await eventually(() => events).toEqual([ready(0)]);
  await follow(jonas, maya);
  await eventually(() => events).toEqual([ready(0), followed(1)]);

  await server.stop();
  server = await startServer(environment);
  await eventually(() => events).toEqual([ready(0), followed(1), ready(1)]);
  await follow(amara, maya);
  await eventually(() => events).toEqual([ready(0), followed(1), ready(1), followed(2)]);
});

test('the stream opens with a refreshed access token, and throws UNAUTHORIZED for an ended session', async () => {
  const opine = await anOpine(WITH_WORKER);
  const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
  await logOut(opine, jonas.session);
  await advanceTime(opine, '16 minutes');
  const [hers, his] = [collectEvents(anAppOf(opine, maya)), collectEvents(anAppOf(opine, jonas))];
  await expect(his.ended).rejects.toMatchObject({ name: 'OpineError', code: 'UNAUTHORIZED' });
  await eventually(() => hers.events).toEqual([ready(0)]);
});

test('an app that breaks out of the event loop closes its stream', async () => {
  const opine = await anOpine(WITH_WORKER);
  const streaming = await startStreamServer(opine);
  for await (const { type } of anAppOf(streaming, await registeredPerson(opine)).events()) {
    expect([type, streaming.count]).toEqual(['ready', 1]);
    break;
  }
  await eventually(() => streaming.count).toBe(0);
});
