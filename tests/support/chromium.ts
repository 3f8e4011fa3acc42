import { type Browser, chromium, type Page } from 'playwright-core';
import { requireProgram } from '../../scripts/find-program.ts';

/** A page in a browser, and what went wrong with it. */
export interface Visit {
  readonly page: Page;
  /** Requests to any other origin than the page's own; none of them was let through. */
  readonly strangers: string[];
  /** What the console complained of: errors, warnings, violations of the content security policy. */
  readonly complaints: string[];
}

/**
 * Starts a Chromium without a window.
 * @throws Error where it is not installed
 */
export async function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: requireProgram('chromium'),
    // Root, as in a container, has no sandbox. The rest keeps the browser from calling home.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Opens `url` in a window of its own, `width` pixels wide. */
export async function visit(browser: Browser, url: string, width = 1280): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const watched = await watch(page, new URL(url).origin);
  await page.goto(url);
  return watched;
}

/** Keeps what goes wrong with `page` from here on, and keeps it within `origin`. */
export async function watch(page: Page, origin: string): Promise<Visit> {
  const strangers: string[] = [];
  const complaints: string[] = [];
  await page.route('**', (route) => {
    const target = route.request().url();
    if (new URL(target).origin === origin) return route.continue();
    strangers.push(target);
    return route.abort();
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, strangers, complaints };
}
