import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PID_FILE = 'postmaster.pid';
const STOP_TIMEOUT_MS = 10_000;

/**
 * Stops the Postgres processes of an earlier, killed run on a data directory. Spares a program that has reused the
 * recorded process number.
 * @param dataDirectory the data directory, which may not exist
 */
export async function stopLeftovers(dataDirectory: string): Promise<void> {
  const postmaster = recordedPostmaster(dataDirectory);
  let pids = postgresProcesses(dataDirectory, postmaster);
  // A backend without its postmaster ends by itself; a new postmaster has to wait for that.
  if (postmaster !== null && pids.includes(postmaster)) sendSignal(postmaster, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (pids.length > 0) {
    if (Date.now() > deadline) for (const pid of pids) sendSignal(pid, 'SIGKILL');
    await sleep(50);
    pids = postgresProcesses(dataDirectory, postmaster);
  }
  // Postgres takes any process with the recorded number for its predecessor: another program, or a zombie, as in a
  // container without an init.
  rmSync(path.join(dataDirectory, PID_FILE), { force: true });
}

function recordedPostmaster(dataDirectory: string): number | null {
  try {
    const [pid] = readFileSync(path.join(dataDirectory, PID_FILE), 'utf8').split('\n');
    return Number(pid) || null;
  } catch {
    return null;
  }
}

function postgresProcesses(dataDirectory: string, postmaster: number | null): number[] {
  try {
    if (process.platform === 'linux') {
      // Every Postgres process has its data directory as its working directory.
      const directory = realpathSync(dataDirectory);
      return readdirSync('/proc')
        .map(Number)
        .filter((pid) => pid > 0 && isPostgresIn(pid, directory));
    }
    if (postmaster === null) return [];
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(postmaster)], { encoding: 'utf8' });
    return command.includes(dataDirectory) ? [postmaster] : [];
  } catch {
    return [];
  }
}

function isPostgresIn(pid: number, directory: string): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === directory &&
      readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
    );
  } catch {
    return false;
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}
