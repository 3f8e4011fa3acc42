import { dumpDatabase } from './db/dump.ts';
import { ownerUrl } from './db/owner-url.ts';
import { runScript } from './db/run-script.ts';

async function main(): Promise<void> {
  const file = process.argv[2];
  if (!file) throw new Error('usage: npm run db:dump -- <file>');
  await dumpDatabase(ownerUrl(), file);
}

runScript(main);
