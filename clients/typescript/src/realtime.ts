import { RealtimeError } from './error.ts';
import type { Connection, InboxState, Payload } from './events.ts';
import { createQueue } from './queue.ts';

/** The Supabase project that Opine runs on. */
export interface RealtimeOptions {
  /** Its URL, such as `https://<ref>.supabase.co`. */
  readonly url: string;
  readonly publishableKey: string;
  /** The `createClient` of `@supabase/supabase-js`. An app without Realtime need not install the package. */
  readonly createClient: CreateSupabaseClient;
}

/** Creates a Supabase client that sends Opine's access tokens. */
export type CreateSupabaseClient = (
  url: string,
  key: string,
  options: { readonly accessToken: () => Promise<string | null> },
) => SupabaseClient;

/** What Opine uses of a Supabase client. */
export interface SupabaseClient {
  readonly realtime: { setAuth(): Promise<void> };
  channel(name: string, options: { readonly config: { readonly private: boolean } }): SupabaseChannel;
  removeAllChannels(): Promise<unknown>;
}

/** What Opine uses of a channel. */
export interface SupabaseChannel {
  on(
    type: 'broadcast',
    filter: { readonly event: string },
    listener: (message: { payload?: unknown }) => void,
  ): SupabaseChannel;
  subscribe(listener: (status: string, error?: Error) => void): unknown;
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
  { url, publishableKey, createClient }: RealtimeOptions,
  { userId, accessToken, readInbox }: Listener,
  signal: AbortSignal,
): Connection {
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
    .on('broadcast', { event: 'notification' }, ({ payload }) => received.add(payload as Payload))
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
