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

/** `expo-secure-store`, or a keychain with the same three functions. */
export interface SecureStore {
  getItemAsync(key: string): Promise<string | null>;
  setItemAsync(key: string, value: string): Promise<void>;
  deleteItemAsync(key: string): Promise<void>;
}

/** Creates a store in the keychain of the phone, with a copy in memory. @param key the name of the item */
export function inSecureStore(keychain: SecureStore, key = 'opine.session'): TokenStore {
  let copy: Promise<Tokens | null> | undefined;
  const readKeychain = async () => parsed(await keychain.getItemAsync(key));
  return {
    read: () => {
      copy ??= readKeychain();
      return copy;
    },
    write: async (tokens) => {
      copy = Promise.resolve(tokens);
      if (tokens === null) await keychain.deleteItemAsync(key);
      else await keychain.setItemAsync(key, JSON.stringify(tokens));
    },
  };
}

/** Returns the tokens of an item; null if there is none, or if another version of the app wrote something else. */
function parsed(item: string | null): Tokens | null {
  try {
    const tokens: Tokens | null = JSON.parse(item ?? 'null');
    return typeof tokens?.refreshToken === 'string' ? tokens : null;
  } catch {
    return null;
  }
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
