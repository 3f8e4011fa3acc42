import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withClient } from '../local/connection.ts';
import { ensureDatabase } from '../local/database.ts';
import { stopLeftovers } from '../local/leftover.ts';
import { type Cluster, type ClusterUrls, startCluster } from '../local/postgres.ts';
import { loadSchemas, readSchemaFiles, type SchemaFile } from './schema-files.ts';
import { migrateUp } from './supabase-cli.ts';

const PREFIX = 'opine-throwaway-';

// All databases share it: their owner is a role of the cluster.
const OWNER_PASSWORD = randomBytes(16).toString('hex');

/** `postgresql.conf` settings that lift the limits of a person (`app.use_limit`), for tests and benchmarks of other things. */
export const WITHOUT_LIMITS = {
  'opine.limits': JSON.stringify({ factor: 1e6, newAccountShare: 1 }),
};

/** An empty Postgres cluster in a temporary folder. */
export type ThrowawayCluster = {
  cluster: Cluster;
  /** The superuser's password; callers may give it to other roles. */
  password: string;
  dataDirectory: string;
  /** Stops the cluster and removes its folder. */
  remove(): Promise<void>;
};

/** The data of a stopped cluster, and its superuser's password. */
export interface StoppedCluster {
  readonly dataDirectory: string;
  readonly password: string;
}

/**
 * Starts a temporary cluster, and removes those of killed processes.
 * @param settings `postgresql.conf` settings
 * @param original the cluster to copy; without it, the temporary one is empty
 * @throws LocalError if this machine cannot run Postgres
 */
export async function startThrowawayCluster(
  settings: Record<string, string> = {},
  original?: StoppedCluster,
): Promise<ThrowawayCluster> {
  await removeAbandoned();
  const directory = mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeDirectory);
  const password = original?.password ?? randomBytes(16).toString('hex');
  try {
    if (original !== undefined) copyCluster(original.dataDirectory, directory);
    const cluster = await startCluster({
      directory,
      superuserPassword: password,
      isDurable: false,
      settings,
    });
    const remove = async () => {
      await cluster.stop();
      removeDirectory();
      process.removeListener('exit', removeDirectory);
    };
    return { cluster, password, dataDirectory: path.join(directory, 'data'), remove };
  } catch (error) {
    removeDirectory();
    throw error;
  }
}

/** Copies data and its owner into `directory`, because Postgres reads only data that its user owns. */
export function copyCluster(dataDirectory: string, directory: string): void {
  execFileSync('cp', ['-Rp', dataDirectory, path.join(directory, 'data')]);
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dataDirectory);
    chownSync(directory, uid, gid);
  }
}

async function removeAbandoned(): Promise<void> {
  for (const entry of readdirSync(os.tmpdir())) {
    const pid = entry.startsWith(PREFIX) ? Number.parseInt(entry.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const directory = path.join(os.tmpdir(), entry);
    await stopLeftovers(path.join(directory, 'data'));
    rmSync(directory, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Runs a function with a temporary cluster, and removes the cluster afterwards. */
export async function withCluster<T>(use: (cluster: Cluster) => Promise<T>): Promise<T> {
  const throwaway = await startThrowawayCluster();
  try {
    return await use(throwaway.cluster);
  } finally {
    await throwaway.remove();
  }
}

/**
 * Creates a database and applies migrations to it by the Supabase CLI.
 * @param supabaseDirectory the parent of `migrations`, named `supabase`
 * @returns the connection URL of its owner
 */
export async function migratedDatabase(
  cluster: ClusterUrls,
  name: string,
  supabaseDirectory: string,
): Promise<string> {
  const { ownerUrl } = await ensureDatabase(cluster, { name, ownerPassword: OWNER_PASSWORD });
  await migrateUp(ownerUrl, path.dirname(supabaseDirectory));
  return ownerUrl;
}

/** A database made from schema files: the connection URL of its owner, and the files in order. */
export type DeclaredDatabase = { ownerUrl: string; files: SchemaFile[] };

/**
 * Creates a database and runs schema files in it.
 * @param supabaseDirectory the parent of `schemas`
 */
export async function declaredDatabase(
  cluster: Cluster,
  name: string,
  supabaseDirectory: string,
): Promise<DeclaredDatabase> {
  const { ownerUrl } = await ensureDatabase(cluster, { name, ownerPassword: OWNER_PASSWORD });
  const files = readSchemaFiles(path.join(supabaseDirectory, 'schemas'));
  await withClient(ownerUrl, (owner) => loadSchemas(owner, files));
  return { ownerUrl, files };
}
