import type { TokenStore, Tokens } from '@opine/client';
import { useSyncExternalStore } from 'react';

// sessionStorage, not localStorage: a reload continues the session, and a closed tab ends it. A refresh token lives 60 days,
// which is too long for a shared computer. Besides, each tab has its own person.
const KEY = 'opine.session';

const listeners = new Set<() => void>();
let current: Tokens | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');

/** Keeps the tokens in memory, and a copy for a reload of this tab. */
export const tokenStore: TokenStore = {
  read: () => current,
  write: (tokens) => {
    const isOtherPerson = tokens?.userId !== current?.userId;
    current = tokens;
    if (tokens === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(tokens));
    if (isOtherPerson) for (const listener of listeners) listener();
  },
};

/** Calls `listener` when another person signs in, and when the session ends. Returns a function that stops it. */
export function onPersonChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the id of the signed-in person; null for a guest. */
export function useUserId(): string | null {
  return useSyncExternalStore(onPersonChange, () => current?.userId ?? null);
}
