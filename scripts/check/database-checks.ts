import { advisorWarnings } from '../db/advisors.ts';
import { schemaDrift } from '../db/compare.ts';
import { SUPABASE_DIRECTORY } from '../db/paths.ts';
import { declaredDatabase, migratedDatabase, withCluster } from '../db/throwaway.ts';
import { areTypesCurrent } from '../db/types.ts';
import type { Check } from './check.ts';
import { hasPlpgsqlCheck, plpgsqlFindings } from './plpgsql.ts';

const DATABASE = 'migrated';

/**
 * Runs a function with the checks that need databases. The migrations and the schemas get a cluster each, because roles
 * belong to a cluster.
 */
export function withDatabaseChecks<T>(use: (checks: Check[]) => Promise<T>): Promise<T> {
  return withCluster(async (cluster) => {
    const ownerUrl = await migratedDatabase(cluster, DATABASE, SUPABASE_DIRECTORY);
    const superuserUrl = cluster.url(DATABASE);
    return use([
      { name: 'schemas equal migrations', run: () => schemaCheck(ownerUrl) },
      {
        name: 'src/db/types.ts is current',
        run: async () => ((await areTypesCurrent(ownerUrl)) ? '' : 'Run `npm run db:types`.'),
      },
      {
        name: 'supabase db advisors',
        run: async () => (await advisorWarnings(superuserUrl, ownerUrl)).join('\n'),
      },
      { name: 'plpgsql_check', run: () => plpgsqlCheck(superuserUrl) },
    ]);
  });
}

function schemaCheck(migratedUrl: string): Promise<string> {
  return withCluster(async (cluster) => {
    const declared = await declaredDatabase(cluster, 'declared', SUPABASE_DIRECTORY);
    const drift = await schemaDrift(migratedUrl, declared.ownerUrl);
    if (drift.length === 0) return '';
    const advice = 'Run `npm run db:diff -- <name>`, or edit supabase/schemas to match the migrations.';
    return [...drift, advice].join('\n');
  });
}

async function plpgsqlCheck(superuserUrl: string): Promise<string> {
  if (hasPlpgsqlCheck()) return (await plpgsqlFindings(superuserUrl)).join('\n');
  process.stdout.write('skipped plpgsql_check: npm run setup installs it on Debian and Ubuntu\n');
  return '';
}
