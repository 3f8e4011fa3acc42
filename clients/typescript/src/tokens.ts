import type { Session } from './schema.ts';

/** The stored part of a session. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly userId: string;
  /** When to refresh the access token: milliseconds since 1970, by the clock of this machine. */
  readonly freshUntil: number;
}

/** Stores tokens: in memory, or in the platform's keychain. */
export interface TokenStore {
  /** Returns the tokens that were written last; null without a session. */
  read(): Tokens | null | Promise<Tokens | null>;
  /** Replaces the tokens. @param tokens null when the session has ended */
  write(tokens: Tokens | null): void | Promise<void>;
}

/** Creates a store that lasts as long as the program. */
export function inMemory(tokens: Tokens | null = null): TokenStore {
  let stored = tokens;
  return {
    read: () => stored,
    write: (next) => {
      stored = next;
    },
  };
}

// Refreshes this long before the expiry, so that no token expires during a request.
const MARGIN_MS = 30_000;

/** Returns the tokens of a new session. */
export function tokensOf({ accessToken, refreshToken, expiresIn, user }: Session): Tokens {
  return {
    accessToken,
    refreshToken,
    userId: user.id,
    // Uses `expiresIn` instead of `expiresAt`, because a phone's clock may be wrong.
    freshUntil: Date.now() + expiresIn * 1000 - MARGIN_MS,
  };
}
