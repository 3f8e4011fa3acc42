import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { requireProgram } from '../find-program.ts';

/** A program of PostgreSQL's client, its arguments, and the database it connects to. */
export type Tool = { program: 'pg_dump' | 'pg_restore' | 'psql'; args: string[]; url?: string };

/**
 * Runs a program of PostgreSQL's client.
 * @returns its stdout
 * @throws Error with its stderr if it fails
 */
export async function runTool(tool: Tool): Promise<string> {
  const { child, ended } = start(tool);
  child.stdin.end();
  const [stdout] = await Promise.all([text(child.stdout), ended]);
  return stdout;
}

/**
 * Pipes the stdout of one program into another.
 * @param last the end of the second program's input, sent only if the first program succeeds
 * @throws Error with the stderr of the program that fails
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
  // The second program's error comes first: its failure ends the first program too, with a less useful message.
  for (const end of await Promise.allSettled([reader.ended, wrote])) {
    if (end.status === 'rejected') throw end.reason;
  }
}

function start({ program, args, url }: Tool) {
  const env = { ...process.env };
  if (url !== undefined) {
    // Every user of a machine sees arguments, so the password goes into the environment.
    const bare = new URL(url);
    env.PGPASSWORD = decodeURIComponent(bare.password);
    bare.password = '';
    args = [...args, `--dbname=${bare.href}`];
  }
  const child = spawn(requireProgram(program), args, { env });
  child.stdin.on('error', () => {});
  const stderr = text(child.stderr);
  const ended = once(child, 'close').then(async ([code]) => {
    if (code !== 0) throw new Error(`${program} failed: ${(await stderr).trim()}`);
  });
  return { child, ended };
}
