import { destination } from 'pino';
import type { Write } from './log.ts';

/**
 * Creates a writer to standard output that writes all lines of a turn of the event loop at once, because each write costs a system
 * call. At the exit of the process, a crash too, it writes what is left.
 */
export function createLineWriter(): Write {
  const output = destination({ fd: 1, sync: true });
  let lines = '';
  const flush = () => {
    output.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return (line) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
}
