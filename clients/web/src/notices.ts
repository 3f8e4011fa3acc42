import { useSyncExternalStore } from 'react';
import { messageOf } from './errors.ts';

/** A line for the person: what happened, or what went wrong. */
export interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

let current: Notice | null = null;
const listeners = new Set<() => void>();

/** Shows a line, and lets screen readers say it. */
export function say(text: string): void {
  set({ text, isError: false });
}

/** Shows what went wrong. */
export function fail(error: unknown): void {
  set({ text: messageOf(error), isError: true });
}

/** Removes the line. */
export function dismiss(): void {
  set(null);
}

/** Returns the line to show; null if there is none. */
export function useNotice(): Notice | null {
  return useSyncExternalStore(subscribe, () => current);
}

function set(notice: Notice | null): void {
  current = notice;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
