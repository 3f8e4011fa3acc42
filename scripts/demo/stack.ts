import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../local/ports.ts';
import { startStack } from '../local/stack.ts';
import { readStack } from '../local/state.ts';

/** The stack that a demo uses. */
export interface DemoStack {
  readonly url: string;
  /** The address of the local staff provider, or null without it. */
  readonly staffProviderUrl: string | null;
  /** As superuser of the embedded database. */
  readonly databaseUrl: string;
  /** The file of push messages. */
  readonly pushFile: string;
  /** Whether it was started for this demo. */
  readonly isOwn: boolean;
  /** Stops it if it was started for this demo. */
  release(): Promise<void>;
}

/** Returns the running stack of `npm start`, or else starts a temporary one. */
export async function openStack(): Promise<DemoStack> {
  const directory = path.resolve(process.env.LOCAL_DIR || '.local');
  return (await runningIn(directory)) ?? (await startOwn());
}

async function runningIn(directory: string): Promise<DemoStack | null> {
  const stack = readStack(directory);
  if (stack === null) return null;
  const { apiUrl: url, staffProviderUrl, databaseUrl } = stack;
  const response = await fetch(`${url}/readyz`).catch(() => null);
  await response?.body?.cancel();
  if (!response?.ok) return null;
  return {
    url,
    staffProviderUrl,
    databaseUrl,
    pushFile: path.join(directory, 'push.jsonl'),
    isOwn: false,
    release: async () => {},
  };
}

async function startOwn(): Promise<DemoStack> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-demo-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  const { description, stop } = await startStack(
    { LOCAL_DIR: directory, PORT: String(await freePort()), LOG_LEVEL: 'silent' },
    new AbortController().signal,
  );
  return {
    url: description.apiUrl,
    staffProviderUrl: description.staffProviderUrl,
    databaseUrl: description.databaseUrl,
    pushFile: path.join(directory, 'push.jsonl'),
    isOwn: true,
    release: async () => {
      await stop();
      remove();
    },
  };
}
