import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../local/ports.ts';
import { startStack } from '../local/stack.ts';
import type { StackDescription } from '../local/state.ts';

/** Where a demo plays. */
export interface Venue {
  readonly url: string;
  /** Where push messages are written. */
  readonly pushFile: string;
  /** Whether it is there for the demo alone. */
  readonly isOwn: boolean;
  /** Leaves it: ends what was started for the demo. */
  leave(): Promise<void>;
}

/** The stack of `npm start`, where it runs, else one that is started for the demo and leaves nothing. */
export async function openVenue(): Promise<Venue> {
  const directory = path.resolve(process.env.LOCAL_DIR || '.local');
  return (await runningIn(directory)) ?? (await startOwn());
}

async function runningIn(directory: string): Promise<Venue | null> {
  const stack = readStack(directory);
  if (stack === null) return null;
  const answer = await fetch(`${stack.apiUrl}/readyz`).catch(() => null);
  await answer?.body?.cancel();
  if (!answer?.ok) return null;
  return {
    url: stack.apiUrl,
    pushFile: path.join(directory, 'push.jsonl'),
    isOwn: false,
    leave: () => Promise.resolve(),
  };
}

function readStack(directory: string): StackDescription | null {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'stack.json'), 'utf8'));
  } catch {
    return null;
  }
}

async function startOwn(): Promise<Venue> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-demo-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  const { description, stop } = await startStack(
    { LOCAL_DIR: directory, PORT: String(await freePort()), LOG_LEVEL: 'silent' },
    new AbortController().signal,
  );
  return {
    url: description.apiUrl,
    pushFile: path.join(directory, 'push.jsonl'),
    isOwn: true,
    leave: async () => {
      await stop();
      remove();
    },
  };
}
