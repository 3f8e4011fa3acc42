import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startThrowawayCluster } from '../../scripts/db/throwaway-cluster.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { setPassword } from '../../scripts/local/database.ts';

/** A Postgres as Supabase's image makes it, with a project that lives in it already. */
export interface SupabaseImage {
  /** Connection URL of supabase_admin, its superuser. */
  readonly superuserUrl: string;
  /** Connection URL of `postgres`, who owns the project and is none. */
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

/** Starts one on a cluster of its own, as its roles are the cluster's. */
export async function startSupabaseImage(): Promise<SupabaseImage> {
  const { cluster, password, remove } = await startThrowawayCluster();
  const superuserUrl = cluster.url();
  try {
    await withClient(superuserUrl, (client) => client.query(read('supabase-image.sql')));
    await setPassword(superuserUrl, ['postgres'], password);
    const ownerUrl = cluster.urlAs('postgres', password, 'postgres');
    await withClient(ownerUrl, (client) => client.query(read('other-project.sql')));
    return { superuserUrl, ownerUrl, stop: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What is in a database beside what our migrations make there, and who may do what with it: one line a fact. */
export async function catalogOf(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) => client.query<{ line: string }>(read('catalog.sql')));
  return rows.map(({ line }) => line);
}

function read(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}
