import { buildFunctions, type EdgeFunction, startEdgeFunction } from '../../scripts/local/edge-function.ts';
import type { Environment } from '../../src/config.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { type FlakyStorage, startFlakyStorage } from './storage.ts';

type Name = 'push' | 'upkeep';

/** The edge functions that run the worker's tasks. */
export interface EdgeWorker {
  /**
   * Calls a function as cron does.
   * @throws ApiError on a 503
   */
  call(name: Name): Promise<void>;
  /** Kills a function by SIGKILL and starts it again. */
  restart(name: Name): Promise<void>;
  readonly storage: FlakyStorage;
  /** Returns the log of all functions. */
  log(): string;
  stop(): Promise<void>;
}

const PUSH_SECRET = 'a-secret-of-whoever-calls-the-functions-of-tests';

/** Starts functions on Deno with a storage of their own. */
export async function startEdgeWorker(
  env: Environment,
  deno: string,
  names: readonly Name[] = ['push', 'upkeep'],
): Promise<EdgeWorker> {
  await buildFunctions();
  const storage = await startFlakyStorage();
  const start = (name: Name) =>
    startEdgeFunction({ ...env, ...storage.environment, PUSH_SECRET }, { deno, name });
  const running = new Map<Name, EdgeFunction>();
  for (const name of names) running.set(name, await start(name));
  const all = () => [...running.values()];
  const find = (name: Name) => {
    const found = running.get(name);
    if (found === undefined) throw new Error(`${name} was not started.`);
    return found;
  };
  return {
    storage,
    call: async (name) => {
      const response = await fetch(`${find(name).url}/${name}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${PUSH_SECRET}` },
      });
      await response.body?.cancel();
      if (response.status === 503) throw new ApiError('SERVICE_UNAVAILABLE');
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}`);
    },
    restart: async (name) => {
      const killed = find(name);
      process.kill(killed.pid, 'SIGKILL');
      await killed.stop();
      running.set(name, await start(name));
    },
    log: () =>
      all()
        .map(({ log }) => log())
        .join(''),
    stop: async () => {
      await Promise.all(all().map(({ stop }) => stop()));
      await storage.remove();
    },
  };
}
