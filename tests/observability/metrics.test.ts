import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureLabel } from '../../src/observability/metrics.ts';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { follow } from '../support/graph.ts';
import { scrape, WITH_METRICS } from '../support/metrics.ts';
import { anOpine, type StartedOpine, startOpine, WITH_WORKER } from '../support/opine.ts';
import { whileReadsBlock, withoutColumn, withoutDatabase } from '../support/outages.ts';
import { confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aSlider, seenBy } from '../support/posts.ts';
import { aDeviceOf } from '../support/pushes.ts';
import { eventually, openReadyStream, signalOfType } from '../support/streams.ts';
import { castVote } from '../support/votes.ts';

let opine: StartedOpine;
let maya: Person;
let jonas: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine({
    ...WITH_METRICS,
    ...WITH_WORKER,
    DATABASE_POOL_SIZE: '1',
    PUSH_FILE: '/dev/null/nowhere',
  });
  maya = await confirmedPerson(opine, 'Maya');
  jonas = await confirmedPerson(opine, 'Jonas');
  post = await aSlider(maya);
});

afterAll(() => opine?.stop());

/** Polls a metric until its value matches. */
function eventualMetric(name: string, labels: Readonly<Record<string, string>> = {}) {
  return eventually(async () => (await scrape(opine)).value(name, labels));
}

describe('the metrics', () => {
  test('the metrics count requests and durations by operation, method and status', async () => {
    await seenBy(jonas, post);
    await jonas.get(`/posts/${jonas.id}`);
    await jonas.get('/coffee');
    const { value } = await scrape(opine);
    const reading = { operation: 'get_post', method: 'GET' };
    expect(value('opine_requests_total', { ...reading, status: '200' })).toBe(1);
    expect(value('opine_requests_total', { ...reading, status: '404' })).toBe(1);
    expect(value('opine_request_seconds_count', { operation: 'get_post' })).toBe(2);
    expect(value('opine_requests_total', { operation: 'none', method: 'GET', status: '404' })).toBe(1);
  });

  test('the metrics are absent from the public port, and the metrics port serves nothing else', async () => {
    expect(await clientOf(opine.url).get('/metrics')).toMatchObject(refusal(404, 'ROUTE_NOT_FOUND'));
    expect((await fetch(`${opine.url}/metrics`)).status).toBe(404);
    expect((await fetch(new URL('/healthz', opine.metricsUrl ?? ''))).status).toBe(404);
  });

  test('the metrics count requests that wait for a database connection', async () => {
    await whileReadsBlock(opine.database, 'app.posts', async () => {
      const readers = [1, 2, 3].map(() => seenBy(jonas, post));
      await eventualMetric('opine_pool_waiting', { pool: 'requests' }).toBe(2);
      const { value } = await scrape(opine);
      expect(value('opine_pool_connections', { pool: 'requests' })).toBe(1);
      expect(value('opine_pool_idle', { pool: 'requests' })).toBe(0);
      expect(value('opine_pool_limit', { pool: 'requests' })).toBe(1);
      return { readers };
    }).then(({ readers }) => Promise.all(readers));
    await eventualMetric('opine_pool_waiting', { pool: 'requests' }).toBe(0);
    expect((await scrape(opine)).value('opine_pool_limit', { pool: 'worker' })).toBe(6);
  });

  test('guests have a connection of their own while requests of members hold all others', async () => {
    await whileReadsBlock(opine.database, 'app.posts', async () => {
      const reader = seenBy(jonas, post);
      await eventualMetric('opine_pool_idle', { pool: 'requests' }).toBe(0);
      expect(await clientOf(opine.url).get('/auth/login-config')).toMatchObject({ status: 200 });
      expect((await scrape(opine)).value('opine_pool_connections', { pool: 'guests' })).toBe(1);
      return { reader };
    }).then(({ reader }) => reader);
  });

  test('the metrics count retried votes', async () => {
    await whileReadsBlock(opine.database, 'app.vote_receipts', async () => {
      const vote = castVote(jonas, post);
      // The lock timeout is half a second.
      await eventualMetric('opine_database_retries_total', {
        pool: 'serializable',
        sqlstate: '55P03',
      }).toBeGreaterThan(0);
      return { vote };
    }).then(({ vote }) => vote);
    expect(
      (await scrape(opine)).value('opine_requests_total', { operation: 'cast_vote', status: '201' }),
    ).toBe(1);
  });

  test('the metrics count streams, signals and pushes', async () => {
    await aDeviceOf(maya);
    const stream = await openReadyStream(opine, maya);
    await follow(await registeredPerson(opine, 'Amara'), maya);
    await signalOfType(stream, 'user_followed');
    const { value } = await scrape(opine);
    expect(value('opine_streams')).toBe(1);
    expect(value('opine_signals_sent_total')).toBe(1);
    await eventualMetric('opine_pushes_total', { outcome: 'failed', failure: 'file' }).toBe(1);
    stream.leave();
    await eventualMetric('opine_streams').toBe(0);
  });

  test('the metrics count task runs and task failures', async () => {
    expect((await scrape(opine)).value('opine_task_runs_total', { task: 'deliver outbox' })).toBeGreaterThan(
      0,
    );
    expect((await scrape(opine)).value('opine_task_failures_total', { task: 'deliver outbox' })).toBe(0);
    await withoutColumn(opine.database, 'app.outbox', 'due_at', () =>
      eventualMetric('opine_task_failures_total', { task: 'deliver outbox' }).toBeGreaterThan(0),
    );
  });

  test('the metrics contain no user id, post id or position', async () => {
    await jonas.get(`/users/${maya.id}`);
    const { text, metrics } = await scrape(opine);
    expect(metrics).toContain('nodejs_eventloop_lag_seconds');
    for (const { id } of [maya, jonas, post]) expect(text).not.toContain(id);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|strong_|neutral/);
  });
});

