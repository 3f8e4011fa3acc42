import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { NotificationType } from '../../clients/typescript/src/index.ts';
import type { Narrator } from './narrator.ts';
import type { Performer } from './performers.ts';

const POLL_MS = 20;
const TIMEOUT_MS = 15_000;

/** What reaches the people of a demo by itself: events of their streams, and pushes to their phones. */
export interface Arrivals {
  /** How many came by each way. */
  counts(): Readonly<Record<Way, number>>;
  /**
   * Waits until `who` was told of that so many times, by the stream and by a push.
   * @throws Error where that takes too long
   */
  of(who: Performer, type: NotificationType, times?: number): Promise<void>;
  /** Hears no more. @throws what went wrong with a stream */
  close(): Promise<void>;
}

type Way = 'stream' | 'push';
type Hinted = { readonly notificationId: string; readonly type: string };

const PushLine = z.object({
  token_sha256: z.string(),
  message: z.object({
    notification: z.object({ body: z.string() }),
    data: z.object({ type: z.string(), notificationId: z.string() }),
  }),
});

/** Listens for `performers`, and returns when each of their streams is open. */
export async function listenFor(
  performers: readonly Performer[],
  pushFile: string,
  narrator: Narrator,
): Promise<Arrivals> {
  const leaving = new AbortController();
  const { signal } = leaving;
  // By what they tell of: a hint may come twice.
  const arrived = { stream: new Map<string, string>(), push: new Map<string, string>() };
  const open = new Set<Performer>();

  function arrive({ name }: Performer, way: Way, { notificationId, type }: Hinted, text: string): void {
    if (arrived[way].has(notificationId)) return;
    arrived[way].set(notificationId, `${name} ${type}`);
    narrator.arrival(name, way, text);
  }

  async function followStream(who: Performer): Promise<void> {
    for await (const event of who.opine.events({ signal })) {
      if (event.type === 'ready') open.add(who);
      else arrive(who, 'stream', event.payload, event.payload.type);
    }
  }

  async function followPushes(): Promise<void> {
    // What others were sent before is not of this demo.
    let read = linesOf(pushFile).length;
    while (!signal.aborted) {
      const lines = linesOf(pushFile).slice(read);
      read += lines.length;
      for (const line of lines) {
        const { token_sha256, message } = PushLine.parse(JSON.parse(line));
        const who = performers.find(({ deviceHash }) => deviceHash === token_sha256);
        if (who) arrive(who, 'push', message.data, `“${message.notification.body}”`);
      }
      await sleep(POLL_MS);
    }
  }

  const listening = Promise.all([...performers.map(followStream), followPushes()]);
  // It is awaited by `close`; until then its failure shows in what does not arrive.
  listening.catch(() => {});

  async function until(isSo: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!isSo()) {
      if (Date.now() > deadline) throw new Error(`${what} did not come within ${TIMEOUT_MS / 1000} s.`);
      await sleep(POLL_MS);
    }
  }

  await until(() => open.size === performers.length, 'The streams');
  return {
    counts: () => ({ stream: arrived.stream.size, push: arrived.push.size }),
    of: async ({ name }, type, times = 1) => {
      for (const way of ['stream', 'push'] as const) {
        const told = () => [...arrived[way].values()].filter((what) => what === `${name} ${type}`);
        await until(() => told().length >= times, `${type} by ${way} for ${name}`);
      }
    },
    close: async () => {
      leaving.abort();
      await listening;
    },
  };
}

/** The lines of a file that are complete; none where it is not there yet. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
