import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { inboxOf } from '../support/inbox.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { withoutDatabase } from '../support/outages.ts';
import { aGuest, anonymousPerson, registeredPerson } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';
import { startStreamServer, TRANSPORTS } from '../support/streaming.ts';
import { openEventStream, openReadyStream } from '../support/streams.ts';

const PATH = '/notifications/stream';
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');
const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe.each(TRANSPORTS)('a stream over %s', (_, openStream) => {
  test('the response headers forbid caching and buffering', async () => {
    const maya = await anonymousPerson(opine);
    const { url } = await startStreamServer(opine, { openStream });
    const { headers } = await openEventStream(url, maya.session.accessToken, {
      'x-request-id': 'a-request-of-mayas',
    });
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'private, no-cache, no-store',
      vary: 'Authorization',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'a-request-of-mayas',
    });
  });

  test('a stream begins with the retry interval and a ready event with unreadCount and inboxVersion', async () => {
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    await follow(jonas, maya);
    const stream = await openReadyStream(await startStreamServer(opine, { openStream }), maya);
    const { unreadCount, inboxVersion } = await inboxOf(maya);
    expect(unreadCount).toBe(1);
    expect(stream.text).toMatch(/^retry: 3000\n\nevent: ready\ndata: /);
    expect(stream.events).toEqual([{ event: 'ready', data: { unreadCount, inboxVersion } }]);
  });

  test('a HEAD request gets the headers and opens no stream', async () => {
    const maya = await anonymousPerson(opine);
    const streaming = await startStreamServer(opine, { openStream });
    const response = await fetch(`${streaming.url}/api/v1${PATH}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${maya.session.accessToken}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(await response.text()).toBe('');
    expect(streaming.count).toBe(0);
  });
});

test('the response headers of a stream have a request id', async () => {
  const maya = await anonymousPerson(opine);
  const { headers } = await openEventStream(opine.url, maya.session.accessToken);
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['x-accel-buffering']).toBe('no');
});

describe('GET /notifications/stream', () => {
  test('a request without a valid bearer is 401', async () => {
    for (const client of [aGuest(opine), clientOf(opine.url, 'no-token')]) {
      expect(await client.get(PATH)).toMatchObject(UNAUTHORIZED);
    }
  });

  test('a request with an ended session is 401', async () => {
    const maya = await anonymousPerson(opine);
    await logOut(opine, maya.session);
    expect(await maya.get(PATH)).toMatchObject(UNAUTHORIZED);
  });

  test('a request is 503 during a database outage, and the next one opens a stream', async () => {
    const unavailable = await anOpine();
    const maya = await anonymousPerson(unavailable);
    await withoutDatabase(unavailable.database, async () => {
      expect(await maya.get(PATH)).toMatchObject(UNAVAILABLE);
    });
    await openReadyStream(unavailable, maya);
  });

  test('a request is 503 when the service cannot listen for signals', async () => {
    const withoutListener = await anOpine({
      DATABASE_LISTEN_URL: 'postgresql://opine_gateway:x@127.0.0.1:1/nowhere',
    });
    const maya = await anonymousPerson(withoutListener);
    expect(await maya.get(PATH)).toMatchObject(UNAVAILABLE);
  });
});
