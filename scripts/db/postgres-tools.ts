import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { requireProgram } from '../find-program.ts';

/** A program of PostgreSQL's client, and its arguments. */
export type Tool = { program: 'pg_dump' | 'pg_restore' | 'psql'; args: string[]; url?: string };

/**
 * Runs a program of PostgreSQL's client.
 * @returns what it wrote
 * @throws Error with what it complained of where it fails
 */
export async function runTool(tool: Tool): Promise<string> {
  const { child, ended } = start(tool);
  child.stdin.end();
  const [written] = await Promise.all([text(child.stdout), ended]);
  return written;
}

/**
 * Runs two programs of which the second reads what the first writes.
 * @param last what it reads after that, only where the first one wrote all there is
 * @throws Error with what they complained of where one fails
 */
export async function pipeTools(from: Tool, to: Tool, last: string): Promise<void> {
  const [writer, reader] = [start(from), start(to)];
  writer.child.stdin.end();
  reader.child.stdout.resume();
  const wrote = Promise.all([
    writer.ended,
    pipeline(writer.child.stdout, reader.child.stdin, { end: false }),
  ]).then(
    () => reader.child.stdin.end(last),
    (error: unknown) => {
      reader.child.stdin.end();
      throw error;
    },
  );
  // Where the second one fails the first one does as well, and knows less of why.
  for (const end of await Promise.allSettled([reader.ended, wrote])) {
    if (end.status === 'rejected') throw end.reason;
  }
}

function start({ program, args, url }: Tool) {
  const child = spawn(
    requireProgram(program),
    url === undefined ? args : [...args, `--dbname=${withoutPassword(url)}`],
    {
      // Everybody on a machine sees arguments: they are no place for a password.
      env: { ...process.env, ...(url !== undefined && { PGPASSWORD: passwordIn(url) }) },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  child.stdin.on('error', () => {});
  const complaints = text(child.stderr);
  const ended = once(child, 'close').then(async ([code]) => {
    if (code !== 0) throw new Error(`${program} failed: ${(await complaints).trim()}`);
  });
  return { child, ended };
}

function passwordIn(url: string): string {
  return decodeURIComponent(new URL(url).password);
}

function withoutPassword(url: string): string {
  const bare = new URL(url);
  bare.password = '';
  return bare.href;
}
