import { planBothWays } from './compare.ts';
import { roleDifferences } from './roles.ts';
import { declaredDatabase, migratedDatabase, withCluster } from './throwaway.ts';

/**
 * Compares a migrated with a declared database, which must be of different clusters.
 * @param migratedUrl connection URL of the owner of a database made by the migrations
 * @param declaredUrl connection URL of the owner of a database made from the schemas
 * @returns what would bring the first to the second, one entry a statement or role; none where they are equal
 * @throws Error naming what pg-delta does not see
 */
export async function schemaDrift(migratedUrl: string, declaredUrl: string): Promise<string[]> {
  const roles = await roleDifferences(migratedUrl, declaredUrl);
  const plans = await planBothWays(migratedUrl, declaredUrl);
  const [missing, surplus] = [plans.there(), plans.back()];
  const changes = missing.actions.length > 0 ? missing : surplus;
  return [...roles, ...changes.actions.map(({ sql }) => sql)];
}

/**
 * Compares the migrations of a folder with its schemas.
 * @param supabaseDirectory a folder called `supabase`
 * @returns as `schemaDrift`
 */
export function driftOf(supabaseDirectory: string): Promise<string[]> {
  return withCluster(async (cluster) => {
    const { ownerUrl } = await declaredDatabase(cluster, 'declared', supabaseDirectory);
    return driftFrom(supabaseDirectory, ownerUrl);
  });
}

/**
 * Compares the migrations of a folder with a database.
 * @param supabaseDirectory a folder called `supabase`
 * @param declaredUrl connection URL of the owner of a database made from the schemas
 * @returns as `schemaDrift`
 */
export function driftFrom(supabaseDirectory: string, declaredUrl: string): Promise<string[]> {
  return withCluster(async (cluster) => {
    const migratedUrl = await migratedDatabase(cluster, 'migrated', supabaseDirectory);
    return schemaDrift(migratedUrl, declaredUrl);
  });
}
