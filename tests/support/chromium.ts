import { requireProgram } from '../../scripts/find-program.ts';
import { axe } from '../../tools/axe.ts';
import { type Browser, chromium, type Page } from '../../tools/playwright.ts';
import { type OpineWithIdp, staffClaims } from './id-tokens.ts';
import type { Person } from './people.ts';
import type { StaffMember } from './staff.ts';
import type { OpineWithStorage } from './storage.ts';

/** A browser page and the problems seen on it. */
export interface Visit {
  readonly page: Page;
  /** Blocked requests to other origins. */
  readonly foreignRequests: string[];
  /** Console errors, warnings and violations of the content security policy. */
  readonly problems: string[];
}

/** Starts a headless Chromium. */
export async function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: requireProgram('chromium'),
    // Root has no sandbox in a container. The other flags disable background traffic.
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

/** Opens `url` in a new page. */
export async function visit(browser: Browser, url: string, width = 1280): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const watched = await watch(page, new URL(url).origin);
  await page.goto(url);
  return watched;
}

/** Records problems of `page` and blocks requests beyond `origins`. */
async function watch(page: Page, ...origins: string[]): Promise<Visit> {
  page.setDefaultTimeout(120_000);
  const foreignRequests: string[] = [];
  const problems: string[] = [];
  await page.route('**', (route) => {
    const target = route.request().url();
    if (origins.includes(new URL(target).origin)) return route.continue();
    foreignRequests.push(target);
    return route.abort();
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, foreignRequests, problems };
}

export interface Window {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** Opens the reference app at `path` for a signed-in person, or for a guest. */
export async function appWindow(
  browser: Browser,
  { url, storage }: OpineWithStorage,
  path = '/',
  { person, width = 390, colorScheme = 'light' }: Window & { readonly person?: Person } = {},
): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const visit = await watch(page, url, storage.environment.SUPABASE_URL ?? '');
  if (person !== undefined) {
    const { accessToken, refreshToken } = person.session;
    const tokens = { accessToken, refreshToken, userId: person.id, freshUntil: Date.now() + 600_000 };
    await page.addInitScript((item) => sessionStorage.setItem('opine.session', item), JSON.stringify(tokens));
  }
  await page.goto(`${url}/#${path}`);
  return visit;
}

/** Replaces Google's script by a button that signs in with `idToken`. */
const googleFor = (idToken: string) => `
  const button = document.createElement('button');
  button.textContent = 'Sign in with Google';
  const { callback } = document.getElementById('g_id_onload').dataset;
  button.addEventListener('click', () => globalThis[callback]({ credential: ${JSON.stringify(idToken)} }));
  document.querySelector('.g_id_signin').append(button);`;

/** Opens an empty page on which Google signs in as `email`. */
export async function staffWindow(
  browser: Browser,
  opine: OpineWithIdp,
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

/** Gives the browser the cookie of a signed-in staff member. */
export async function setStaffCookie(
  page: Page,
  { url }: OpineWithIdp,
  { cookie }: StaffMember,
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  // Browsers accept Secure cookies on loopback, but Playwright wants https.
  const safe = url.replace('http:', 'https:');
  await page
    .context()
    .addCookies([{ name, value, url: safe, secure: true, httpOnly: true, sameSite: 'Strict' }]);
}

export async function clickGoogleSignIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
}

/** Presses Tab until the element named `name` has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const { activeElement: element } = document;
      const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
      const label = isField ? element.labels?.[0]?.textContent : null;
      return label ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (focused.trim() === name) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

/** Returns the axe violations of a page, by these rules or all. */
export async function axeViolations(page: Page, rules: readonly string[] | undefined): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const results = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return (results as axe.AxeResults).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
