import { parseArgs } from 'node:util';
import { SUPABASE_DIRECTORY } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { writeMigration } from './db/write-migration.ts';

const USAGE = 'usage: npm run db:diff -- [--squash] <name>   (name: lower case, digits and underscores)';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { squash: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0 || !/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(USAGE);
  const { files, replaced, losses } = await writeMigration(SUPABASE_DIRECTORY, name, values.squash);
  if (files.length === 0) print('no changes');
  for (const file of replaced.filter((file) => !files.includes(file)))
    print(`removed supabase/migrations/${file}`);
  for (const file of files) print(`wrote   supabase/migrations/${file}`);
  for (const sql of losses) print(`LOSES   ${sql}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

runScript(main);
