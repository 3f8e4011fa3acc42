import { afterAll, beforeAll, expect, test } from 'vitest';
import { follow } from '../support/graph.ts';
import { anNginx } from '../support/nginx.ts';
import { type Opine, startOpine, WITH_WORKER } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { startStreamServer } from '../support/streaming.ts';
import { eventually, expectReconnect, openReadyStream, signalOfType } from '../support/streams.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine(WITH_WORKER);
});

afterAll(() => opine.stop());

test('nginx with default settings passes on each event at once and the disconnect of each client', async () => {
  const streaming = await startStreamServer(opine);
  const nginx = { url: await anNginx(streaming.url) };
  const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
  const [leaves, vanishes] = [await openReadyStream(nginx, maya), await openReadyStream(nginx, maya)];
  expect(leaves.headers.server).toMatch(/^nginx/);
  await follow(jonas, maya);
  for (const stream of [leaves, vanishes]) {
    expect((await signalOfType(stream, 'user_followed')).data.actorId).toBe(jonas.id);
  }
  expect(streaming.count).toBe(2);
  leaves.leave();
  vanishes.vanish();
  await eventually(() => streaming.count).toBe(0);
  await eventually(streaming.connections).toBe(0);
});

test('a stream behind nginx ends cleanly with a reconnect event', async () => {
  const nginx = { url: await anNginx(opine.url) };
  const maya = await registeredPerson(opine);
  const stream = await openReadyStream(nginx, maya);
  await logOut(opine, maya.session);
  await expectReconnect(stream);
});
