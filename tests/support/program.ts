import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A program that listens at a port of loopback, and may be killed and started again there. */
export interface Program {
  readonly port: number;
  /** Returns when it takes connections. @throws Error with what it wrote where it ends instead */
  start(): Promise<void>;
  /** Ends it at once, by SIGKILL unless another signal is given. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** How to run a program. */
export interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  /** Variables beside the PATH. */
  readonly env?: NodeJS.ProcessEnv;
  readonly options?: Pick<SpawnOptions, 'uid' | 'gid'>;
}

/** What runs in the foreground and writes to standard error; it does not run yet. It ends with the tests at the latest. */
export function aProgram({ command, args, port, env, options }: ProgramOptions): Program {
  let child: ChildProcess | undefined;
  const endWithTests = () => child?.kill('SIGKILL');
  return {
    port,
    start: async () => {
      let written = '';
      let hasEnded = false;
      const started = spawn(command, args, {
        env: { PATH: process.env.PATH, ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
        ...options,
      });
      child = started;
      process.once('exit', endWithTests);
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        written += text;
      });
      started.once('error', (error) => {
        hasEnded = true;
        written += error.message;
      });
      started.once('close', () => {
        hasEnded = true;
      });
      while (!(await listensAt(port))) {
        if (hasEnded) throw new Error(`${command} ended: ${written}`);
        await pause(20);
      }
    },
    kill: async (signal = 'SIGKILL') => {
      process.removeListener('exit', endWithTests);
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      child.kill(signal);
      await ended;
    },
  };
}

function listensAt(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
