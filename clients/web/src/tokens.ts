import type { TokenStore, Tokens } from '@opine/client';
import { createStore } from './store.ts';

// sessionStorage, not localStorage: a reload continues the session, and a closed tab ends it. A refresh token lives 60 days,
// which is too long for a shared computer. Besides, each tab has its own person.
const KEY = 'opine.session';

let current = stored();
const userId = createStore(current?.userId ?? null);

function stored(): Tokens | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps the tokens in memory, and a copy for a reload of this tab. */
export const tokenStore: TokenStore = {
  read: () => current,
  write: (tokens) => {
    current = tokens;
    if (tokens === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(tokens));
    const next = tokens?.userId ?? null;
    if (next !== userId.get()) userId.set(next);
  },
};

/** Calls a listener when another person signs in, and when the session ends. @param listener takes the id, null for a guest */
export function onPersonChange(listener: (id: string | null) => void): void {
  userId.subscribe(() => listener(userId.get()));
}

/** Calls a listener when somebody else signs in than the person before. */
export function onOtherPerson(listener: () => void): void {
  let last = userId.get();
  onPersonChange((next) => {
    if (next !== null && last !== null && next !== last) listener();
    last = next ?? last;
  });
}

/** Returns the id of the signed-in person; null for a guest. */
export const useUserId = userId.use;
