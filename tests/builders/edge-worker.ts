import { buildFunctions, type EdgeOptions, startEdgeFunction } from '../../scripts/local/edge-function.ts';
import type { Environment } from '../../src/config.ts';
import { ApiError } from '../../src/contract/errors.ts';
import { startFlakyStorage } from './storage.ts';

/** The edge functions that do a worker's tasks. */
export interface EdgeWorker {
  /** Calls a function, as cron does. @throws ApiError where it answers that it is unavailable */
  call(name: 'push' | 'upkeep'): Promise<void>;
  /** What both have logged. */
  log(): string;
  stop(): Promise<void>;
}

const PUSH_SECRET = 'a-secret-of-whoever-calls-the-functions-of-tests';

/** Starts the functions `push` and `upkeep` on Deno, with a storage of their own. */
export async function startEdgeWorker(env: Environment, deno: EdgeOptions['deno']): Promise<EdgeWorker> {
  await buildFunctions();
  const storage = await startFlakyStorage();
  const start = (name: 'push' | 'upkeep') =>
    startEdgeFunction({ ...env, ...storage.environment, PUSH_SECRET }, { deno, name });
  const functions = { push: await start('push'), upkeep: await start('upkeep') };
  return {
    call: async (name) => {
      const response = await fetch(`${functions[name].url}/${name}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${PUSH_SECRET}` },
      });
      await response.body?.cancel();
      if (response.status === 503) throw new ApiError('SERVICE_UNAVAILABLE');
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}`);
    },
    log: () => functions.push.log() + functions.upkeep.log(),
    stop: async () => {
      await Promise.all([functions.push.stop(), functions.upkeep.stop()]);
      await storage.remove();
    },
  };
}
