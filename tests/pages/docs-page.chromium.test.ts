import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { DOCUMENTS } from '../../src/openapi/document.ts';
import type { Browser, Locator, Page } from '../../tools/playwright.ts';
import { axeViolations, openChromium, type Visit, visit } from '../support/chromium.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';

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

async function openPage(path = '/docs', width = 1280): Promise<Page> {
  open = await visit(browser, opine.url + path, width);
  return open.page;
}

// No test may cause a request to another host or a console error.
afterEach(async () => {
  if (open === undefined) return;
  const { page, foreignRequests, problems } = open;
  open = undefined;
  await page.close();
  expect({ foreignRequests, problems }).toEqual({ foreignRequests: [], problems: [] });
});

describe.each([
  ['/docs', 'openapi.app.json'],
  ['/docs/all', 'openapi.json'],
])('the docs page %s', (path, file) => {
  const shown = ROUTES.filter((operation) => DOCUMENTS[file]?.(operation));

  test('shows every operation of its document once, with an entry in the contents, and links to the document', async () => {
    const page = await openPage(path);
    expect(await page.title()).toBe('Opine API');
    expect(await page.locator('main').textContent()).toContain('POST /auth/otp/verify');
    const routes = shown.map(({ method, path, id }) => `${method} ${path} ${id}`).sort();
    expect((await page.locator('section .route').allTextContents()).sort()).toEqual(routes);
    const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(targets).toEqual(expect.arrayContaining(shown.map(({ id }) => `#${id}`)));
    const document = page.getByRole('link', { name: file });
    expect(await document.getAttribute('href')).toBe(`/api/v1/${file}`);
  });

  test('has a target for every link within it, and no id twice', async () => {
    const page = await openPage(path);
    const { targets, ids } = await page.evaluate(() => ({
      targets: [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')),
      ids: [...document.querySelectorAll('[id]')].map(({ id }) => `#${id}`),
    }));
    expect(targets.filter((target) => !ids.includes(target ?? ''))).toEqual([]);
    expect(ids.length).toBe(new Set(ids).size);
  });
});

test.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)(
  'the docs page has no axe violation at %i px in %s colours, and fits',
  async (width, colorScheme) => {
    const page = await openPage('/docs', width);
    await page.emulateMedia({ colorScheme });
    await page.locator('details').evaluateAll((all) => {
      for (const details of all) details.setAttribute('open', '');
    });
    expect(await axeViolations(page, undefined)).toEqual([]);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe(colorScheme === 'dark' ? 'rgb(22, 24, 29)' : 'rgb(255, 255, 255)');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  },
);

test('a search shows the operations and schemas with all of its words, and a link to another one ends it', async () => {
  const page = await openPage();
  await page.getByLabel('Search').fill('slider cast_vote');
  const sections = page.locator('main section[data-entry]:visible');
  expect(await sections.evaluateAll((all) => all.map(({ id }) => id))).toEqual(['cast_vote']);
  expect(await page.locator('#found').textContent()).toBe('1 found');
  expect(await page.locator('#get_home_feed').isVisible()).toBe(false);
  expect(await page.locator('[data-for="get_home_feed"]').isVisible()).toBe(false);
  expect(await page.getByRole('heading', { name: 'Uploads' }).count()).toBe(0);
  await page.evaluate(() => location.assign('#get_home_feed'));
  await expect.poll(() => page.locator('#get_home_feed').isVisible()).toBe(true);
});

test('a link with the id of an operation shows the operation', async () => {
  const page = await openPage('/docs#cast_vote');
  expect(
    await page.evaluate(() => document.querySelector(':target')?.getBoundingClientRect().top),
  ).toBeLessThan(100);
});

/** Opens the form of an operation. */
async function formOf(page: Page, id: string): Promise<Locator> {
  const section = page.locator(`#${id}`);
  await section.getByText('Try it').click();
  return section.locator('form');
}

/** Sends a form, and returns the status line and the body that the page shows. */
async function send(form: Locator): Promise<{ status: string; body: string }> {
  await form.getByRole('button', { name: 'Send' }).click();
  const output = form.locator('output');
  await output.locator('strong').waitFor();
  const body = output.locator('pre').last();
  await expect.poll(() => body.textContent()).not.toBe('');
  return {
    status: (await output.locator('strong').textContent()) ?? '',
    body: (await body.textContent()) ?? '',
  };
}

test('a request of the docs page is sent as a guest, or with a token that the page does not store', async () => {
  const page = await openPage();
  const form = await formOf(page, 'get_home_feed');
  await form.getByLabel('limit').fill('1');
  expect((await send(form)).status).toMatch(/^200 in \d+ ms$/);
  await page.getByLabel('Access token').fill(amara.session.accessToken);
  const { body } = await send(form);
  expect(body).toContain('Is this page of use?');
  expect(JSON.parse(body).data.items).toHaveLength(1);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).toBe('[{},{}]');
});

test('a request of the docs page carries path, header and body', async () => {
  const page = await openPage();
  await page.getByLabel('Access token').fill(amara.session.accessToken);
  const creation = await formOf(page, 'create_post');
  await creation.getByLabel('Idempotency-Key').fill('docs-page');
  await creation.getByLabel('Body').fill('{"visibility": "public", "sliderText": "Sent twice?"}');
  const created = await send(creation);
  expect(created.status).toMatch(/^201 /);
  expect(JSON.parse((await send(creation)).body)).toEqual(JSON.parse(created.body));
  const vote = await formOf(page, 'cast_vote');
  await vote.getByLabel('postId').fill(JSON.parse(created.body).data.id);
  expect((await send(vote)).status).toMatch(/^201 /);
});

test('an event stream shows its first event while it is open', async () => {
  const page = await openPage();
  await page.getByLabel('Access token').fill(amara.session.accessToken);
  const { body } = await send(await formOf(page, 'stream_notifications'));
  expect(body).toContain('event: ready');
});
