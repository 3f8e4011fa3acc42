import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A program on a loopback port that can be killed and restarted. */
export interface Program {
  readonly port: number;
  /**
   * Waits until it accepts connections.
   * @throws Error with its output if it ends instead
   */
  start(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

interface ProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  /** Environment besides PATH. */
  readonly env?: NodeJS.ProcessEnv;
  readonly options?: Pick<SpawnOptions, 'uid' | 'gid'>;
}

/** Describes a foreground program that logs to standard error; the test process kills it at exit. */
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
