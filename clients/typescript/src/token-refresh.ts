import { jittered, wait } from './backoff.ts';
import { readError } from './error.ts';
import type { Session } from './schema.ts';
import { type TokenStore, type Tokens, tokensOf } from './tokens.ts';

const MAX_ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;

/** Refreshes the tokens of a session. Concurrent requests share one refresh. */
export interface TokenRefresher {
  /**
   * Returns the tokens for a request, refreshed if they expire soon, or null without a session.
   * @throws OpineError if the session has ended; its tokens are then removed from the store
   */
  fresh(): Promise<Tokens | null>;
  /**
   * Returns the tokens for a retry, after a 401 for `refused`. Refreshes them unless the store holds others by now.
   * @throws OpineError as `fresh`
   */
  after(refused: Tokens): Promise<Tokens | null>;
}

/** Creates a refresher. @param post sends a refresh token, without a bearer */
export function createTokenRefresher(
  store: TokenStore,
  post: (refreshToken: string) => Promise<Response>,
): TokenRefresher {
  let refreshing: Promise<Tokens | null> | null = null;

  function refresh(used: Tokens): Promise<Tokens | null> {
    refreshing ??= renew(used).finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  async function renew(used: Tokens): Promise<Tokens | null> {
    const stored = await store.read();
    if (stored?.accessToken !== used.accessToken) return stored;
    const response = await retry(() => post(used.refreshToken));
    const error = response.ok ? null : await readError(response);
    if (error !== null && error.code !== 'UNAUTHORIZED') throw error;
    // A sign-in, a sign-out or another tab's refresh may have replaced the tokens meanwhile. Newer tokens win.
    const now = await store.read();
    if (now?.refreshToken !== used.refreshToken) return now;
    if (error !== null) {
      await store.write(null);
      throw error;
    }
    const { data }: { data: Session } = await response.json();
    const next = tokensOf(data);
    await store.write(next);
    return next;
  }

  return {
    fresh: async () => {
      const stored = await store.read();
      return stored !== null && stored.freshUntil <= Date.now() ? refresh(stored) : stored;
    },
    after: refresh,
  };
}

/**
 * Retries with backoff after a lost answer or a 5xx. A retry is safe: for a minute, a rotated token returns the same successor.
 * @throws the error of the last attempt
 */
async function retry(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await send();
      if (response.status < 500 || attempt === MAX_ATTEMPTS) return response;
      await response.body?.cancel();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
    }
    await wait(jittered(FIRST_BACKOFF_MS * 2 ** (attempt - 1)));
  }
}
