import { writeFileSync } from 'node:fs';
import { SUPABASE_DIRECTORY } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { migratedDatabase, withCluster } from './db/throwaway.ts';
import { generateTypes, TYPES_FILE } from './db/types.ts';

async function main(): Promise<void> {
  const types = await withCluster(async (cluster) =>
    generateTypes(await migratedDatabase(cluster, 'migrated', SUPABASE_DIRECTORY)),
  );
  writeFileSync(TYPES_FILE, types);
  process.stdout.write('wrote   src/db/types.ts\n');
}

runScript(main);
