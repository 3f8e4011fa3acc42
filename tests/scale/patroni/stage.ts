import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect } from 'vitest';
import type { DB } from '../../../src/db/types.ts';
import { prepareDatabase } from '../../simulations/votes/crashing-database.ts';
import { type KillableService, startKillableService } from '../../simulations/votes/killable-service.ts';
import { outcomeOf } from '../../simulations/votes/requests.ts';
import { anAudience, type Voter } from '../../support/audience.ts';
import { clientOf, type Json, type Reply } from '../../support/client.ts';
import type { TestDatabase } from '../../support/database.ts';
import { type FakeFcm, startFcm } from '../../support/fcm.ts';
import { aHub, join } from '../../support/hubs.ts';
import { type Opine, testEnvironment } from '../../support/opine.ts';
import { waitUntilDelivered } from '../../support/outbox-chaos.ts';
import { confirmedPerson, hubReadyPerson, type Person } from '../../support/people.ts';
import { aDeviceOf } from '../../support/pushes.ts';
import { expectedRows, storedRows, tallies, unnotified } from '../ledger.ts';
import { type Load, startLoad } from '../load.ts';
import { type PatroniCluster, startPatroniCluster } from './cluster.ts';

const NAME = 'opine';
const APIS = 2;
const WORKERS = 2;
const PEOPLE = 30;
/** How many of them are in the Hub, whose posts notify them. */
const MEMBERS = 4;
const IDOLS = 3_000;
const RETRY_MS = 100;

/** Two APIs and two workers on a cluster of Patroni, whose standbys answer reads. */
export interface ClusterStage {
  readonly cluster: PatroniCluster;
  readonly database: TestDatabase;
  readonly apis: readonly KillableService[];
  readonly workers: readonly KillableService[];
  readonly fcm: FakeFcm;
  readonly idols: readonly Voter[];
  /** Returns the log lines of answers with 500. */
  bugs(): Json[];
  /** Adapts an API to helpers that take an Opine. */
  opine(number: number): Opine;
  stop(): Promise<void>;
}

/** What a stage begins with. */
interface Beginning {
  /** Creates the database in the cluster; by default an empty one of today. */
  readonly prepare?: typeof prepareDatabase;
  /** The folder of the service; by default this one. */
  readonly service?: string;
}

/** Starts the stage; the caller stops it. */
export async function startClusterStage({
  prepare = prepareDatabase,
  service,
}: Beginning = {}): Promise<ClusterStage> {
  const parts = new AsyncDisposableStack();
  const password = randomBytes(16).toString('hex');
  try {
    const cluster = await startPatroniCluster(password);
    parts.defer(() => cluster.stop());
    await prepare(cluster, NAME, password);
    const database = connectTo(cluster, password);
    parts.defer(() => database.drop());
    const fcm = await startFcm();
    parts.defer(() => fcm.close());
    const environment = {
      ...testEnvironment(database),
      ...fcm.environment,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOG_LEVEL: 'error',
      DATABASE_LISTEN_URL: database.urlAs('opine_gateway'),
      DATABASE_REPLICA_URLS: cluster.nodeUrls('opine_gateway', NAME).join(),
      LIMITS_FACTOR: '10000',
      NEW_ACCOUNT_SHARE: '1',
    };
    const starting = [...Array(APIS).fill('api'), ...Array(WORKERS).fill('worker')].map((PROCESS) =>
      startKillableService({ ...environment, PROCESS }, service),
    );
    const services = await Promise.all(starting);
    for (const service of services) parts.defer(() => service.kill());
    const apis = services.slice(0, APIS);
    const opine = (number: number) => ({
      url: apis[number % APIS]?.url ?? '',
      database,
      stop: async () => {},
    });
    return {
      cluster,
      database,
      apis,
      workers: services.slice(APIS),
      fcm,
      bugs: () => apis.flatMap((api) => api.logged()).filter(({ status }) => status === 500),
      idols: await anAudience(opine(0), IDOLS),
      opine,
      stop: () => parts.disposeAsync(),
    };
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

function connectTo(urls: PatroniCluster, password: string): TestDatabase {
  const superuserUrl = urls.url(NAME);
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 4 });
  // A failover ends idle connections.
  pool.on('error', () => {});
  const superuser = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const urlAs = (role: string) => urls.urlAs(role, password, NAME);
  return { name: NAME, superuser, superuserUrl, urlAs, drop: () => superuser.destroy() };
}

