import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** Returns the CPU time so far of all processes of a Postgres, of those that have ended too, in microseconds. */
function cpuOfProcesses(postmaster: number): number {
  const ticksOf = (pid: string, fields: readonly number[]) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields.reduce((sum, field) => sum + Number(values[field]), 0);
    } catch {
      // It has just ended, and the postmaster counts it.
      return 0;
    }
  };
  const isChild = (pid: string) => {
    try {
      return new RegExp(`^PPid:\\t${postmaster}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name));
  // utime, stime, and of the postmaster cutime and cstime; a tick is 10 ms.
  const ticks = children.map((pid) => ticksOf(pid, [11, 12])).reduce((sum, each) => sum + each, 0);
  return 10_000 * (ticks + ticksOf(String(postmaster), [11, 12, 13, 14]));
}

/**
 * Creates a meter of a Postgres on this machine.
 * @param client connected as a superuser
 * @returns reads the CPU time so far of all its processes, in microseconds
 */
export async function meterPostgres(client: pg.Client): Promise<() => number> {
  const { rows } = await client.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`,
  );
  const postmaster = rows[0]?.pid ?? 0;
  return () => cpuOfProcesses(postmaster);
}
