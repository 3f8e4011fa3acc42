import { type ReactNode, useSyncExternalStore } from 'react';
import { onOtherPerson } from './tokens.ts';

/** Returns the path after the `#` of the address: `/` or `/posts/<id>`. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, currentPath);
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

function currentPath(): string {
  return location.hash.slice(1) || '/';
}

/** Goes to a path. @param replace whether Back skips the current page */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) location.replace(`#${path}`);
  else location.hash = path;
}

const REDIRECTS = ['/sign-in', '/onboarding'];

/** Goes back to the page of the app before this one, if there is one, and not where a link leads. Skips sign-in and onboarding. */
export function goBack(link: Pick<Event, 'preventDefault'>): void {
  // Older browsers have no Navigation API.
  if (!('navigation' in globalThis)) return;
  const { index: here = 0, url: own = null } = navigation.currentEntry ?? {};
  const before = navigation.entries().findLast(({ index, url }) => {
    const [page, path = ''] = url?.split('#') ?? [];
    return index < here && url !== own && page === own?.split('#')[0] && !REDIRECTS.includes(path);
  });
  if (before === undefined) return;
  link.preventDefault();
  history.go(before.index - here);
}

// The page from which `redirect` led away.
let origin = '/';
onOtherPerson(() => {
  origin = '/';
});

const isRedirected = () => REDIRECTS.includes(currentPath());

/** Goes to sign-in or onboarding, which an action needs first. */
export function redirect(path: '/sign-in' | '/onboarding'): void {
  if (!isRedirected()) origin = currentPath();
  navigate(path, { replace: isRedirected() });
}

/** Returns to the page from which `redirect` led away. */
export function returnFromRedirect(): void {
  if (isRedirected()) navigate(origin, { replace: true });
  origin = '/';
}

/** Pages by the pattern of their path. A page takes the parts that stand for `:name`, in order. */
export type Routes = Readonly<Record<string, (...parts: string[]) => ReactNode>>;

/** Returns the page of a path; null if no pattern matches. */
export function match(routes: Routes, path: string): ReactNode | null {
  for (const [pattern, page] of Object.entries(routes)) {
    const parts = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path);
    if (parts !== null) return page(...parts.slice(1));
  }
  return null;
}
