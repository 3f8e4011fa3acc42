import { Buffer } from 'node:buffer';
import path from 'node:path';
import type { Browser, Page } from '../tools/playwright.ts';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { openStack } from './demo/stack.ts';
import { requireProgram } from './find-program.ts';
import { DEMO_CODE, DEMO_PEOPLE } from './local/environment.ts';
import { installTools } from './tools.ts';

const FOLDER = path.join(ROOT, 'docs/pictures');
const PHONE = { width: 390, height: 780 };
const TRAMS = '/posts/01900000-0000-7000-8000-0000000000b1';

/** Takes the README's pictures of the app and of the docs page with Debian's Chromium. */
async function main(): Promise<void> {
  installTools();
  const { chromium } = await import('../tools/playwright.ts');
  const stack = await openStack();
  const browser = await chromium.launch({
    executablePath: requireProgram('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  try {
    await takeApp(browser, stack.url);
    await takeDocs(browser, stack.url);
  } finally {
    await browser.close();
    await stack.release();
  }
}

/** Takes a feed before a vote in light colours, and a result after it in dark ones, side by side. */
async function takeApp(browser: Browser, url: string): Promise<void> {
  const [maya, jonas] = DEMO_PEOPLE;
  const feed = await browser.newPage({ viewport: PHONE, colorScheme: 'light' });
  await signIn(feed, url, jonas.phoneNumber);
  await feed.getByText('Should the centre be car-free?').waitFor();
  await feed.getByRole('radio', { name: 'Keep the cars', exact: true }).check();
  await feed.getByRole('article').last().scrollIntoViewIfNeeded();
  await feed.getByText('Welcome').waitFor({ state: 'detached' });
  const post = await browser.newPage({ viewport: PHONE, colorScheme: 'dark' });
  await signIn(post, url, maya.phoneNumber);
  await post.goto(`${url}/#${TRAMS}`);
  const ballot = post.getByRole('radio', { name: 'Car-free', exact: true });
  const result = post.getByRole('listitem').filter({ hasText: 'In between' });
  await ballot.or(result).first().waitFor();
  if ((await ballot.count()) > 0) {
    await ballot.check();
    await post.getByRole('button', { name: 'Vote: Car-free' }).click();
  }
  await post.getByRole('listitem').filter({ hasText: 'Car-free, strongly' }).waitFor();

  const pictures = await Promise.all([feed, post].map((page) => page.screenshot({ animations: 'disabled' })));
  const page = await browser.newPage({ viewport: { width: 2 * PHONE.width + 20, height: PHONE.height } });
  const images = pictures.map(
    (png) => `<img src="data:image/png;base64,${Buffer.from(png).toString('base64')}">`,
  );
  await page.setContent(`<body style="margin: 0; display: flex; gap: 20px">${images.join('')}</body>`);
  await page.screenshot({ path: path.join(FOLDER, 'web-app.png') });
}

async function signIn(page: Page, url: string, phoneNumber: string): Promise<void> {
  await page.goto(`${url}/#/sign-in`);
  await page.getByLabel('Your phone').fill(phoneNumber);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('The code').fill(DEMO_CODE);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Profile' }).waitFor();
}

async function takeDocs(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 820 } });
  await page.goto(`${url}/docs#create_post`);
  await page.screenshot({ path: path.join(FOLDER, 'docs-page.png'), animations: 'disabled' });
}

runScript(main);
