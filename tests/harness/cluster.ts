import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { ROOT } from '../../scripts/db/paths.ts';
import { migrateUp } from '../../scripts/db/supabase-cli.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { ensureDatabase, setPassword } from '../../scripts/local/database.ts';
import { type Cluster, startCluster } from '../../scripts/local/postgres.ts';
import { readPgtap } from './pgtap-sql.ts';

/** The migrated database that those of tests are copies of. */
export const TEMPLATE = 'opine_template';

/** The same with pgTAP's functions in schema `extensions`. */
export const PGTAP_TEMPLATE = 'opine_pgtap_template';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the cluster of this run listens, and the password of every role that logs in. */
    postgres: { port: number; password: string };
  }
}

/** Starts the one cluster of a test run and makes its templates; vitest calls what it returns when all is over. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-tests-'));
  const password = randomBytes(16).toString('hex');
  let cluster: Cluster | undefined;
  const tearDown = async () => {
    await cluster?.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    cluster = await startCluster({
      directory,
      superuserPassword: password,
      isDurable: false,
      settings: { max_connections: '250' },
    });
    await makeTemplates(cluster, password);
  } catch (error) {
    await tearDown();
    throw error;
  }
  project.provide('postgres', { port: cluster.port, password });
  return tearDown;
}

async function makeTemplates(cluster: Cluster, password: string): Promise<void> {
  const { ownerUrl } = await ensureDatabase(cluster, { name: TEMPLATE, ownerPassword: password });
  await migrateUp(ownerUrl, ROOT);
  await withClient(cluster.url(), async (client) => {
    const { rows } = await client.query<{ rolname: string }>(
      `select rolname from pg_roles where rolname like 'opine\\_%' and rolcanlogin`,
    );
    await setPassword(
      cluster.url(),
      rows.map(({ rolname }) => rolname),
      password,
    );
    await client.query(`create database ${PGTAP_TEMPLATE} template ${TEMPLATE}`);
    await withClient(cluster.url(PGTAP_TEMPLATE), async (pgtap) => pgtap.query(readPgtap()));
    // A template can be copied only while nobody is connected to it.
    for (const name of [TEMPLATE, PGTAP_TEMPLATE]) {
      await client.query(`alter database ${name} with allow_connections false`);
    }
  });
}
