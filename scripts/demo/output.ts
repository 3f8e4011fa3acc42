import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';

/** Prints a demo to the terminal. */
export interface Output {
  /** Waits while people read, and look into the app. */
  pause(): Promise<void>;
  /** Prints a heading, after a pause. */
  section(title: string): Promise<void>;
  /** Prints an action of a user, or its result. */
  line(text: string): void;
  /** Prints a signal that reached a user. */
  delivery(name: string, channel: string, text: string): void;
}

/** @param pauseMs how long a pause is */
export function createOutput(pauseMs: number): Output {
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  const pause = () => sleep(pauseMs);
  return {
    pause,
    section: async (title) => {
      await pause();
      write(`\n${styleText('bold', title)}`);
    },
    line: (text) => write(`  ${text}`),
    delivery: (name, channel, text) =>
      write(styleText('cyan', `      → ${name.padEnd(6)} ${channel.padEnd(7)} ${text}`)),
  };
}
