import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/db/paths.ts';
import { requireProgram } from '../../scripts/find-program.ts';
import { unprivilegedUser } from '../../scripts/local/launcher.ts';
import { freePort } from '../../scripts/local/ports.ts';
import { aProgram, type Program } from './program.ts';

const LOGINS = ['opine_gateway', 'opine_serializable', 'opine_worker'];

/** PgBouncer in transaction mode with ops/pgbouncer.ini. */
export interface PgBouncer extends Program {
  /** Returns the pooled URL for a direct URL. */
  before(url: string): string;
  remove(): Promise<void>;
}

/**
 * Starts PgBouncer before a Postgres.
 * @param url of any service login; all share a password
 */
export async function startPgBouncer(url: string): Promise<PgBouncer> {
  const { hostname, port: postgresPort, pathname, password } = new URL(url);
  const name = pathname.slice(1);
  const port = await freePort();
  if (port === null) throw new Error('No port is free.');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-pgbouncer-'));
  const file = path.join(folder, 'pgbouncer.ini');
  const logins = path.join(folder, 'userlist.txt');
  const config = withLines(readFileSync(path.join(ROOT, 'ops/pgbouncer.ini'), 'utf8'), {
    opine: `${name} = host=${hostname} port=${postgresPort}`,
    listen_addr: 'listen_addr = 127.0.0.1',
    listen_port: `listen_port = ${port}`,
    auth_file: `auth_file = ${logins}`,
    max_prepared_statements: "; Debian 12's PgBouncer is older than 1.21 and refuses this line",
  });
  writeFileSync(file, config);
  writeFileSync(logins, LOGINS.map((login) => `"${login}" "${password}"\n`).join(''));
  // PgBouncer refuses to run as root.
  const user = unprivilegedUser(folder);
  for (const entry of user ? [folder, file, logins] : []) chownSync(entry, user?.uid ?? 0, user?.gid ?? 0);
  const program = aProgram({
    command: requireProgram('pgbouncer'),
    args: ['-q', file],
    port,
    options: user ?? {},
  });
  await program.start();
  return {
    ...program,
    before: (direct) => {
      const pooled = new URL(direct);
      pooled.port = String(port);
      return pooled.href;
    },
    remove: async () => {
      await program.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Replaces the lines of these settings.
 * @throws Error if one is missing
 */
function withLines(text: string, lines: Readonly<Record<string, string>>): string {
  return Object.entries(lines).reduce((changed, [setting, line]) => {
    const place = new RegExp(`^${setting} = .*$`, 'm');
    if (!place.test(changed)) throw new Error(`ops/pgbouncer.ini has no line ${setting}.`);
    return changed.replace(place, line);
  }, text);
}
