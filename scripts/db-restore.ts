import { ownerUrl } from './db/owner-url.ts';
import { restoreDatabase } from './db/restore.ts';
import { runScript } from './db/run-script.ts';

async function main(): Promise<void> {
  const file = process.argv[2];
  if (!file) throw new Error('usage: npm run db:restore -- <file>');
  await restoreDatabase(ownerUrl(), file);
}

runScript(main);
