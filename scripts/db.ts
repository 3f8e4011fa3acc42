import { writeFileSync } from 'node:fs';
import { dumpDatabase, restoreDatabase } from './db/backup.ts';
import { ROOT, SUPABASE_DIRECTORY } from './db/paths.ts';
import { runScript } from './db/run-script.ts';

// `dump` and `restore` run without development dependencies, so the other commands import theirs when they run.
const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  diff,
  dump: ([file]) => dumpDatabase(ownerUrl(), required(file, 'dump')),
  restore: ([file]) => restoreDatabase(ownerUrl(), required(file, 'restore')),
  migrate: async () => {
    const { migrateUp } = await import('./db/supabase-cli.ts');
    print(await migrateUp(ownerUrl(), ROOT));
  },
  types: async () => {
    const { migratedDatabase, withCluster } = await import('./db/throwaway.ts');
    const { generateTypes, TYPES_FILE } = await import('./db/types.ts');
    const types = await withCluster(async (cluster) =>
      generateTypes(await migratedDatabase(cluster, 'migrated', SUPABASE_DIRECTORY)),
    );
    writeFileSync(TYPES_FILE, types);
    print('wrote   src/db/types.ts');
  },
};

async function diff([name, ...others]: string[]): Promise<void> {
  if (name === undefined || others.length > 0 || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new Error('usage: npm run db:diff -- <name>   (name: lower case, digits and underscores)');
  }
  const { writeMigration } = await import('./db/migration.ts');
  const { files, replaced, losses } = await writeMigration(SUPABASE_DIRECTORY, name);
  if (files.length === 0) print('no changes');
  for (const file of replaced.filter((file) => !files.includes(file)))
    print(`removed supabase/migrations/${file}`);
  for (const file of files) print(`wrote   supabase/migrations/${file}`);
  for (const sql of losses) print(`LOSES   ${sql}`);
}

/**
 * Returns `DATABASE_URL`.
 * @throws Error if it is missing or not a URL of Postgres
 */
function ownerUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set: the connection URL of the role that owns the database');
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('DATABASE_URL must be a postgresql:// URL');
  return url;
}

function required(file: string | undefined, command: string): string {
  if (!file) throw new Error(`usage: npm run db:${command} -- <file>`);
  return file;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [command = '', ...args] = process.argv.slice(2);
runScript(async () => {
  const run = COMMANDS[command];
  if (run === undefined) throw new Error(`usage: node scripts/db.ts ${Object.keys(COMMANDS).join('|')}`);
  await run(args);
});
