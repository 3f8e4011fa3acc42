import { type Kysely, sql } from 'kysely';
import { createSecrets } from '../../src/auth/secrets.ts';
import type { Environment } from '../../src/config.ts';
import type { DB } from '../../src/db/types.ts';
import { startServer } from '../../src/server.ts';
import { type CrashingDatabase, createCrashingDatabase } from '../simulations/votes/crashing-database.ts';
import { type Client, clientOf, expectOk } from './client.ts';
import { scrape, WITH_METRICS } from './metrics.ts';
import { HASH_SECRET, type Opine, testEnvironment, WITH_WORKER } from './opine.ts';
import type { Person } from './people.ts';
import { type StreamingReplica, startReplica } from './streaming-replica.ts';

/** An Opine whose reads go to streaming replicas. */
export interface ReplicatedOpine extends Opine {
  readonly database: CrashingDatabase;
  readonly replicas: readonly StreamingReplica[];
  /** The same database without replicas: what the primary answers. */
  readonly primaryUrl: string;
  /** Returns how many reads had this outcome so far. */
  reads(outcome: 'answered' | 'behind' | 'passed' | 'failed' | 'open'): Promise<number>;
}

/** Starts a primary with replicas, a server with a worker, and one without replicas; `stop` stops all. */
export async function startReplicatedOpine(
  replicaCount: number,
  changes: Environment = {},
): Promise<ReplicatedOpine> {
  const database = await createCrashingDatabase();
  const replicas: StreamingReplica[] = [];
  for (let number = 0; number < replicaCount; number += 1) replicas.push(await startReplica(database));
  const environment = { ...testEnvironment(database), ...changes };
  const server = await startServer({
    ...environment,
    ...WITH_WORKER,
    ...WITH_METRICS,
    DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(','),
  });
  const primary = await startServer({ ...environment, PROCESS: 'api' });
  return {
    url: server.url,
    database,
    replicas,
    primaryUrl: primary.url,
    reads: async (outcome) => (await scrape(server)).value('opine_replica_reads_total', { outcome }) ?? 0,
    stop: async () => {
      await Promise.all([server.stop(), primary.stop()]);
      for (const replica of replicas) await replica.remove();
      await database.drop();
    },
  };
}

/** Runs `use` while no replica replays. All have just replayed a heartbeat: without one they soon answer nothing. */
export async function whilePaused<T>(
  { database, replicas }: ReplicatedOpine,
  use: () => Promise<T>,
): Promise<T> {
  await sql`select gateway.record_heartbeat()`.execute(database.superuser);
  const { rows } = await sql<{
    position: string;
  }>`select pg_current_wal_flush_lsn()::text as position`.execute(database.superuser);
  for (const { superuser } of replicas) while (!(await hasReplayed(superuser, rows[0]?.position ?? '')));
  return replicas.reduceRight((inner, replica) => () => replica.whilePaused(inner), use)();
}

async function hasReplayed(replica: Kysely<DB>, position: string): Promise<boolean> {
  const { rows } = await sql<{ isReplayed: boolean }>`
    select pg_last_wal_replay_lsn() >= ${position}::pg_lsn as "isReplayed"`.execute(replica);
  return rows[0]?.isReplayed === true;
}

/** Returns a client of `url` with a person's session. */
export function clientAt(url: string, { session }: Pick<Person, 'session'>): Client {
  return clientOf(url, session.accessToken);
}

/** Gives a person's client a position that every replica has reached: changes of a profile wait for them. */
export function write(person: Client): Promise<unknown> {
  return expectOk(person.patch('/users/me/profile', { bio: crypto.randomUUID() }));
}

/** The position of a write so long ago that a replica may answer without it. */
export const LONG_AGO = createSecrets(HASH_SECRET).sealTransactionId('1 0');

/** Returns the client of somebody who last wrote long ago, so that replicas answer all of their reads before the next write. */
export function afterAnOldWrite(client: Client): Client {
  return {
    ...client,
    // The client itself sends the position of its latest write instead, once it has one.
    get: (path, extras) =>
      client.get(path, { headers: { 'X-Opine-Position': LONG_AGO, ...extras?.headers } }),
  };
}
