import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { migrateUp } from './db/supabase-cli.ts';

async function main(): Promise<void> {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set: the connection URL of the role that owns the database');
  process.stdout.write(`${await migrateUp(url, ROOT)}\n`);
}

runScript(main);
