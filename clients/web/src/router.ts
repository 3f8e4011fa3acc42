import { type ReactNode, useSyncExternalStore } from 'react';

/** Returns the path after the `#` of the address: `/` or `/posts/<id>`. */
export function usePath(): string {
  return useSyncExternalStore(onNavigation, currentPath);
}

/** Calls `listener` at each navigation. Returns a function that stops it. */
export function onNavigation(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** Goes to a path. @param replace whether Back skips the current page */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) location.replace(`#${path}`);
  else location.hash = path;
}

// The page that somebody left in order to sign in.
let returnPath = '/';

/** Asks a guest to sign in, and remembers the page that they came from. */
export function goToSignIn(): void {
  if (currentPath() !== '/sign-in') returnPath = currentPath();
  navigate('/sign-in');
}

/** Returns to the page that `goToSignIn` left. */
export function returnFromSignIn(): void {
  navigate(returnPath, { replace: true });
  returnPath = '/';
}

/** Pages by the pattern of their path. A page takes the parts that stand for `:name`, in order. */
export type Routes = Readonly<Record<string, (...parts: string[]) => ReactNode>>;

/** Returns the page of a path; null if no pattern matches. */
export function match(routes: Routes, path: string): ReactNode | null {
  for (const [pattern, page] of Object.entries(routes)) {
    const parts = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path);
    if (parts !== null) return page(...parts.slice(1).map(decodeURIComponent));
  }
  return null;
}

function currentPath(): string {
  return location.hash.slice(1) || '/';
}
