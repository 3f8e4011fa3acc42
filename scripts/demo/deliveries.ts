import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { NotificationType } from '../../clients/typescript/src/index.ts';
import type { Output } from './output.ts';
import { tailOf } from './tail.ts';
import type { DemoUser } from './users.ts';

const POLL_MS = 20;
const TIMEOUT_MS = 15_000;

/** The signals that reach the users of a demo: events of their streams, and pushes to their phones. */
export interface Deliveries {
  /** Counts the notifications per channel. */
  counts(): Readonly<Record<Channel, number>>;
  /**
   * Waits until a user has received `times` notifications of a type, on the stream and as pushes.
   * @throws Error after a timeout
   */
  expect(user: DemoUser, type: NotificationType, times?: number): Promise<void>;
  /** Stops listening. @throws the error of a stream */
  close(): Promise<void>;
}

type Channel = 'stream' | 'push';
type Signal = { readonly notificationId: string; readonly type: string };

const PushLine = z.object({
  token_sha256: z.string(),
  message: z.object({
    notification: z.object({ body: z.string() }),
    data: z.object({ type: z.string(), notificationId: z.string() }),
  }),
});

/** Listens for signals to `users`; returns when all their streams are open. */
export async function listenFor(
  users: readonly DemoUser[],
  pushFile: string,
  output: Output,
): Promise<Deliveries> {
  const stopping = new AbortController();
  const { signal } = stopping;
  // By notification id, because a signal may arrive twice.
  const received = { stream: new Map<string, string>(), push: new Map<string, string>() };
  const open = new Set<DemoUser>();

  function receive(
    { name }: DemoUser,
    channel: Channel,
    { notificationId, type }: Signal,
    text: string,
  ): void {
    if (received[channel].has(notificationId)) return;
    received[channel].set(notificationId, `${name} ${type}`);
    output.delivery(name, channel, text);
  }

  async function followStream(user: DemoUser): Promise<void> {
    for await (const event of user.opine.events({ signal })) {
      if (event.type === 'ready') open.add(user);
      else receive(user, 'stream', event.payload, event.payload.type);
    }
  }

  async function followPushes(): Promise<void> {
    // Earlier lines are pushes to other users.
    const read = tailOf(pushFile);
    while (!signal.aborted) {
      for (const line of read()) {
        const { token_sha256, message } = PushLine.parse(JSON.parse(line));
        const user = users.find(({ deviceHash }) => deviceHash === token_sha256);
        if (user) receive(user, 'push', message.data, `“${message.notification.body}”`);
      }
      await sleep(POLL_MS);
    }
  }

  const listening = Promise.all([...users.map(followStream), followPushes()]);
  // `close` awaits it; until then a failure surfaces as a timeout of `expect`.
  listening.catch(() => {});

  async function waitUntil(isTrue: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!isTrue()) {
      if (Date.now() > deadline) throw new Error(`${what} did not arrive within ${TIMEOUT_MS / 1000} s.`);
      await sleep(POLL_MS);
    }
  }

  await waitUntil(() => open.size === users.length, 'The first event of a stream');
  return {
    counts: () => ({ stream: received.stream.size, push: received.push.size }),
    expect: async ({ name }, type, times = 1) => {
      for (const channel of ['stream', 'push'] as const) {
        const count = () => received[channel].values().filter((entry) => entry === `${name} ${type}`);
        await waitUntil(() => count().toArray().length >= times, `${type} by ${channel} for ${name}`);
      }
    },
    close: async () => {
      stopping.abort();
      await listening;
    },
  };
}
