import path from 'node:path';
import { startApi } from './api.ts';
import { createBearers } from './bearers.ts';
import type { Requests } from './comparison.ts';
import type { CostScenario } from './cost.ts';
import { runLoad } from './load.ts';
import { onceAlone } from './statistics.ts';
import type { Database, World } from './world.ts';

/** How often `app.sessions` was scanned: by its primary key, by any index, and from end to end. */
type Scans = Record<(typeof KINDS)[number], number>;

const KINDS = ['primaryKey', 'index', 'sequential'] as const;

/**
 * Whether a bearer costs Postgres one look-up of its session by primary key and no other scan, as a line. The scans of
 * as many guests' requests are taken off: the worker's upkeep, which runs once as the API starts, reads sessions too.
 * @throws Error where sessions are read otherwise than by one index scan a request
 */
export async function checkLookUp(
  world: World,
  database: Database,
  { guest, bearer }: CostScenario['lookUp'],
): Promise<string> {
  const asGuest = await scansDuring(world, database, guest);
  const asBearer = await scansDuring(world, database, bearer);
  const more = difference(asBearer, asGuest);
  const finding = `app.sessions, ${bearer.count} requests with a bearer: ${more.primaryKey} scans of its primary key, ${more.index - more.primaryKey} of other indexes, ${more.sequential} sequential`;
  if (more.index !== bearer.count || more.sequential !== 0) {
    throw new Error(`a session is not found by one index scan: ${finding}`);
  }
  return `${finding}; target: primary key alone, ${more.primaryKey === bearer.count ? 'met' : 'MISSED'}`;
}

/** What the scans grow by in a life of the API that answers a block of requests. */
async function scansDuring(world: World, database: Database, requests: Requests): Promise<Scans> {
  const before = await scansOf(database);
  await answer(world, database, requests);
  return difference(await scansOf(database), before);
}

async function answer({ directory }: World, database: Database, requests: Requests): Promise<void> {
  const bearers = await createBearers();
  await using api = await startApi({
    databaseUrl: database.urlAs('opine_gateway'),
    signingKey: bearers.signingKey,
    logFile: path.join(directory, 'api.log'),
  });
  await runLoad(requests, { port: api.port, bearers, directory, first: 0 });
}

function scansOf(database: Database): Promise<Scans> {
  return onceAlone(database, async (client) => {
    const { rows } = await client.query<Scans>(
      `select i.idx_scan::integer as "primaryKey", t.idx_scan::integer as "index", t.seq_scan::integer as "sequential"
       from pg_stat_user_tables as t
       join pg_stat_user_indexes as i on i.relid = t.relid and i.indexrelname = 'sessions_pkey'
       where t.relid = 'app.sessions'::regclass`,
    );
    const [scans] = rows;
    if (scans === undefined) throw new Error('app.sessions has no primary key of that name');
    return scans;
  });
}

function difference(scans: Scans, less: Scans): Scans {
  const [primaryKey = 0, index = 0, sequential = 0] = KINDS.map((kind) => scans[kind] - less[kind]);
  return { primaryKey, index, sequential };
}
