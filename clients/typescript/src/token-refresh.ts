import { isOpineError, OpineError, readBody } from './error.ts';
import type { FetchResponse } from './platform.ts';
import { retry } from './retry.ts';
import type { Session } from './schema.ts';
import { type TokenStore, type Tokens, tokensOf } from './tokens.ts';

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
  post: (refreshToken: string) => Promise<FetchResponse>,
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
    // A retry is safe: for a minute, a rotated token returns the same successor.
    const response = await retry(() => post(used.refreshToken));
    const result = await readBody(response).catch((error: unknown) => {
      if (isOpineError(error, 'UNAUTHORIZED')) return error;
      throw error;
    });
    // A sign-in, a sign-out or another tab's refresh may have replaced the tokens meanwhile. Newer tokens win.
    const now = await store.read();
    if (now?.refreshToken !== used.refreshToken) return now;
    if (result instanceof OpineError) {
      await store.write(null);
      throw result;
    }
    const next = tokensOf((result as { data: Session }).data);
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
