import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

type Process = { pid: number; parent: number; isDead: boolean };

/** Whether a process runs; a dead one that nobody has reaped does not. */
export function isRunning(pid: number): boolean {
  return processes().some((process) => process.pid === pid && !process.isDead);
}

/** A process and all below it. */
export function treeOf(pid: number): number[] {
  const all = processes();
  const below = (parent: number): number[] =>
    all.filter((process) => process.parent === parent).flatMap((child) => [child.pid, ...below(child.pid)]);
  return [pid, ...below(pid)];
}

/** Ends a process at once, if it runs. */
export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

function processes(): Process[] {
  if (!existsSync('/proc/self/status')) {
    const table = execFileSync('ps', ['-axo', 'pid=,ppid=,stat='], { encoding: 'utf8' });
    return table.trim().split('\n').map(parseRow);
  }
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => readStatus(pid) ?? []);
}

function parseRow(row: string): Process {
  const [pid, parent, state] = row.trim().split(/\s+/);
  return { pid: Number(pid), parent: Number(parent), isDead: state?.startsWith('Z') ?? false };
}

function readStatus(pid: string): Process | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
    return { pid: Number(pid), parent, isDead: /^State:\s+[ZX]/m.test(status) };
  } catch {
    return null;
  }
}
