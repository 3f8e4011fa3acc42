import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';

const BLOCK = 512;
const SCRIPT = /\/pgtap--\d+\.\d+\.\d+\.sql$/;

/**
 * Reads pgTAP out of its npm package as SQL that makes its functions in schema `extensions`: the embedded Postgres has
 * no place for a further extension.
 */
export function readPgtap(): string {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('@electric-sql/pglite-pgtap');
  const archive = gunzipSync(readFileSync(path.join(path.dirname(entry), 'pgtap.tar.gz')));
  const script = tarEntry(archive, SCRIPT).replace(/^\\.*$/gm, '');
  // Tests run as roles of every sort, which all report to pgTAP.
  return `grant usage on schema extensions to public;\nset search_path = extensions;\n${script}`;
}

/** Reads what the pgTAP tests share, `supabase/tests/_helpers`, in the order of its files. */
export function readPgtapHelpers(): string {
  const directory = path.join(SUPABASE_DIRECTORY, 'tests/_helpers');
  const files = readdirSync(directory).sort();
  return files.map((file) => readFileSync(path.join(directory, file), 'utf8')).join('\n');
}

function tarEntry(archive: Buffer, name: RegExp): string {
  for (let at = 0; at < archive.length; ) {
    const entry = field(archive, at, 100);
    const size = Number.parseInt(field(archive, at + 124, 12), 8) || 0;
    if (name.test(entry)) return archive.toString('utf8', at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error('The package of pgTAP has no script of that name.');
}

function field(archive: Buffer, from: number, length: number): string {
  return archive.toString('latin1', from, from + length).split('\0', 1)[0] ?? '';
}
