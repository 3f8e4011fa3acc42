import { chownSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { complaint, exitOf, type Launcher } from './launcher.ts';

/** The superuser of every embedded cluster, named as Supabase names its own. */
export const SUPERUSER = 'supabase_admin';

/**
 * Makes the cluster `data` in a directory that has none.
 * @param launcher the directory's launcher
 * @param options the superuser's password, and whether the files must survive a crash of the machine
 * @throws LocalError where initdb fails; no `data` is left then
 */
export async function initialiseCluster(
  launcher: Launcher,
  directory: string,
  options: { superuserPassword: string; isDurable?: boolean },
): Promise<void> {
  for (const entry of readdirSync(directory)) {
    if (entry.startsWith('initdb-')) rmSync(path.join(directory, entry), { recursive: true, force: true });
  }
  const made = `initdb-${process.pid}-${Date.now()}`;
  const passwordFile = path.join(directory, `${made}.password`);
  writeFileSync(passwordFile, `${options.superuserPassword}\n`, { mode: 0o600, flag: 'wx' });
  if (launcher.user) chownSync(passwordFile, launcher.user.uid, launcher.user.gid);
  try {
    const code = await exitOf(
      launcher.run('initdb', [
        `--pgdata=${launcher.pathOf(made)}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${launcher.pathOf(path.basename(passwordFile))}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(options.isDurable === false ? ['--no-sync'] : []),
      ]),
    );
    if (code !== 0) throw complaint('initdb failed', launcher.logPath);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // The rename is last, so that a run killed at any moment leaves either a whole cluster or none.
  renameSync(path.join(directory, made), path.join(directory, 'data'));
}