/** People with devices, some of them in a Hub, who act until `end`. */
export interface ClusterLoad {
  /** A member of the Hub. */
  readonly admin: Person;
  readonly load: Load;
  /**
   * Ends the load, and expects every acknowledged request to be stored once, counted and delivered, and no deleted post to have been
   * shown after its deletion was acknowledged.
   */
  expectNothingLost(): Promise<void>;
}

/** Starts the load of people who write. @param urlOf the service of a person */
export async function startClusterLoad(
  { opine, database, fcm, idols }: ClusterStage,
  urlOf: (number: number) => string = (number) => opine(number).url,
): Promise<ClusterLoad> {
  const at = (number: number) => ({ ...opine(number), url: urlOf(number) });
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, number) => hubReadyPerson(at(number))));
  const devices = new Map(
    await Promise.all(people.map(async (person) => [person.id, await aDeviceOf(person)] as const)),
  );
  const [admin] = people;
  if (admin === undefined) throw new Error('Nobody is there.');
  const hub = await aHub(admin);
  const members = people.slice(0, MEMBERS);
  await join(admin, hub, members.slice(1));
  const load = startLoad({ people, hub, members, idols });
  const deletions = watchDeletions(await confirmedPerson(at(0)), await confirmedPerson(at(1)), urlOf(0));
  return {
    admin,
    load,
    expectNothingLost: async () => {
      const ledger = await load.end();
      expect(await deletions.end()).toBeGreaterThan(0);
      expect(await storedRows(database, ledger, people)).toEqual(expectedRows(ledger, members));
      const { shown, expected } = await tallies(ledger, admin);
      expect(shown).toEqual(expected);
      await waitUntilDelivered(database, fcm);
      expect(await unnotified(database, fcm, devices)).toEqual([]);
    },
  };
}

/** Publishes and deletes posts until it is ended, and has a reader look for each deleted post through both services. */
function watchDeletions(author: Person, reader: Person, otherUrl: string): { end(): Promise<number> } {
  const readers = [reader, clientOf(otherUrl, reader.session.accessToken)];
  let isEnding = false;
  let count = 0;

  /** Repeats a request until it is answered. */
  async function answered(send: () => Promise<Reply>, ...outcomes: string[]): Promise<Reply['data']> {
    for (;;) {
      const { outcome, data } = await outcomeOf(send);
      if (outcome === 'done' || outcomes.includes(outcome)) return data;
      if (outcome !== 'broken' && outcome !== 'unavailable') throw new Error(`The answer was ${outcome}.`);
      await pause(RETRY_MS);
    }
  }

  async function watch(): Promise<void> {
    while (!isEnding) {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const body = { thoughtText: 'Soon gone.', visibility: 'public' };
      const { id } = await answered(() => author.post('/posts', body, { headers }));
      await Promise.all(readers.map((each) => answered(() => each.get(`/posts/${id}`))));
      // A repeated request finds the post gone.
      await answered(() => author.delete(`/posts/${id}`), 'POST_NOT_FOUND');
      for (const each of readers) {
        const { outcome } = await outcomeOf(() => each.get(`/posts/${id}`));
        if (outcome === 'done') throw new Error('A deleted post was shown.');
        if (outcome === 'POST_NOT_FOUND') count += 1;
      }
    }
  }

  const watching = watch();
  // `end` reports a failure.
  watching.catch(() => {});
  return {
    end: async () => {
      isEnding = true;
      await watching;
      return count;
    },
  };
}
