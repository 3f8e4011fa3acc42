import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { buildLoginUrl } from '../../src/db/pool.ts';
import { callFunction, openWorkerDatabase } from '../../src/db/worker-database.ts';
import { createServices } from '../../src/services.ts';
import { type Json, type Reply, refusal } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { type Opine, testEnvironment } from '../support/opine.ts';
import { anOpineOnAWire, isWorkerAlive, requestsOf, statusOf } from '../support/outages.ts';
import { confirmedPerson, registeredPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { expectReconnect, openReadyStream, signalFor } from '../support/streams.ts';
import { castVote, countsOf } from '../support/votes.ts';

const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

const RECOVERY_MS = 15_000;

/** What `GET /readyz` may take. */
const READY_MS = 3_000;

const NO_IMAGES = { prepare: async () => 'not_decodable' as const };

/** Returns the time that `use` takes. */
async function timeOf(use: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await use();
  return performance.now() - from;
}

async function untilReady(opine: Opine): Promise<void> {
  const isReady = async () => (await statusOf(opine, '/readyz')) === 200;
  await vi.waitUntil(isReady, { timeout: RECOVERY_MS, interval: 50 });
}

/** What `requestsOf` are answered: the refresh of an unknown token is refused, and at last comes the vote. */
const statusesWith = (vote: number) => [200, 200, 200, 200, 401, 201, vote];

/** Each reply is 503, or that of a request that got through; the person has voted before. */
function expectAnswers(replies: readonly Reply[]): void {
  for (const [index, reply] of replies.entries()) {
    if (reply.status === statusesWith(409)[index]) continue;
    expect(reply).toMatchObject(UNAVAILABLE);
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  }
}

describe('open connections that fall silent while new ones work', () => {
  // docs/product.md R2, W15
  test('every request is answered, and requests, tasks and streams work again within 15 seconds', async () => {
    const { opine, wire } = await anOpineOnAWire();
    const person = await confirmedPerson(opine);
    const [post, other] = [await aSlider(person), await aSlider(person)];
    const requests = (about: Json) => Promise.all(requestsOf(opine, person, about));
    const statuses = async (about: Json) => (await requests(about)).map(({ status }) => status);
    const stream = await openReadyStream(opine, person);
    expect(await statuses(post)).toEqual(statusesWith(201));
    await expect.poll(() => isWorkerAlive(opine)).toBe(true);

    wire.silence();
    const silentAt = performance.now();
    const [replies, readyMs] = await Promise.all([
      requests(post),
      timeOf(() => statusOf(opine, '/readyz')),
      expectReconnect(stream),
    ]);
    expect(readyMs).toBeLessThan(READY_MS);
    expectAnswers(replies);
    expect(replies.some(({ status }) => status === 503)).toBe(true);
    await untilReady(opine);
    expect(await statuses(other)).toEqual(statusesWith(201));
    await vi.waitUntil(() => isWorkerAlive(opine), { timeout: RECOVERY_MS });
    const again = await openReadyStream(opine, person);
    await follow(await registeredPerson(opine), person);
    const [notification] = await notificationsOf(person, 'user_followed');
    await signalFor(again, notification);
    expect(performance.now() - silentAt).toBeLessThan(RECOVERY_MS);
  });
});

describe('a Postgres that answers no connection', () => {
  // docs/product.md R2
  test('is 503 with readyz within 3 seconds, and requests are 200 within 15 seconds after it answers', async () => {
    const { opine, wire } = await anOpineOnAWire();
    const person = await confirmedPerson(opine);
    const post = await aSlider(person);
    wire.silence(true);
    const replies = Promise.all(requestsOf(opine, person, post));
    for (const _ of [1, 2]) {
      const readyMs = await timeOf(async () => expect(await statusOf(opine, '/readyz')).toBe(503));
      expect(readyMs).toBeLessThan(READY_MS);
    }
    for (const reply of await replies) expect(reply).toMatchObject(UNAVAILABLE);
    wire.silence();
    await untilReady(opine);
    expect((await castVote(person, post)).status).toBe(201);
    expect(await countsOf(person, post)).toEqual([0, 1, 0, 0, 0]);
    await vi.waitUntil(() => isWorkerAlive(opine), { timeout: RECOVERY_MS });
  });
});

describe('a process that does not watch its connections, as an edge function', () => {
  const STATEMENT_MS = 500;
  const GRACE_MS = 2_000;

  /** Starts an Opine whose logins have a short statement_timeout, and the URL of its database through a wire. */
  async function impatientLogins() {
    const { opine, wire } = await anOpineOnAWire();
    for (const login of ['opine_gateway', 'opine_worker']) {
      await sql`
        alter role ${sql.id(login)} in database ${sql.id(opine.database.name)}
        set statement_timeout = ${sql.lit(STATEMENT_MS)}`.execute(opine.database.superuser);
    }
    const url = new URL(opine.database.urlAs('opine_gateway'));
    url.port = String(wire.port);
    return { opine, wire, url: url.href };
  }

  // docs/product.md W15
  test('gives a request up 2 seconds after its statement_timeout, and answers the next', async () => {
    const { opine, wire, url } = await impatientLogins();
    const config = readConfig({ ...testEnvironment(opine.database), DATABASE_URL: url });
    const { gateway } = await createServices(config, NO_IMAGES);
    onTestFinished(() => gateway.close());
    const read = () =>
      gateway.call({
        operation: 'get_home_feed',
        args: {},
        mode: 'reader',
        claims: null,
        addressHash: null,
        treatsEndedSessionAsGuest: false,
        isWrite: false,
        replicaRead: null,
        revokesAccess: false,
        idempotency: null,
        requestId: 'a read',
      });
    await read();
    wire.silence();
    const ms = await timeOf(() => expect(read()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }));
    expect(ms).toBeGreaterThan(STATEMENT_MS + GRACE_MS - 100);
    expect(ms).toBeLessThan(STATEMENT_MS + GRACE_MS + 1_000);
    await read();
  });

  test('gives a task up 2 seconds after its statement_timeout, and runs the next', async () => {
    const { wire, url } = await impatientLogins();
    const db = openWorkerDatabase(buildLoginUrl(url, 'opine_worker'), () => {});
    onTestFinished(() => db.destroy());
    const heartbeat = () => callFunction(db, 'gateway.record_heartbeat');
    await heartbeat();
    wire.silence();
    const ms = await timeOf(() => expect(heartbeat()).rejects.toThrow('Postgres does not answer.'));
    expect(ms).toBeLessThan(STATEMENT_MS + GRACE_MS + 1_000);
    await heartbeat();
  });
});
