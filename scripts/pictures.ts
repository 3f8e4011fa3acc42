import path from 'node:path';
import { chromium } from 'playwright-core';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { openStack } from './demo/stack.ts';
import { requireProgram } from './find-program.ts';

const PICTURE = 'docs/pictures/docs-page.png';

/** Takes the README's picture of the docs page with Debian's Chromium. */
async function main(): Promise<void> {
  const stack = await openStack();
  const browser = await chromium.launch({
    executablePath: requireProgram('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 820 } });
    await page.goto(`${stack.url}/docs`);
    const posts = page.locator('.opblock-tag-section', {
      has: page.locator('#operations-Posts-create_post'),
    });
    await posts.evaluate((element) => element.scrollIntoView());
    await page.screenshot({ path: path.join(ROOT, PICTURE), animations: 'disabled' });
  } finally {
    await browser.close();
    await stack.release();
  }
}

runScript(main);