test('the metrics of a worker have the size and age of the outbox', async () => {
  const working = await anOpine({ ...WITH_METRICS, PROCESS: 'worker' });
  await sql`
    insert into app.outbox (notification_id, due_at) values (app.uuid_v7(), app.now() + interval '1 hour')
  `.execute(working.database.superuser);
  const { metrics, value } = await scrape(working);
  expect(value('opine_outbox_rows')).toBe(1);
  expect(value('opine_outbox_age_seconds')).toBe(0);
  expect(metrics).not.toContain('opine_streams');
});

test('a worker without a database omits the outbox values and reports the other metrics', async () => {
  const working = await anOpine({ ...WITH_METRICS, PROCESS: 'worker' });
  await withoutDatabase(working.database, async () => {
    const { metrics, value } = await scrape(working);
    expect(metrics).toContain('opine_outbox_rows');
    expect(value('opine_outbox_rows')).toBeUndefined();
    expect(value('opine_pool_limit', { pool: 'worker' })).toBe(6);
  });
});

test('an API server has no outbox metrics, and two servers in one process count separately', async () => {
  const [one, other] = [await anOpine(WITH_METRICS), await anOpine({ ...WITH_METRICS, ...WITH_WORKER })];
  await clientOf(one.url).get('/posts');
  const [ofOne, ofOther] = [await scrape(one), await scrape(other)];
  expect(ofOne.value('opine_requests_total', { method: 'GET', status: '200' })).toBe(1);
  expect(ofOther.value('opine_requests_total')).toBeUndefined();
  expect(ofOne.metrics).not.toContain('opine_outbox_rows');
});

test('a server without METRICS_PORT has no metrics endpoint', async () => {
  expect((await anOpine()).metricsUrl).toBeNull();
});

test('failureLabel maps push failures to a small set of labels', () => {
  const failures = ['UNREGISTERED', 'late', 'http/503', 'http/404', 'token of maya', undefined];
  expect(failures.map(failureLabel)).toEqual([
    'UNREGISTERED',
    'late',
    'http/5xx',
    'http/4xx',
    'other',
    'none',
  ]);
});
