import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';

/** Tells a demo in the terminal. */
export interface Narrator {
  /** Opens the next act, after a pause in which the last one can be read. */
  act(title: string): Promise<void>;
  /** Says what somebody did or saw. */
  say(line: string): void;
  /** Says what reached somebody by itself. */
  arrival(name: string, way: string, text: string): void;
}

/** @param pauseMs between acts */
export function createNarrator(pauseMs: number): Narrator {
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  return {
    act: async (title) => {
      await sleep(pauseMs);
      write(`\n${styleText('bold', title)}`);
    },
    say: (line) => write(`  ${line}`),
    arrival: (name, way, text) =>
      write(styleText('cyan', `      → ${name.padEnd(6)} ${way.padEnd(7)} ${text}`)),
  };
}
