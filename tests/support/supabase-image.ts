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
  /** Creates the tables of a service, as its first start does. */
  startService(service: SupabaseService): Promise<void>;
  stop(): Promise<void>;
}

/** A service of Supabase that creates tables in the database when it starts for the first time. */
export type SupabaseService = 'storage' | 'realtime';

/**
 * Starts one on a cluster of its own, as its roles are the cluster's.
 * @param services the services that have started before
 */
export async function startSupabaseImage(
  services: readonly SupabaseService[] = ['storage', 'realtime'],
): Promise<SupabaseImage> {
  const { cluster, password, remove } = await startThrowawayCluster();
  const superuserUrl = cluster.url();
  try {
    const startService = async (service: SupabaseService) => {
      await withClient(superuserUrl, (client) => client.query(read(`supabase-${service}.sql`)));
    };
    await withClient(superuserUrl, (client) => client.query(read('supabase-image.sql')));
    for (const service of services) await startService(service);
    await setPassword(superuserUrl, ['postgres'], password);
    const ownerUrl = cluster.urlAs('postgres', password, 'postgres');
    await withClient(ownerUrl, (client) => client.query(read('other-project.sql')));
    return { superuserUrl, ownerUrl, startService, stop: remove };
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
