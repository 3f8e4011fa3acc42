import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../../scripts/local/edge-function.ts';
import { type Reply, readReply, refusal } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { type FakeFcm, fcmCode, googleError, startFcm } from '../support/fcm.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { advanceTime, type Opine, testEnvironment } from '../support/opine.ts';
import { withoutDatabase } from '../support/outages.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import { aDeviceOf, queuedCounts, sentTo } from '../support/pushes.ts';

const SECRET = 'a-secret-of-whoever-calls-the-drain-long-enough';

describe.each(DENO_PACKAGES)('the push function on npm package %s', (deno) => {
  let fcm: FakeFcm;
  /** A project with the API as a function and without a worker. */
  let opine: Opine;
  let edge: EdgeFunction;
  let maya: Person;
  let token: string;

  beforeAll(async () => {
    await buildFunctions();
    fcm = await startFcm();
    const database = await createTestDatabase();
    const api = await startEdgeFunction(testEnvironment(database), { deno });
    opine = { url: api.url, database, stop: api.stop };
    edge = await startPush({ PUSH_SECRET: SECRET });
  });

  afterAll(async () => {
    await edge?.stop();
    await opine?.stop();
    await opine?.database.drop();
    await fcm?.close();
  });

  beforeEach(async () => {
    maya = await registeredPerson(opine, 'Maya');
    token = await aDeviceOf(maya);
  });

  function startPush(changes: Record<string, string>): Promise<EdgeFunction> {
    return startEdgeFunction(
      { ...testEnvironment(opine.database), LOG_LEVEL: 'debug', ...fcm.environment, ...changes },
      { deno, name: 'push' },
    );
  }

  /** Calls the function as pg_net does. */
  async function call(authorization: string | null = `Bearer ${SECRET}`, method = 'POST'): Promise<Reply> {
    const headers = authorization === null ? {} : { authorization };
    const body = method === 'POST' ? { body: '{}' } : {};
    return readReply(await fetch(`${edge.url}/push`, { method, headers, ...body }));
  }

  /** Notifies Maya of a new follower and returns the id of the notification. */
  async function notifyMaya(): Promise<string> {
    await follow(await registeredPerson(opine), maya);
    return (await notificationsOf(maya))[0]?.id;
  }

  describe('POST /push', () => {
    test.each([
      ['no secret', null],
      ['an empty secret', 'Bearer '],
      ['another secret', `Bearer ${SECRET.replace('drain', 'drone')}`],
      ['the beginning of the secret', `Bearer ${SECRET.slice(0, -1)}`],
      ['a suffix after the secret', `Bearer ${SECRET}s`],
      ['the secret by another scheme', `Basic ${SECRET}`],
      ['the secret without a scheme', SECRET],
    ])('a call with %s is 401 and sends nothing', async (_, authorization) => {
      await notifyMaya();
      const before = await queuedCounts(opine);
      expect(await call(authorization)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await queuedCounts(opine)).toEqual(before);
      expect(sentTo(fcm, token)).toEqual([]);
    });

    test('a GET answers 404 and sends nothing', async () => {
      await notifyMaya();
      expect(await call(undefined, 'GET')).toMatchObject(refusal(404, 'ROUTE_NOT_FOUND'));
      expect(sentTo(fcm, token)).toEqual([]);
    });

    test('a call sends every waiting message once and answers 200', async () => {
      const ids = [await notifyMaya(), await notifyMaya()];
      expect(await call()).toMatchObject({ status: 200, data: {} });
      const sent = sentTo(fcm, token).map(({ data }) => data.notificationId);
      expect(sent.sort()).toEqual(ids.sort());
      expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
      expect(await call()).toMatchObject({ status: 200, data: {} });
      expect(sentTo(fcm, token)).toHaveLength(2);
    });

    test('three concurrent calls send each message once', async () => {
      for (const _ of [1, 2, 3, 4]) await notifyMaya();
      const replies = await Promise.all([call(), call(), call()]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      await call();
      expect(new Set(sentTo(fcm, token).map(({ data }) => data.notificationId)).size).toBe(4);
      expect(sentTo(fcm, token)).toHaveLength(4);
    });

    test('a call leaves a failed message to the next call and removes a device that is gone', async () => {
      const gone = await aDeviceOf(maya);
      fcm.answer(token, googleError(500, 'INTERNAL', 'Internal error encountered.'));
      fcm.answer(gone, googleError(404, 'NOT_FOUND', 'Not found.', [fcmCode('UNREGISTERED')]));
      await notifyMaya();
      expect(await call()).toMatchObject({ status: 200 });
      expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 1 });
      await advanceTime(opine, '1 minute');
      expect(await call()).toMatchObject({ status: 200 });
      expect([sentTo(fcm, token).length, sentTo(fcm, gone).length]).toEqual([2, 1]);
      expect(await queuedCounts(opine)).toEqual({ outbox: 0, pushes: 0 });
    });

    test('a call during a database outage answers 503, and the next call sends', async () => {
      await notifyMaya();
      const failed = await withoutDatabase(opine.database, () => call());
      expect(failed).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
      expect(await call()).toMatchObject({ status: 200 });
      expect(sentTo(fcm, token)).toHaveLength(1);
    });

    test('a function without PUSH_SECRET answers 503 and logs why', async () => {
      const unprotected = await startPush({ PUSH_SECRET: '' });
      try {
        for (const authorization of ['Bearer ', 'Bearer undefined', `Bearer ${SECRET}`]) {
          const request = { method: 'POST', headers: { authorization } };
          const reply = await readReply(await fetch(`${unprotected.url}/push`, request));
          expect(reply).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
        }
        expect(unprotected.log()).toContain('PUSH_SECRET');
      } finally {
        await unprotected.stop();
      }
    });

    test('the log holds no secrets, tokens or names', async () => {
      fcm.answer(token, 'reset', googleError(403, 'PERMISSION_DENIED', `Not to ${token}`));
      await notifyMaya();
      await call();
      await call('Bearer of nobody');
      const log = edge.log();
      expect(log).toContain('requestId');
      const { private_key: key } = fcm.account;
      const grants = fcm.grants.filter((grant) => grant !== null);
      expect(grants).not.toHaveLength(0);
      for (const secret of [SECRET, token, maya.username, key.slice(100, 160), ...grants, 'of nobody']) {
        expect(log).not.toContain(secret);
      }
    });
  });
});
