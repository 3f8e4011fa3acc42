import type { Services } from '../services.ts';

/** Returns the URL of a path in the app. */
export function appUrl({ config }: Services, path: string): string {
  return new URL(path, `${config.APP_URL.replace(/\/$/, '')}/`).href;
}
