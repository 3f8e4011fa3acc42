import { type CrashingDatabase, createCrashingDatabase } from '../simulations/votes/crashing-database.ts';
import { type KillableService, startKillableService } from '../simulations/votes/killable-service.ts';
import { type FakeFcm, startFcm } from '../support/fcm.ts';
import { type Nginx, startBalancer } from '../support/nginx.ts';
import { testEnvironment } from '../support/opine.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { type StreamingReplica, startReplica } from '../support/streaming-replica.ts';

const APIS = 2;
const WORKERS = 2;

/** A deployment of several processes: nginx, PgBouncer, APIs, workers, a primary and a replica. */
export interface Stage {
  /** The URL of nginx, for clients. */
  readonly url: string;
  readonly database: CrashingDatabase;
  readonly replica: StreamingReplica;
  readonly pgBouncer: PgBouncer;
  readonly apis: readonly KillableService[];
  readonly workers: readonly KillableService[];
  readonly fcm: FakeFcm;
  stop(): Promise<void>;
}

/** Starts the deployment; the caller stops it. */
export async function startStage(): Promise<Stage> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of cleanups.splice(0).reverse()) await end();
  };
  /** Waits for a part to start, and stops it with the stage in reverse order. */
  async function keep<Part>(starting: Promise<Part>, end: (part: Part) => Promise<unknown>): Promise<Part> {
    const part = await starting;
    cleanups.push(() => end(part));
    return part;
  }
  try {
    const fcm = await keep(startFcm(), ({ close }) => close());
    const database = await keep(createCrashingDatabase(), ({ drop }) => drop());
    const replica = await keep(startReplica(database), ({ remove }) => remove());
    const direct = database.urlAs('opine_gateway');
    const pgBouncer = await keep(startPgBouncer(direct), ({ remove }) => remove());
    const env = {
      ...testEnvironment(database),
      ...fcm.environment,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      LOG_LEVEL: 'error',
      DATABASE_URL: pgBouncer.before(direct),
      // Debian 12's PgBouncer is older than 1.21.
      DATABASE_NAMED_STATEMENTS: 'false',
      DATABASE_LISTEN_URL: direct,
      DATABASE_REPLICA_URLS: replica.url,
      TRUSTED_PROXY_COUNT: '1',
    };
    const starting = [...Array(APIS).fill('api'), ...Array(WORKERS).fill('worker')].map((PROCESS) =>
      keep(startKillableService({ ...env, PROCESS }), ({ kill }) => kill()),
    );
    const services = await Promise.all(starting);
    const apis = services.slice(0, APIS);
    const nginx: Nginx = await keep(startBalancer(apis.map(({ url }) => url)), ({ end }) => end());
    return {
      url: nginx.url,
      database,
      replica,
      pgBouncer,
      apis,
      workers: services.slice(APIS),
      fcm,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
