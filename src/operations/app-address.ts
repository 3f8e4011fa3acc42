import type { Services } from '../services.ts';

/** The address of `path` in the app: what opens when somebody follows it. */
export function appAddress({ config }: Services, path: string): string {
  return new URL(path, `${config.APP_URL.replace(/\/$/, '')}/`).href;
}
