import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Browser, Locator, Page } from '../../tools/playwright.ts';
import { appWindow, openChromium, type Visit, type Window } from './chromium.ts';
import { WITH_WORKER } from './opine.ts';
import { hubReadyPerson, type Person } from './people.ts';
import { type OpineWithStorage, startOpineWithStorage } from './storage.ts';

/** The reference app and two people of it, for the tests of a file. */
export interface WebApp {
  readonly opine: OpineWithStorage;
  readonly browser: Browser;
  /** A default feed user. */
  readonly maya: Person;
  readonly jonas: Person;
  openApp(path?: string, window?: Window & { person?: Person }): Promise<Page>;
  openAs(person: Person, path?: string, window?: Window): Promise<Page>;
  /** Removes the console errors of requests that a test makes fail. */
  forgive(): void;
}

/**
 * Starts the app before the tests of a file, and ends it after them. No test may cause a request to another host or an unexpected
 * console error.
 * @param onStart takes the app when it runs
 */
export function withWebApp(onStart: (app: WebApp) => void): void {
  let app: WebApp | undefined;
  let open: Visit[] = [];

  beforeAll(async () => {
    const opine = await startOpineWithStorage({ ...WITH_WORKER, WEB_APP: 'true' });
    const browser = await openChromium();
    const [maya, jonas] = [await hubReadyPerson(opine, 'Maya'), await hubReadyPerson(opine, 'Jonas')];
    const { superuser } = opine.database;
    await sql`insert into app.default_feed_users (user_id) values (${maya.id})`.execute(superuser);
    const openApp = async (path = '/', window: Window & { person?: Person } = {}) => {
      const visit = await appWindow(browser, opine, path, window);
      open.push(visit);
      return visit.page;
    };
    const openAs = (person: Person, path = '/', window: Window = {}) => openApp(path, { person, ...window });
    const forgive = () => {
      for (const { problems } of open) problems.splice(0);
    };
    app = { opine, browser, maya, jonas, openApp, openAs, forgive };
    onStart(app);
  });

  afterAll(async () => {
    await app?.browser.close();
    await app?.opine.stop();
  });

  afterEach(async () => {
    const visits = open;
    open = [];
    for (const { page, foreignRequests, problems } of visits) {
      await page.close();
      expect({ foreignRequests, problems }).toEqual({ foreignRequests: [], problems: [] });
    }
  });
}

export const card = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });
export const press = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name }).click();
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
export const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

/** The dialog on top. */
export const dialog = (page: Page) => page.getByRole('dialog').last();

/** Opens the menu of a card, row or page, and chooses from it. */
export async function fromMenu(place: Page | Locator, name: string | RegExp): Promise<void> {
  await place.getByRole('button', { name: /^More about/ }).click();
  await place.getByRole('dialog').getByRole('button', { name }).click();
}

/** Signs in on a page that asks for it. */
export async function signInOn(page: Page, { phoneNumber }: Person): Promise<void> {
  await page.getByLabel('Your phone').fill(phoneNumber);
  await press(page, 'Send me a code');
  await page.getByLabel('The code').fill('4242');
  await press(page, 'Sign in');
  await status(page, 'Welcome').waitFor();
}
