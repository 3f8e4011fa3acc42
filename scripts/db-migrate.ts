import { ownerUrl } from './db/owner-url.ts';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { migrateUp } from './db/supabase-cli.ts';

async function main(): Promise<void> {
  process.stdout.write(`${await migrateUp(ownerUrl(), ROOT)}\n`);
}

runScript(main);
