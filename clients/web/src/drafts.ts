import { createContext, useContext } from 'react';
import type { Fields } from './api.ts';
import { usePath } from './router.ts';
import { onPersonChange, useUserId } from './tokens.ts';

/** What is sent, until it has arrived or is refused, by the place of its form. It outlives a sign-in or step of onboarding in between. */
export const drafts = new Map<string, { readonly writer: string | null; readonly fields: Fields }>();

// What a guest has written is of the person as whom they sign in. What somebody else has written is gone.
onPersonChange((reader) => {
  if (reader === null) return;
  for (const [place, { writer, fields }] of drafts) {
    if (writer === null) drafts.set(place, { writer: reader, fields });
    else if (writer !== reader) drafts.delete(place);
  }
});

/** The place of the list item, thread or sheet around a component; empty outside of them. */
export const Place = createContext('');

/** Returns the place of a form, list item, thread or sheet: its path and the names of what is around it. Forms share no place. */
export function usePlace(name: string): string {
  const path = usePath();
  return `${useContext(Place) || path}/${name}`;
}

/** Returns whether the reader has a draft within a place. */
export function useHasDraft(place: string): boolean {
  const reader = useUserId();
  return [...drafts].some(([key, { writer }]) => writer === reader && key.startsWith(`${place}/`));
}

/** Forgets what is written within a place. */
export function deleteDrafts(place: string): void {
  for (const key of drafts.keys()) if (key.startsWith(`${place}/`)) drafts.delete(key);
}
