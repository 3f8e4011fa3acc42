import { dumpDatabase } from './db/dump.ts';
import { runScript } from './db/run-script.ts';

async function main(): Promise<void> {
  const [url, file] = [process.env.DATABASE_URL, process.argv[2]];
  if (!url) throw new Error('DATABASE_URL is not set: the connection URL of the role that owns the database');
  if (!file) throw new Error('usage: npm run db:dump -- <file>');
  await dumpDatabase(url, file);
}

runScript(main);
