import { advisorWarnings } from '../db/advisors.ts';
import { schemaDrift } from '../db/drift.ts';
import { SUPABASE_DIRECTORY } from '../db/paths.ts';
import { declaredDatabase, migratedDatabase, withCluster } from '../db/throwaway.ts';
import { areTypesCurrent } from '../db/types.ts';
import type { Check } from './check.ts';
import { hasPlpgsqlCheck, plpgsqlFindings } from './plpgsql.ts';

const DATABASE = 'migrated';

/**
 * Runs a function with the checks that need databases: one cluster with the migrations, and one with the schemas, since
 * roles are of the cluster.
 */
export function withDatabaseChecks<T>(use: (checks: Check[]) => Promise<T>): Promise<T> {
  return withCluster(async (cluster) => {
    const ownerUrl = await migratedDatabase(cluster, DATABASE, SUPABASE_DIRECTORY);
    return use([
      { name: 'schemas equal migrations', run: () => schemaCheck(ownerUrl) },
      { name: 'src/db/types.ts is current', run: () => typesCheck(ownerUrl) },
      { name: 'supabase db advisors', run: () => advisorsCheck(cluster.url(DATABASE), ownerUrl) },
      { name: 'plpgsql_check', run: () => plpgsqlCheck(cluster.url(DATABASE)) },
    ]);
  });
}

function schemaCheck(migratedUrl: string): Promise<string> {
  return withCluster(async (cluster) => {
    const declared = await declaredDatabase(cluster, 'declared', SUPABASE_DIRECTORY);
    const drift = await schemaDrift(migratedUrl, declared.ownerUrl);
    if (drift.length === 0) return '';
    return [
      ...drift,
      'Run `npm run db:diff -- <name>`, or edit supabase/schemas to match the migrations.',
    ].join('\n');
  });
}

async function typesCheck(ownerUrl: string): Promise<string> {
  return (await areTypesCurrent(ownerUrl)) ? '' : 'Run `npm run db:types`.';
}

async function advisorsCheck(superuserUrl: string, ownerUrl: string): Promise<string> {
  return (await advisorWarnings(superuserUrl, ownerUrl)).join('\n');
}

async function plpgsqlCheck(superuserUrl: string): Promise<string> {
  if (!hasPlpgsqlCheck()) {
    process.stdout.write('skipped plpgsql_check: npm run setup installs it on Debian and Ubuntu\n');
    return '';
  }
  return (await plpgsqlFindings(superuserUrl)).join('\n');
}
