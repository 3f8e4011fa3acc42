import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createSecrets } from '../../src/auth/secrets.ts';
import type { Environment } from '../../src/config.ts';
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

/** Waits until every replica has replayed what the primary has committed. */
export async function untilReplayed({ database, replicas }: ReplicatedOpine): Promise<void> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_flush_lsn() as lsn`.execute(
    database.superuser,
  );
  for (const { superuser } of replicas) {
    const behind = sql`select from pg_last_wal_replay_lsn() as lsn where lsn < ${rows[0]?.lsn}::pg_lsn`;
    while ((await behind.execute(superuser)).rows.length > 0) await pause(5);
  }
}

/** Runs `use` while no replica replays. All have just replayed a heartbeat: without one they soon answer nothing. */
export async function whilePaused<T>(opine: ReplicatedOpine, use: () => Promise<T>): Promise<T> {
  await sql`select gateway.record_heartbeat()`.execute(opine.database.superuser);
  await untilReplayed(opine);
  return opine.replicas.reduceRight((inner, replica) => () => replica.whilePaused(inner), use)();
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
