import type { Session } from './schema.ts';

/** What of a session has to be kept to go on with it. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly userId: string;
  /** Until when the access token is used without a refresh: milliseconds since 1970, by the clock of this machine. */
  readonly freshUntil: number;
}

/** Where tokens are kept: in memory, or where the app's platform keeps secrets. */
export interface TokenStore {
  /** @returns the last that was written; null where nobody is signed in */
  read(): Tokens | null | Promise<Tokens | null>;
  /** @param tokens null when the session is over */
  write(tokens: Tokens | null): void | Promise<void>;
}

/** Keeps tokens as long as the program runs. */
export function inMemory(tokens: Tokens | null = null): TokenStore {
  let kept = tokens;
  return {
    read: () => kept,
    write: (next) => {
      kept = next;
    },
  };
}

// What a request may take on its way, so that no token expires under it.
const MARGIN_MS = 30_000;

/** What to keep of a session that was answered just now. */
export function tokensOf({ accessToken, refreshToken, expiresIn, user }: Session): Tokens {
  return {
    accessToken,
    refreshToken,
    userId: user.id,
    // By how long it lasts and not by its `expiresAt`: the clock of a phone may be wrong.
    freshUntil: Date.now() + expiresIn * 1000 - MARGIN_MS,
  };
}
