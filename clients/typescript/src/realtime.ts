import { RealtimeError } from './error.ts';
import type { Connection, InboxState, Payload } from './events.ts';
import { createQueue } from './queue.ts';

/** The Supabase project that Opine runs on. */
export interface RealtimeOptions {
  /** Its URL, such as `https://<ref>.supabase.co`. */
  readonly url: string;
  readonly publishableKey: string;
}

/** The recipient of events, with access to Opine. */
export interface Listener {
  readonly userId: string;
  /** Returns the current access token. */
  accessToken(): Promise<string | null>;
  /** Reads the state of the inbox. @throws OpineError if the session has ended */
  readInbox(signal: AbortSignal): Promise<InboxState>;
}

/** Returns what `create` returns. What it throws, such as for a malformed URL, is no reason to retry. */
function orRefuse<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    throw new RealtimeError(`The Supabase client cannot start: ${error}`);
  }
}

/** Errors that no retry and no other token can fix. */
const REFUSALS = /^(Unauthorized|PrivateOnly): /;

/**
 * Yields the events of one connection to Supabase Realtime: the private channel of the listener.
 * @throws OpineError if the session has ended
 * @throws RealtimeError if Realtime refuses the channel of a live session, or if the Supabase client cannot start
 */
export async function* realtimeEvents(
  { url, publishableKey }: RealtimeOptions,
  { userId, accessToken, readInbox }: Listener,
  signal: AbortSignal,
): Connection {
  // Loads the package only for apps with Realtime.
  const { createClient } = await import('@supabase/supabase-js');
  const supabase = orRefuse(() => createClient(url, publishableKey, { accessToken }));
  const token = await accessToken();
  // Sets the token before the join, which Realtime would refuse otherwise.
  await supabase.realtime.setAuth();
  const received = createQueue<Payload | 'joined'>();
  let refusal: string | undefined;
  const leave = () => received.end();
  signal.addEventListener('abort', leave);
  supabase
    .channel(`user:${userId}`, { config: { private: true } })
    .on('broadcast', { event: 'notification' }, ({ payload }) => received.add(payload))
    .subscribe((status, error) => {
      refusal = error?.message;
      if (status === 'SUBSCRIBED') received.add('joined');
      else received.end();
    });
  try {
    for await (const item of received.items) {
      // Reads the inbox after the join, so that no notification falls between the inbox and the first signal.
      if (item === 'joined') yield { type: 'ready', inbox: await readInbox(signal) };
      else yield { type: 'notification', payload: item };
    }
    if (signal.aborted) return;
    // Realtime's error does not tell if the session has ended. Opine's does.
    await readInbox(signal);
    // A token that was refreshed meanwhile may be accepted, so only a refusal of the current one is final.
    const isRefused = refusal !== undefined && REFUSALS.test(refusal);
    if (isRefused && token === (await accessToken())) throw new RealtimeError(refusal);
  } finally {
    signal.removeEventListener('abort', leave);
    await supabase.removeAllChannels();
  }
}
