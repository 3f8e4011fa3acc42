import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/db/paths.ts';
import type { DB } from '../../../src/db/types.ts';
import { prepareDatabase } from '../../simulations/votes/crashing-database.ts';
import { type KillableService, startKillableService } from '../../simulations/votes/killable-service.ts';
import { anAudience } from '../../support/audience.ts';
import type { TestDatabase } from '../../support/database.ts';
import { startFcm } from '../../support/fcm.ts';
import { aHub, join } from '../../support/hubs.ts';
import { testEnvironment } from '../../support/opine.ts';
import { waitUntilDelivered } from '../../support/outbox-chaos.ts';
import { hubReadyPerson, type Person } from '../../support/people.ts';
import { aDeviceOf } from '../../support/pushes.ts';
import { type EventStream, openReadyStream } from '../../support/streams.ts';
import { expectedRows, storedRows, tallies, unnotified } from '../ledger.ts';
import { type Load, startLoad } from '../load.ts';
import { type Node, type PatroniCluster, startPatroniCluster } from './cluster.ts';

const NAME = 'opine';
const PEOPLE = 30;
/** How many of them are in the Hub, whose posts notify them. */
const MEMBERS = 4;
const IDOLS = 3_000;
const APIS = 2;
const WORKERS = 2;
/** Acknowledged requests before and after each event. */
const REQUESTS = 300;

const password = randomBytes(16).toString('hex');
const parts = new AsyncDisposableStack();

let cluster: PatroniCluster;
let database: TestDatabase;
let apis: readonly KillableService[];
let fcm: Awaited<ReturnType<typeof startFcm>>;
let people: readonly Person[];
let members: readonly Person[];
let admin: Person;
let devices: ReadonlyMap<string, string>;
let stream: EventStream;
let load: Load;

beforeAll(async () => {
  cluster = await startPatroniCluster(password);
  parts.defer(() => cluster.stop());
  await prepareDatabase(cluster, NAME, password);
  database = connectTo(cluster);
  parts.defer(() => database.drop());
  fcm = await startFcm();
  parts.defer(() => fcm.close());
  const services = await Promise.all(
    [...Array(APIS).fill('api'), ...Array(WORKERS).fill('worker')].map(startService),
  );
  apis = services.slice(0, APIS);
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, n) => hubReadyPerson(opine(n))));
  devices = new Map(
    await Promise.all(people.map(async (person) => [person.id, await aDeviceOf(person)] as const)),
  );
  const [first] = people;
  if (first === undefined) throw new Error('Nobody is there.');
  admin = first;
  const hub = await aHub(admin);
  members = people.slice(0, MEMBERS);
  await join(admin, hub, members.slice(1));
  load = startLoad({ people, hub, members, idols: await anAudience(opine(0), IDOLS) });
  await load.progress(REQUESTS);
});

afterAll(() => parts.disposeAsync());

/** Adapts an API to helpers that take an Opine. */
const opine = (n: number) => ({ url: apis[n % APIS]?.url ?? '', database, stop: async () => {} });

function connectTo(urls: PatroniCluster): TestDatabase {
  const superuserUrl = urls.url(NAME);
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 4 });
  // A failover ends idle connections.
  pool.on('error', () => {});
  const superuser = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const urlAs = (role: string) => urls.urlAs(role, password, NAME);
  return { name: NAME, superuser, superuserUrl, urlAs, drop: () => superuser.destroy() };
}

async function startService(role: 'api' | 'worker'): Promise<KillableService> {
  const service = await startKillableService({
    ...testEnvironment(database),
    ...fcm.environment,
    PROCESS: role,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    LOG_LEVEL: 'error',
    DATABASE_LISTEN_URL: database.urlAs('opine_gateway'),
    DATABASE_REPLICA_URLS: cluster.nodeUrls('opine_gateway', NAME).join(),
    LIMIT_POSTS_PER_HOUR: '1000000',
    LIMIT_FOLLOWS_PER_HOUR: '1000000',
    LIMIT_VOTES_PER_HOUR: '1000000',
    NEW_ACCOUNT_SHARE: '1',
  });
  parts.defer(() => service.kill());
  return service;
}

/** Runs an event under load, reports the longest time without an acknowledged request, and waits for a healthy cluster. */
async function underLoad(
  title: string,
  event: (primary: Node) => Promise<(() => unknown) | undefined>,
): Promise<void> {
  stream = await openReadyStream(opine(0), admin);
  const from = load.ledger.acknowledgedAt.length - 1;
  const repair = await event(await cluster.primary());
  await load.progress(REQUESTS);
  await repair?.();
  await cluster.healthy();
  await load.progress(REQUESTS);
  const times = load.ledger.acknowledgedAt.slice(from);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const rate = (1000 * (times.length - 1)) / ((times.at(-1) ?? 0) - (times[0] ?? 0));
  process.stdout.write(
    `${title}: no answer for ${(Math.max(...gaps) / 1000).toFixed(1)} s, ${rate.toFixed(0)} writes a second\n`,
  );
}

/** Waits for a signal that is newer than the event, as a client does: it opens a stream again that the service has ended. */
async function expectSignal(): Promise<void> {
  const current = stream.ending === undefined ? stream : await openReadyStream(opine(0), admin);
  const earlier = new Set(current.events);
  await current.waitFor((event) => event.event === 'notification' && !earlier.has(event));
}

test('every metric of the alerts is one of Patroni', async () => {
  const alerts = readFileSync(path.join(ROOT, 'ops/patroni/alerts.yml'), 'utf8');
  const named = new Set(alerts.match(/patroni_\w+/g));
  const response = await fetch(`http://${(await cluster.primary()).address}:8008/metrics`);
  const exported = new Set((await response.text()).match(/^patroni_\w+/gm));
  expect(named.size).toBeGreaterThan(4);
  expect([...named].filter((metric) => !exported.has(metric))).toEqual([]);
});

test('nothing is lost when Postgres is killed on the primary', async () => {
  await underLoad('Postgres killed', async (primary) => {
    primary.killPostgres();
    return undefined;
  });
  await expectSignal();
});

test('nothing is lost when the node of the primary loses power', async () => {
  await underLoad('node killed', async (primary) => {
    await primary.kill();
    return () => primary.start();
  });
  await expectSignal();
});

test('nothing is lost in a switchover', async () => {
  await underLoad('switchover', async (primary) => {
    const candidate = cluster.nodes.find((node) => node !== primary);
    const members = ['--leader', primary.name, '--candidate', candidate?.name ?? ''];
    primary.run(
      'patronictl',
      '-c',
      '/var/lib/postgresql/patroni.yml',
      'switchover',
      'opine',
      ...members,
      '--force',
    );
    return undefined;
  });
  await expectSignal();
});

test('nothing is lost when the network of the primary is cut', async () => {
  await underLoad('network cut', async (primary) => {
    primary.disconnect();
    return () => primary.reconnect();
  });
  await expectSignal();
});

test('every acknowledged request is stored once, counted and delivered', async () => {
  const ledger = await load.end();
  expect(ledger.retries).toBeGreaterThan(0);
  expect(await storedRows(database, ledger, people)).toEqual(expectedRows(ledger, members));
  const { shown, expected } = await tallies(ledger, admin);
  expect(shown).toEqual(expected);
  await waitUntilDelivered(database, fcm);
  expect(await unnotified(database, fcm, devices)).toEqual([]);
});
