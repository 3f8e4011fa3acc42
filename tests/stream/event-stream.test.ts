import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NotificationSignal } from '../../src/domains/notifications/schemas.ts';
import { clientOf, refusal } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { aHubWithMemberAndNonMember, aJoinRequest, requestDecide, requestRemove } from '../support/hubs.ts';
import { inboxOf, notificationsOf } from '../support/inbox.ts';
import { advanceTime, anOpine, type Opine, startOpine, WITH_WORKER } from '../support/opine.ts';
import { withoutDatabase } from '../support/outages.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aComment, aSlider } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';
import { startStreamServer, TRANSPORTS } from '../support/streaming.ts';
import {
  openEventStream,
  openReadyStream,
  receivedIds,
  signalFor,
  signalOfType,
  whilePublishingIsBlocked,
} from '../support/streams.ts';

const PATH = '/notifications/stream';
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED');
const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine(WITH_WORKER);
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

  // docs/product.md N18
  test('a stream begins with the retry interval and a ready event with unreadCount and inboxVersion', async () => {
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    await follow(jonas, maya);
    const stream = await openReadyStream(await startStreamServer(opine, { openStream }), maya);
    const { unreadCount, inboxVersion } = await inboxOf(maya);
    expect(unreadCount).toBe(1);
    expect(stream.text).toMatch(/^retry: 3000\n\nevent: ready\ndata: /);
    expect(stream.events[0]).toEqual({ event: 'ready', data: { unreadCount, inboxVersion } });
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
  test('a request without a valid bearer or with an ended session is 401', async () => {
    const maya = await anonymousPerson(opine);
    await logOut(opine, maya.session);
    for (const client of [aGuest(opine), clientOf(opine.url, 'no-token'), maya]) {
      expect(await client.get(PATH)).toMatchObject(UNAUTHORIZED);
    }
  });

  test('a request is 503 during a database outage, and the next one opens a stream', async () => {
    const unavailable = await anOpine(WITH_WORKER);
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

/** Returns the whole payload of a signal to `recipient` about an activity of `actor`. */
function payloadOf(type: string, recipient: Person, actor: Person | null, ids: object = {}) {
  return {
    notificationId: expect.any(String),
    type,
    recipientUserId: recipient.id,
    actorIsAnonymous: actor === null,
    ...(actor !== null && { actorId: actor.id }),
    ...ids,
    inboxVersion: expect.any(Number),
  };
}

/** Runs `activity` and returns its signal to `recipient`, whose inbox must be at least as new as the signal. */
async function signalDuring(recipient: Person, type: string, activity: () => Promise<unknown>) {
  const stream = await openReadyStream(opine, recipient);
  await activity();
  const { event, id, data } = await signalOfType(stream, type);
  const { items, inboxVersion } = await inboxOf(recipient);
  expect([event, id]).toEqual(['notification', data.notificationId]);
  // The documented schema has every field, and no other.
  expect(NotificationSignal.safeParse(data).error).toBeUndefined();
  expect(items.find((item: { id: string }) => item.id === id)?.type).toBe(type);
  expect(inboxVersion).toBeGreaterThanOrEqual(data.inboxVersion);
  return data;
}

// docs/product.md N16
describe('the payload of a signal', () => {
  test('a comment names its author, the post and the comment', async () => {
    const [maya, jonas] = [await confirmedPerson(opine), await confirmedPerson(opine)];
    const post = await aSlider(maya);
    let comment = { id: '' };
    const data = await signalDuring(maya, 'post_commented', async () => {
      comment = await aComment(jonas, post);
    });
    const ids = { postId: post.id, commentId: comment.id };
    expect(data).toEqual(payloadOf('post_commented', maya, jonas, ids));
  });

  test('a join request, its approval and a removal name the actor, the Hub and the request', async () => {
    const { hub, amara, lena } = await aHubWithMemberAndNonMember(opine);
    let request = { id: '' };
    const requested = await signalDuring(amara, 'hub_join_request_created', async () => {
      request = await aJoinRequest(amara, hub, lena);
    });
    const ids = { hubId: hub.id, joinRequestId: request.id };
    expect(requested).toEqual(payloadOf('hub_join_request_created', amara, lena, ids));
    const approved = await signalDuring(lena, 'hub_join_request_approved', () =>
      requestDecide(amara, hub, request, 'approve'),
    );
    expect(approved).toEqual(payloadOf('hub_join_request_approved', lena, amara, ids));
    const removed = await signalDuring(lena, 'hub_member_removed', () => requestRemove(amara, hub, lena));
    expect(removed).toEqual(payloadOf('hub_member_removed', lena, amara, { hubId: hub.id }));
  });
});

test('a signal reaches every stream of its recipient and nobody else', async () => {
  const [maya, jonas, lena] = [
    await registeredPerson(opine),
    await registeredPerson(opine),
    await registeredPerson(opine),
  ];
  const [phone, tablet, streamOfJonas] = [
    await openReadyStream(opine, maya),
    await openReadyStream(opine, maya),
    await openReadyStream(opine, jonas),
  ];
  await follow(lena, maya, jonas);
  const [forMaya] = await notificationsOf(maya);
  const [forJonas] = await notificationsOf(jonas);
  for (const stream of [phone, tablet]) await signalFor(stream, forMaya);
  await signalFor(streamOfJonas, forJonas);
  expect([phone, tablet, streamOfJonas].map(receivedIds)).toEqual([
    [forMaya.id],
    [forMaya.id],
    [forJonas.id],
  ]);
});

test('waiting signals come in the order of their notifications, each newer than the ready event', async () => {
  const maya = await registeredPerson(opine);
  const stream = await openReadyStream(opine, maya);
  const followers = await Promise.all([1, 2, 3, 4, 5].map(() => registeredPerson(opine)));
  await whilePublishingIsBlocked(opine, async () => {
    for (const follower of followers) await follow(follower, maya);
  });
  const notifications = (await notificationsOf(maya)).toReversed();
  for (const notification of notifications) await signalFor(stream, notification);
  expect(receivedIds(stream)).toEqual(notifications.map(({ id }) => id));
  const [began, ...versions] = stream.events.map(({ data }) => data.inboxVersion);
  for (const version of versions) expect(version).toBeGreaterThan(began);
});

test('a stream goes on when its access token has expired', async () => {
  const aged = await anOpine(WITH_WORKER);
  const maya = await registeredPerson(aged);
  const stream = await openReadyStream(aged, maya);
  await advanceTime(aged, '20 minutes');
  expect((await maya.get('/notifications')).status).toBe(401);
  const jonas = await registeredPerson(aged);
  await follow(jonas, maya);
  expect((await signalOfType(stream, 'user_followed')).data.actorId).toBe(jonas.id);
});
