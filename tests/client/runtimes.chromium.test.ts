import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOOLS } from '../../scripts/tools.ts';
import type { Browser } from '../../tools/playwright.ts';
import { openChromium } from '../support/chromium.ts';
import { aWalk, type InstalledClient, installClient } from '../support/client-package.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';

let opine: OpineWithStorage;
let client: InstalledClient;
let browser: Browser;
let site: string;

const pages = createServer((_, response) =>
  response.setHeader('Content-Type', 'text/html').end('<p>An app.'),
);

beforeAll(async () => {
  [opine, client, browser] = await Promise.all([
    startOpineWithStorage({ CORS_ORIGINS: 'http://localhost:*' }),
    installClient(),
    openChromium(),
  ]);
  await new Promise<void>((resolve) => pages.listen(0, 'localhost', resolve));
  site = `http://localhost:${(pages.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await browser.close();
  await Promise.all([opine.stop(), client.remove(), new Promise((resolve) => pages.close(resolve))]);
});

/** Bundles an app with `globalThis.walk`. */
async function bundleOf(importing: string, conditions: string[], options: string): Promise<string> {
  const contents = `${importing}
    import { walk } from '${path.join(import.meta.dirname, 'walk.mjs')}';
    globalThis.walk = (given) => walk(client, { ...given, options: ${options} });`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: client.folder },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    mainFields: ['react-native', 'browser', 'main'],
    conditions,
    nodePaths: [path.join(client.folder, 'node_modules')],
  });
  return outputFiles[0]?.text ?? '';
}

/** Runs scripts in a page of another origin than the service, and then the walk. */
async function walkIn(scripts: string[], given: object): Promise<unknown> {
  const page = await browser.newPage();
  await page.goto(site);
  for (const content of scripts) await page.addScriptTag({ content });
  return page.evaluate(
    (given) => (globalThis as unknown as { walk(given: object): unknown }).walk(given),
    given,
  );
}

test('a page in a browser signs in, reads the feed, votes, uploads and listens', async () => {
  const { given, expected } = await aWalk(opine);
  const app = await bundleOf("import * as client from '@opine/client';", ['import', 'browser'], '{}');
  expect(await walkIn([app], given)).toEqual(expected);
});

/** Takes from a page what React Native lacks. Its `fetch` is whatwg-fetch; `nativeDigest` plays the module of the app. */
const LIKE_REACT_NATIVE = `
  const { subtle } = crypto;
  globalThis.nativeDigest = (bytes) => subtle.digest('SHA-256', bytes);
  delete Blob.prototype.arrayBuffer;
  delete AbortSignal.any;
  for (const name of ['crypto', 'fetch', 'Request', 'Response', 'Headers', 'ReadableStream', 'TextDecoder',
    'TextDecoderStream', 'EventSource', 'DOMException']) {
    Object.defineProperty(globalThis, name, { value: undefined, writable: true, configurable: true });
  }`;

test('an app like one in React Native signs in, reads the feed, votes, uploads and listens', async () => {
  const { given, expected } = await aWalk(opine);
  const polyfill = await readFile(path.join(TOOLS, 'node_modules/whatwg-fetch/dist/fetch.umd.js'), 'utf8');
  const importing = "const client = require('@opine/client');";
  const app = await bundleOf(importing, ['require', 'react-native'], '{ digest: globalThis.nativeDigest }');
  expect(await walkIn([LIKE_REACT_NATIVE, polyfill, app], given)).toEqual(expected);
});
