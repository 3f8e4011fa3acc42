import { writeFileSync } from 'node:fs';
import { SUPABASE_DIRECTORY } from './db/paths.ts';
import { migratedDatabase, withCluster } from './db/throwaway.ts';
import { generateTypes, TYPES_FILE } from './db/types.ts';

async function main(): Promise<void> {
  const types = await withCluster(async (cluster) =>
    generateTypes(await migratedDatabase(cluster, 'migrated', SUPABASE_DIRECTORY)),
  );
  writeFileSync(TYPES_FILE, types);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
