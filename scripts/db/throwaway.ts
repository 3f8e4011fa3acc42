import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { withClient } from '../local/connection.ts';
import { ensureDatabase } from '../local/database.ts';
import type { Cluster } from '../local/postgres.ts';
import { loadSchemas } from './load-schemas.ts';
import { readSchemaFiles, type SchemaFile } from './schema-files.ts';
import { migrateUp } from './supabase-cli.ts';
import { startThrowawayCluster } from './throwaway-cluster.ts';

// One for all databases, as their owner is a role of the cluster.
const OWNER_PASSWORD = randomBytes(16).toString('hex');

/**
 * Runs a function with an empty Postgres cluster of its own, gone afterwards.
 * @param use what to do with it
 */
export async function withCluster<T>(use: (cluster: Cluster) => Promise<T>): Promise<T> {
  const throwaway = await startThrowawayCluster();
  try {
    return await use(throwaway.cluster);
  } finally {
    await throwaway.remove();
  }
}

/**
 * Makes a database as a Supabase project has one, without anything of ours.
 * @returns the connection URL of its owner
 */
export async function emptyDatabase(cluster: Cluster, name: string): Promise<string> {
  const { ownerUrl } = await ensureDatabase(cluster, { name, ownerPassword: OWNER_PASSWORD });
  return ownerUrl;
}

/**
 * Makes a database and applies migrations to it by the Supabase CLI.
 * @param supabaseDirectory the folder of `migrations`, called `supabase`
 * @returns the connection URL of its owner
 */
export async function migratedDatabase(
  cluster: Cluster,
  name: string,
  supabaseDirectory: string,
): Promise<string> {
  const ownerUrl = await emptyDatabase(cluster, name);
  await migrateUp(ownerUrl, path.dirname(supabaseDirectory));
  return ownerUrl;
}

/** A database made from schema files: the connection URL of its owner, and the files in their order. */
export type DeclaredDatabase = { ownerUrl: string; files: SchemaFile[] };

/**
 * Makes a database and declares schema files in it.
 * @param supabaseDirectory the folder of `schemas`
 */
export async function declaredDatabase(
  cluster: Cluster,
  name: string,
  supabaseDirectory: string,
): Promise<DeclaredDatabase> {
  const ownerUrl = await emptyDatabase(cluster, name);
  const files = readSchemaFiles(path.join(supabaseDirectory, 'schemas'));
  await withClient(ownerUrl, (owner) => loadSchemas(owner, files));
  return { ownerUrl, files };
}
