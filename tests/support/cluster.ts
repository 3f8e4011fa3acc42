import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import {
  migratedDatabase,
  startThrowawayCluster,
  type ThrowawayCluster,
  WITHOUT_LIMITS,
} from '../../scripts/db/throwaway.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { setPassword } from '../../scripts/local/database.ts';
import { readPgtap, readPgtapHelpers } from './pgtap.ts';

/** The migrated database that test databases are copied from. */
export const TEMPLATE = 'opine_template';

/** `TEMPLATE` with pgTAP in schema `extensions`. */
export const PGTAP_TEMPLATE = 'opine_pgtap_template';

const COMPILE_CACHE = path.join(import.meta.dirname, '../../node_modules/.cache/compiled');

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of this run's cluster, and the password of every login role. */
    postgres: { port: number; password: string };
    /** Multiplier for repetitions: 1, more in the deep tests. */
    depth: number;
  }
}

/** Starts the test cluster and creates the templates. Returns the teardown. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  // Server processes started by tests share their compiled code.
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  const throwaway = await startThrowawayCluster({
    ...WITHOUT_LIMITS,
    max_connections: '250',
    // tests/secrecy/logs.ts reads it.
    log_line_prefix: '%m [%p] %d ',
  });
  try {
    await makeTemplates(throwaway);
  } catch (error) {
    await throwaway.remove();
    throw error;
  }
  project.provide('postgres', { port: throwaway.cluster.port, password: throwaway.password });
  return throwaway.remove;
}

async function makeTemplates({ cluster, password }: ThrowawayCluster): Promise<void> {
  await migratedDatabase(cluster, TEMPLATE, SUPABASE_DIRECTORY);
  await withClient(cluster.url(), async (client) => {
    const { rows } = await client.query<{ rolname: string }>(
      `select rolname from pg_roles where rolname ~ '^(postgres$|opine_)' and rolcanlogin`,
    );
    const logins = rows.map(({ rolname }) => rolname);
    await setPassword(cluster.url(), logins, password);
    await client.query(`create database ${PGTAP_TEMPLATE} template ${TEMPLATE}`);
    await withClient(cluster.url(PGTAP_TEMPLATE), async (pgtap) => {
      await pgtap.query(readPgtap());
      await pgtap.query(`set search_path = public, extensions;\n${readPgtapHelpers()}`);
    });
    // Postgres copies a template only while nobody is connected to it.
    for (const name of [TEMPLATE, PGTAP_TEMPLATE]) {
      await client.query(`alter database ${name} with allow_connections false`);
    }
  });
}
