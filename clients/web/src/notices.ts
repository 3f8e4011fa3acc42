import { messageOf } from './errors.ts';
import { createStore } from './store.ts';
import { onPersonChange } from './tokens.ts';

/** A line for the person: what happened, or what went wrong. Null if there is none. */
const notice = createStore<{ readonly text: string; readonly isError: boolean } | null>(null);

const SHOWN_MS = 5_000;

/** Shows a line for a while, and lets screen readers say it. */
export function announce(text: string): void {
  const line = { text, isError: false };
  notice.set(line);
  setTimeout(() => notice.get() === line && dismiss(), SHOWN_MS);
}

/** Shows what went wrong, until it is dismissed. */
export function showError(error: unknown): void {
  notice.set({ text: messageOf(error), isError: true });
}

export function dismiss(): void {
  notice.set(null);
}

onPersonChange(dismiss);

export const useNotice = notice.use;
