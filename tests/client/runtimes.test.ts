import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOOLS } from '../../scripts/tools.ts';
import { aWalk, type InstalledClient, installClient, run } from '../support/client-package.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';

let opine: OpineWithStorage;
let client: InstalledClient;

const END = '.then((result) => console.log(JSON.stringify(result)))';
const DENO = [
  'run',
  '--quiet',
  '--no-prompt',
  '--allow-net=127.0.0.1',
  '--allow-env',
  '--allow-read',
  '--node-modules-dir=manual',
];

beforeAll(async () => {
  [opine, client] = await Promise.all([startOpineWithStorage(), installClient()]);
  await copyFile(path.join(import.meta.dirname, 'walk.mjs'), path.join(client.folder, 'walk.mjs'));
});

afterAll(() => Promise.all([opine.stop(), client.remove()]));

test.each([
  ['an ES module on Node', 'app.mjs', process.execPath, []],
  ['a CommonJS module on Node', 'app.cjs', process.execPath, []],
  ['a module on Deno', 'app.mjs', path.join(TOOLS, 'node_modules/.bin/deno'), DENO],
  ['a module on Bun', 'app.mjs', path.join(TOOLS, 'node_modules/.bin/bun'), []],
])('%s signs in, reads the feed, votes, uploads and listens', async (_, file, program, args) => {
  const { given, expected } = await aWalk(opine);
  const call = `walk(client, ${JSON.stringify(given)})${END}`;
  const source = {
    'app.mjs': `import * as client from '@opine/client';\nimport { walk } from './walk.mjs';\n${call};`,
    'app.cjs': `const client = require('@opine/client');\nimport('./walk.mjs').then(({ walk }) => ${call});`,
  };
  await writeFile(path.join(client.folder, file), source[file as keyof typeof source]);
  expect(JSON.parse(await run(program, [...args, file], client.folder))).toEqual(expected);
});
