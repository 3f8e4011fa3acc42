import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT, SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import {
  copyCluster,
  migratedDatabase,
  type StoppedCluster,
  startThrowawayCluster,
  type ThrowawayCluster,
  WITHOUT_LIMITS,
} from '../../scripts/db/throwaway.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { setPassword } from '../../scripts/local/database.ts';

/** The migrated database that test databases are copied from. */
export const TEMPLATE = 'opine_template';

const CACHE = path.join(ROOT, 'node_modules/.cache');

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of this run's cluster, and the password of every login role. */
    postgres: { port: number; password: string };
    /** Multiplier for repetitions: 1, more in the deep tests. */
    depth: number;
  }
}

/** Starts the test cluster with the template. Returns the teardown. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Server processes started by tests share their compiled code.
  process.env.NODE_COMPILE_CACHE ??= path.join(CACHE, 'compiled');
  const { cluster, password, remove } = await startThrowawayCluster(
    {
      ...WITHOUT_LIMITS,
      max_connections: '250',
      // tests/secrecy/logs.ts reads it.
      log_line_prefix: '%m [%p] %d ',
    },
    await keptCluster(),
  );
  project.provide('postgres', { port: cluster.port, password });
  return remove;
}

/** Returns the cluster that is kept for these migrations; creates it in place of an older one if there is none. */
async function keptCluster(): Promise<StoppedCluster> {
  const name = `test-cluster-${hashOfInputs()}`;
  const directory = path.join(CACHE, name);
  if (!existsSync(directory)) {
    mkdirSync(CACHE, { recursive: true });
    for (const entry of readdirSync(CACHE)) {
      if (entry.startsWith('test-cluster-'))
        rmSync(path.join(CACHE, entry), { recursive: true, force: true });
    }
    await createCluster(directory);
  }
  const password = readFileSync(path.join(directory, 'password'), 'utf8');
  return { dataDirectory: path.join(directory, 'data'), password };
}

/** Hashes whatever decides what is in the template: migrations, and the code and packages that apply them. */
function hashOfInputs(): string {
  const hash = createHash('sha256').update(process.getuid?.().toString() ?? '');
  const files = globSync(
    [
      'package-lock.json',
      'scripts/{db,local}/**/*.{ts,sql}',
      'supabase/migrations/*',
      'tests/support/cluster.ts',
    ],
    { cwd: ROOT },
  ).sort();
  for (const file of files) hash.update(file).update(readFileSync(path.join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

async function createCluster(directory: string): Promise<void> {
  const throwaway = await startThrowawayCluster();
  const temporary = mkdtempSync(`${directory}.`);
  try {
    await createTemplate(throwaway);
    process.kill(throwaway.cluster.pid, 'SIGINT');
    await throwaway.cluster.exited;
    writeFileSync(path.join(temporary, 'password'), throwaway.password);
    copyCluster(throwaway.dataDirectory, temporary);
    // Another run may have kept the same one in the meantime.
    if (!existsSync(directory)) renameSync(temporary, directory);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    await throwaway.remove();
  }
}

async function createTemplate({ cluster, password }: ThrowawayCluster): Promise<void> {
  await migratedDatabase(cluster, TEMPLATE, SUPABASE_DIRECTORY);
  await withClient(cluster.url(), async (client) => {
    const { rows } = await client.query<{ rolname: string }>(
      `select rolname from pg_roles where rolname ~ '^(postgres$|opine_)' and rolcanlogin`,
    );
    const logins = rows.map(({ rolname }) => rolname);
    await setPassword(cluster.url(), logins, password);
    // Postgres copies a template only while nobody is connected to it.
    await client.query(`alter database ${TEMPLATE} with allow_connections false`);
  });
}
