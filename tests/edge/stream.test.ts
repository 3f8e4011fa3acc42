import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../../scripts/local/edge-function.ts';
import { follow } from '../support/graph.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { aRegistered } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { isToReconnect, listenersOf, listening, signalOf } from '../support/streams.ts';

describe.each(DENO_PACKAGES)('the stream on npm package %s', (deno) => {
  let opine: Opine;
  let edge: EdgeFunction;

  beforeAll(async () => {
    await buildFunctions();
    opine = await startOpine();
    edge = await startEdgeFunction(testEnvironment(opine.database), { deno });
  });

  afterAll(async () => {
    await edge?.stop();
    await opine?.stop();
  });

  test('a stream begins, gets the signals of a worker elsewhere and ends with its session', async () => {
    const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
    const stream = await listening(edge, maya);
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    expect(stream.text).toMatch(/^retry: 3000\n\nevent: ready\n/);
    expect(await listenersOf(opine)).toBe(1);
    await follow(jonas, maya);
    expect((await signalOf(stream, 'user_followed')).data.actorId).toBe(jonas.id);
    await logOut(opine, maya.session);
    await isToReconnect(stream);
  });

  test('a client that has left does not count as one of the ten streams of a person', async () => {
    const maya = await aRegistered(opine);
    const stays = await listening(edge, maya);
    for (let number = 1; number <= 12; number += 1) {
      const leaves = await listening(edge, maya);
      if (number % 2 === 0) leaves.leave();
      else leaves.vanish();
      // Each signal gives the function time to notice the disconnect.
      const follower = await aRegistered(opine);
      await follow(follower, maya);
      await stays.heard(({ data }) => data.actorId === follower.id);
    }
    expect(stays.ending).toBeUndefined();
  });

  test('a HEAD request is answered and opens no stream', async () => {
    const maya = await aRegistered(opine);
    const stays = await listening(edge, maya);
    for (let number = 1; number <= 12; number += 1) {
      const response = await fetch(`${edge.url}/api/v1/notifications/stream`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${maya.session.accessToken}` },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    }
    // Twelve more streams would have ended the first one.
    await follow(await aRegistered(opine), maya);
    await signalOf(stays, 'user_followed');
  });
});
