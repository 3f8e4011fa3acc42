import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { createServices } from '../../src/services.ts';
import { createStreams } from '../../src/stream/streams.ts';
import { NONEXISTENT } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { anOpine, testEnvironment } from '../support/opine.ts';
import { anonymousPerson } from '../support/people.ts';
import { startServerProcess } from '../support/server-process.ts';
import { logOut } from '../support/sign-in.ts';
import { countListeners, eventually, expectReconnect, openReadyStream } from '../support/streams.ts';

const NO_IMAGES = { prepare: () => Promise.resolve(null) };

test('a stream ends within seconds of its session, and other streams go on', async () => {
  const opine = await anOpine();
  const [maya, jonas] = [await anonymousPerson(opine), await anonymousPerson(opine)];
  const [hers, his] = [await openReadyStream(opine, maya), await openReadyStream(opine, jonas)];
  await logOut(opine, maya.session);
  await expectReconnect(hers);
  expect(his.ending).toBeUndefined();
});

test('the end of the process ends every stream cleanly', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { url, end } = await startServerProcess(testEnvironment(database));
  const opine = { url, database, stop: () => Promise.resolve() };
  const [maya, jonas] = [await anonymousPerson(opine), await anonymousPerson(opine)];
  const streams = [await openReadyStream(opine, maya), await openReadyStream(opine, jonas)];
  // A stalled client delays the end by seconds at most.
  (await openReadyStream(opine, jonas)).stopReading();
  const ended = end();
  for (const stream of streams) await expectReconnect(stream);
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

test('a stopped server closes its listening connection', async () => {
  const opine = await anOpine();
  const server = await startServer(testEnvironment(opine.database));
  const stream = await openReadyStream(server, await anonymousPerson(opine));
  expect(await countListeners(opine)).toBe(1);
  await Promise.all([server.stop(), expectReconnect(stream)]);
  await eventually(() => countListeners(opine)).toBe(0);
});

test('a stream requested after the shutdown is refused', async () => {
  const opine = await anOpine();
  const { gateway } = await createServices(readConfig(testEnvironment(opine.database)), NO_IMAGES);
  onTestFinished(() => gateway.close());
  const streams = createStreams({ gateway, listenUrl: opine.database.urlAs('opine_gateway') });
  await streams.close();
  await expect(
    streams.prepare({ userId: NONEXISTENT.id, sessionId: NONEXISTENT.id }, '{}'),
  ).rejects.toThrow();
  expect(await countListeners(opine)).toBe(0);
});
