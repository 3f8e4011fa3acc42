import { refusalIn } from './error.ts';
import { jittered, wait } from './patience.ts';
import type { Session } from './schema.ts';
import { type TokenStore, type Tokens, tokensOf } from './tokens.ts';

const TRIES = 4;
const FIRST_WAIT_MS = 500;

/** Keeps a session alive: one refresh at a time, however many requests wait for it. */
export interface Keeper {
  /**
   * The tokens to send a request with, refreshed where they are about to expire.
   * @returns null where nobody is signed in
   * @throws OpineError where the session is over, which from then on is known
   */
  fresh(): Promise<Tokens | null>;
  /**
   * The tokens to try again with, after `refused` were. Where others are kept by now, these.
   * @throws OpineError as `fresh`
   */
  after(refused: Tokens): Promise<Tokens | null>;
}

/** @param post sends a refresh token, without a bearer */
export function createKeeper(store: TokenStore, post: (refreshToken: string) => Promise<Response>): Keeper {
  let refreshing: Promise<Tokens | null> | null = null;

  function refresh(used: Tokens): Promise<Tokens | null> {
    refreshing ??= renew(used).finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  async function renew(used: Tokens): Promise<Tokens | null> {
    const kept = await store.read();
    if (kept?.accessToken !== used.accessToken) return kept;
    const response = await insist(() => post(used.refreshToken));
    const refusal = response.ok ? null : await refusalIn(response);
    if (refusal !== null && refusal.code !== 'UNAUTHORIZED') throw refusal;
    // Meanwhile somebody may have signed in or out, or another tab may have refreshed: what they wrote counts.
    const now = await store.read();
    if (now?.refreshToken !== used.refreshToken) return now;
    if (refusal !== null) {
      await store.write(null);
      throw refusal;
    }
    const { data }: { data: Session } = await response.json();
    const next = tokensOf(data);
    await store.write(next);
    return next;
  }

  return {
    fresh: async () => {
      const kept = await store.read();
      return kept !== null && kept.freshUntil <= Date.now() ? refresh(kept) : kept;
    },
    after: refresh,
  };
}

/**
 * Tries again where there was no answer: the token was perhaps rotated, and for a minute gives the same successor.
 * @throws what the last try threw
 */
async function insist(send: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await send();
      if (response.status < 500 || tries === TRIES) return response;
      await response.body?.cancel();
    } catch (error) {
      if (tries === TRIES) throw error;
    }
    await wait(jittered(FIRST_WAIT_MS * 2 ** (tries - 1)));
  }
}
