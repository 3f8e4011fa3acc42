import { execFileSync } from 'node:child_process';
import path from 'node:path';

const SCRIPT = path.join(import.meta.dirname, '../../.ci/postgresql-client');

/** From now on this process finds `pg_dump`, `pg_restore` and `psql` that suit the embedded Postgres. */
export function usePostgresClient(): void {
  const folder = execFileSync(SCRIPT, { encoding: 'utf8' }).trim();
  process.env.PATH = `${folder}${path.delimiter}${process.env.PATH}`;
}
