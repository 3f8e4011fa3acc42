import { styleText } from 'node:util';
import type { Write } from '../../src/log.ts';
import { LocalError } from './errors.ts';

type Line = Readonly<Record<string, unknown>>;

/** The levels of pino from the one on that says that something is wrong. */
const LEVELS = { warn: 40, error: 50 };

/** What each line has, or what it begins with. */
const SHOWN = new Set(['level', 'time', 'msg', 'operation', 'method', 'status', 'milliseconds']);

/**
 * Returns what writes the log of a local stack: lines for people, or the JSON of a deployment.
 * @param format the variable LOG_FORMAT: `json`, or nothing
 * @param write writes to the terminal
 * @throws LocalError for another format
 */
export function createLogWriter(format: string | undefined, write: Write): Write {
  if (format === 'json') return write;
  if (format) throw new LocalError('LOG_FORMAT must be json, or unset for lines that people read');
  return (text) => write(readable(text));
}

/** Rewrites a line of the log, or a text message, for people. */
function readable(text: string): string {
  const line = parse(text);
  if (line === null) return `\n  ${styleText('bold', text.trim())}\n\n`;
  const { level, time, msg, method, operation = method, status, milliseconds } = line;
  const did = msg === 'request' ? [operation, status, `${milliseconds} ms`] : [msg];
  const others = Object.entries(line).filter(
    ([name]) => !SHOWN.has(name) && (msg !== 'request' || isWrong(level)),
  );
  const details = others.map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const shown = `${String(time).slice(11, 19)}  ${[...did, ...details].join('  ')}`;
  return `${coloured(shown, Number(level))}\n`;
}

const isWrong = (level: unknown) => Number(level) >= LEVELS.warn;

function coloured(text: string, level: number): string {
  if (level >= LEVELS.error) return styleText('red', text);
  return level >= LEVELS.warn ? styleText('yellow', text) : styleText('dim', text);
}

function parse(text: string): Line | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
