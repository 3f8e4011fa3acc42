import type { Browser, Page } from 'playwright-core';
import { type Visit, watch } from './chromium.ts';
import { staffClaims, type TrustingOpine } from './id-tokens.ts';
import type { StaffMember } from './staff.ts';

/** How somebody looks at the page. */
export interface Window {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** What stands in for Google's script: a button where Google's would be, which says who signed in. */
const googleFor = (idToken: string) => `
  const button = document.createElement('button');
  button.textContent = 'Sign in with Google';
  const { callback } = document.getElementById('g_id_onload').dataset;
  button.addEventListener('click', () => globalThis[callback]({ credential: ${JSON.stringify(idToken)} }));
  document.querySelector('.g_id_signin').append(button);`;

/** A window of its own for the page of staff, where Google knows `email`. Nothing is open in it yet. */
export async function staffWindow(
  browser: Browser,
  opine: TrustingOpine,
  email: string,
  { width = 1280, colorScheme = 'light' }: Window = {},
): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const visit = await watch(page, opine.url);
  const idToken = await opine.provider.sign(staffClaims(email));
  await page.route('https://accounts.google.com/gsi/client', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: googleFor(idToken) }),
  );
  return visit;
}

/** The browser of `page` has the cookie of somebody who signed in. */
export async function bringCookie(
  page: Page,
  { url }: TrustingOpine,
  { cookie }: StaffMember,
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  // As the browser takes it from the API here too: loopback counts as safe.
  const safe = url.replace('http:', 'https:');
  await page
    .context()
    .addCookies([{ name, value, url: safe, secure: true, httpOnly: true, sameSite: 'Strict' }]);
}

/** Presses Google's button. */
export async function signInOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
}

/** Goes on with the keyboard until what has the focus is called `name`. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
      return label ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (focused.trim() === name) return;
  }
  throw new Error(`The keyboard does not come to ${name}.`);
}
