import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../../scripts/local/edge-function.ts';
import { follow } from '../support/graph.ts';
import { type Opine, startOpine, testEnvironment, WITH_WORKER } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { countListeners, expectReconnect, openReadyStream, signalOfType } from '../support/streams.ts';

describe.each(DENO_PACKAGES)('the stream on npm package %s', (deno) => {
  let opine: Opine;
  let edge: EdgeFunction;

  beforeAll(async () => {
    await buildFunctions();
    opine = await startOpine(WITH_WORKER);
    edge = await startEdgeFunction(testEnvironment(opine.database), { deno });
  });

  afterAll(async () => {
    await edge?.stop();
    await opine?.stop();
  });

  test('a stream begins, gets the signals of a worker elsewhere and ends with its session', async () => {
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    const stream = await openReadyStream(edge, maya);
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    expect(stream.text).toMatch(/^retry: 3000\n\nevent: ready\n/);
    expect(await countListeners(opine)).toBe(1);
    await follow(jonas, maya);
    expect((await signalOfType(stream, 'user_followed')).data.actorId).toBe(jonas.id);
    await logOut(opine, maya.session);
    await expectReconnect(stream);
  });

  test('a client that has left does not count as one of the ten streams of a person', async () => {
    const maya = await registeredPerson(opine);
    const stays = await openReadyStream(edge, maya);
    for (let number = 1; number <= 12; number += 1) {
      const leaves = await openReadyStream(edge, maya);
      if (number % 2 === 0) leaves.leave();
      else leaves.vanish();
      // Each signal gives the function time to notice the disconnect.
      const follower = await registeredPerson(opine);
      await follow(follower, maya);
      await stays.waitFor(({ data }) => data.actorId === follower.id);
    }
    expect(stays.ending).toBeUndefined();
  });

  test('a HEAD request is answered and opens no stream', async () => {
    const maya = await registeredPerson(opine);
    const stays = await openReadyStream(edge, maya);
    for (let number = 1; number <= 12; number += 1) {
      const response = await fetch(`${edge.url}/api/v1/notifications/stream`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${maya.session.accessToken}` },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
    // Twelve more streams would have ended the first one.
    await follow(await registeredPerson(opine), maya);
    await signalOfType(stays, 'user_followed');
  });
});
