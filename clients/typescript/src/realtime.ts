import { RealtimeError } from './error.ts';
import type { Connection, Hint, InboxState } from './events.ts';

/** The Supabase project that Opine runs on. */
export interface RealtimeOptions {
  /** Its address, such as `https://<ref>.supabase.co`. */
  readonly url: string;
  readonly publishableKey: string;
}

/** Whose events to receive, and what is asked of Opine meanwhile. */
export interface Listener {
  readonly userId: string;
  /** @returns the access token to use now */
  accessToken(): Promise<string | null>;
  /** @throws OpineError where the session is over */
  readInbox(signal: AbortSignal): Promise<InboxState>;
}

/** Refusals that no other token and no other time changes. */
const REFUSALS = /^(Unauthorized|PrivateOnly): /;

type Received = Hint | 'joined' | 'lost';

/**
 * The events of one connection to Supabase Realtime: the private channel of the listener.
 * @throws OpineError where the session is over
 * @throws RealtimeError where the channel is refused though the session is not
 */
export async function* realtimeEvents(
  { url, publishableKey }: RealtimeOptions,
  { userId, accessToken, readInbox }: Listener,
  signal: AbortSignal,
): Connection {
  // Only who listens by Realtime loads its client.
  const { createClient } = await import('@supabase/supabase-js');
  const supabase = createClient(url, publishableKey, { accessToken });
  const token = await accessToken();
  // Else the channel is joined before the token is there, and refused.
  await supabase.realtime.setAuth();
  const received: Received[] = [];
  let refusal: string | undefined;
  let wake = () => {};
  const receive = (item: Received) => {
    received.push(item);
    wake();
  };
  const leave = () => receive('lost');
  signal.addEventListener('abort', leave);
  supabase
    .channel(`user:${userId}`, { config: { private: true } })
    .on('broadcast', { event: 'notification' }, ({ payload }) => receive(payload))
    .subscribe((status, error) => {
      refusal = error?.message;
      receive(status === 'SUBSCRIBED' ? 'joined' : 'lost');
    });
  try {
    while (!signal.aborted) {
      const item = received.shift();
      if (item === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (item === 'joined') {
        // Behind the join, so that nothing falls between what it says and the first hint.
        yield { type: 'ready', inbox: await readInbox(signal) };
      } else if (item === 'lost') {
        // Realtime does not tell a session that is over from a fault of its own: Opine does.
        await readInbox(signal);
        // It may have refused a token that was refreshed just now.
        const isRefused = refusal !== undefined && REFUSALS.test(refusal);
        if (isRefused && token === (await accessToken())) throw new RealtimeError(refusal);
        return;
      } else {
        yield { type: 'notification', hint: item };
      }
    }
  } finally {
    signal.removeEventListener('abort', leave);
    await supabase.removeAllChannels();
  }
}
