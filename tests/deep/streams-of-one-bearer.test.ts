import { expect, test } from 'vitest';
import { follow } from '../support/graph.ts';
import { anOpine, WITH_WORKER } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';
import { startStreamServer } from '../support/streaming.ts';
import { type EventStream, eventually, openReadyStream, signalOfType } from '../support/streams.ts';

test('2,000 streams of one bearer leave ten of them, and the stream of somebody else gets its signals', async () => {
  const opine = await anOpine(WITH_WORKER);
  const streaming = await startStreamServer(opine);
  const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
  const his = await openReadyStream(streaming, jonas);
  const streams: EventStream[] = [];
  while (streams.length < 2_000) {
    streams.push(...(await Promise.all(Array.from({ length: 100 }, () => openReadyStream(streaming, maya)))));
  }
  expect(streaming.count).toBe(11);
  await eventually(() => streams.filter(({ ending }) => ending === 'clean').length).toBe(1_990);
  await follow(maya, jonas);
  await signalOfType(his, 'user_followed');
});
