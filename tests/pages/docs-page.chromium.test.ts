import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { DOCUMENTS } from '../../src/openapi/document.ts';
import { openChromium, type Visit, visit } from '../support/chromium.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

const SHOWN = ROUTES.filter((operation) => DOCUMENTS['openapi.app.json']?.(operation));

const PHONE = 390;
/** A screen for the whole page: of a list with 150 rows, Swagger UI renders those near the screen alone. */
const HEIGHT = 30_000;

let opine: Opine;
let browser: Browser;
let amara: Person;
let open: Visit | undefined;

beforeAll(async () => {
  opine = await startOpine();
  browser = await openChromium();
  amara = await confirmedPerson(opine, 'Amara');
  await aSlider(amara, { sliderText: 'Is this page of use?' });
});

afterAll(async () => {
  await browser?.close();
  await opine.stop();
});

async function openPage(): Promise<Page> {
  open = await visit(browser, `${opine.url}/docs`);
  await open.page.setViewportSize({ width: 1280, height: HEIGHT });
  await open.page
    .locator('.opblock')
    .nth(SHOWN.length - 1)
    .waitFor();
  return open.page;
}

test('the Content-Security-Policy of the docs page allows no other host', async () => {
  const policy = (await fetch(`${opine.url}/docs`)).headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

// No test may cause a request to another host or a console error.
afterEach(async () => {
  if (open === undefined) return;
  const { page, foreignRequests, problems } = open;
  open = undefined;
  await page.close();
  expect({ foreignRequests, problems }).toEqual({ foreignRequests: [], problems: [] });
});

/** Opens an operation of the page. */
async function unfold(page: Page, tag: string, id: string): Promise<Locator> {
  const operation = page.locator(`#operations-${tag}-${id}`);
  await operation.locator('.opblock-summary-control').click();
  return operation;
}

/** Sends an operation that is open, and returns the status and the body that the page shows. */
async function execute(operation: Locator): Promise<{ status: string | null; body: string | null }> {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table');
  return {
    status: await answer.locator('.response .response-col_status').textContent(),
    body: await answer.locator('.response .highlight-code').first().textContent(),
  };
}

test('the docs page lists every operation of the app, sends requests as guest and with a token, stores no token, and fits a phone', async () => {
  const page = await openPage();
  expect(await page.title()).toBe('Opine API');
  expect(await page.locator('.info').textContent()).toContain('POST /auth/otp/verify');
  expect(await page.locator('.opblock.is-open, .topbar, .model-container').count()).toBe(0);
  expect(await page.locator('section.models').count()).toBe(1);
  const listed = await page.locator('.opblock-summary').evaluateAll((summaries) =>
    summaries.map((summary) => {
      const textOf = (part: string) => summary.querySelector(`.opblock-summary-${part}`)?.textContent;
      // Zero-width spaces let long paths wrap.
      return `${textOf('method')} ${textOf('path')}`.replaceAll('\u200b', '');
    }),
  );
  expect(listed.sort()).toEqual(SHOWN.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort());

  const operation = await unfold(page, 'Posts', 'get_home_feed');
  expect((await execute(operation)).status).toBe('200');
  await operation.getByRole('button', { name: 'Clear' }).click();

  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  const bearer = page.locator('.modal-ux form', { has: page.getByLabel('auth-bearer-value') });
  await bearer.getByLabel('auth-bearer-value').fill(amara.session.accessToken);
  await bearer.getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).first().click();
  expect((await execute(operation)).body).toContain('Is this page of use?');
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).toBe('[{},{}]');

  await unfold(page, 'Posts', 'create_post');
  await page.setViewportSize({ width: PHONE, height: HEIGHT });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE);
});
