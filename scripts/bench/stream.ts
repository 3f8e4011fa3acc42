import path from 'node:path';
import { ROOT } from '../db/paths.ts';
import { PENDING_VOTE_KEY, POOL_SIZE } from './api.ts';
import { createBearers, ISSUER } from './bearers.ts';
import { startClients, startHolder } from './stream-processes.ts';
import { delaysTable, memoryTable } from './stream-report.ts';
import { STREAMS } from './stream-sizes.ts';
import { type Trial, tryHolder } from './stream-trial.ts';
import type { World } from './world.ts';

const API = path.join(ROOT, 'src/server.ts');
const BARE = path.join(import.meta.dirname, 'stream-bare.ts');

async function measure(world: World, print: (text: string) => void): Promise<void> {
  const database = await world.createDatabase();
  const { signingKey, tokenOf } = await createBearers();
  const tokens: string[] = [];
  for (let user = 0; user < STREAMS; user += 1) tokens.push(await tokenOf(user));
  // As api.ts starts it, but by a process that tells of its memory.
  const env = {
    LOG_LEVEL: 'info',
    DATABASE_URL: database.urlAs('opine_gateway'),
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    JWT_SIGNING_KEYS: JSON.stringify([signingKey]),
    HASH_SECRET: 'a secret of benchmarks, long enough to be one',
    SUPABASE_URL: new URL('/', ISSUER).href,
    SUPABASE_SECRET_KEY: 'unused',
    SMS_PROVIDER: 'console',
    PENDING_VOTE_KEY,
    CHECK_ANSWERS: 'false',
  };
  using clients = startClients();
  const hold = async (title: string, program: string, environment: Readonly<Record<string, string>>) => {
    const logFile = path.join(world.directory, 'streams.log');
    await using holder = await startHolder(program, environment, logFile);
    const trial = await tryHolder(title, holder, clients, tokens);
    print(`streams: ${title} opened ${STREAMS} in ${trial.openedInSeconds.toFixed(1)} s`);
    return trial;
  };
  const ours: Trial = await hold('API', API, env);
  const bare: Trial = await hold('node:http', BARE, {});
  print(`\n${memoryTable(ours, bare)}\n\n${delaysTable([ours, bare])}\n`);
}

/** What many idle streams cost a process. */
export const streams = { name: 'streams', measure };
