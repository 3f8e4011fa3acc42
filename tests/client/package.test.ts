import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { checkPackage, createPackageFromTarballData, publint } from '../../tools/npm-package.ts';
import { type InstalledClient, installClient, run } from '../support/client-package.ts';

let client: InstalledClient;

beforeAll(async () => {
  client = await installClient();
});

afterAll(() => client.remove());

const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));

test('the npm package has the version of the service, one module for import, one for require, and their types', async () => {
  const modules = ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts'].map((name) => `dist/${name}`);
  expect([...client.files].sort()).toEqual(['LICENSE', 'README.md', 'package.json', ...modules].sort());
  const { version } = await manifestOf(path.join(client.folder, 'node_modules/@opine/client'));
  expect(version).toBe((await manifestOf(ROOT)).version);
});

test('the npm package installs openapi-fetch alone, and supabase-js only where an app brings it', async () => {
  const manifest = await manifestOf(path.join(client.folder, 'node_modules/@opine/client'));
  expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch']);
  expect(Object.keys(manifest.peerDependencies)).toEqual(['@supabase/supabase-js']);
  expect(manifest.peerDependenciesMeta).toEqual({ '@supabase/supabase-js': { optional: true } });
});

test.each([
  ['import', "import('@opine/client').then"],
  ['require', "Promise.resolve(require('@opine/client')).then"],
])('the npm package has the documented exports by %s', async (_, load) => {
  const script = `${load}((all) => console.log(Object.keys(all).join()))`;
  const exported = await run(process.execPath, ['--input-type=commonjs', '-e', script], client.folder);
  expect(exported.trim().split(',').sort()).toEqual([
    'OpineError',
    'PlatformError',
    'RealtimeError',
    'createOpine',
    'inMemory',
    'inSecureStore',
    'isOpineError',
  ]);
});

test('publint has nothing to say about the npm package', async () => {
  const pkgDir = path.join(client.folder, 'node_modules/@opine/client');
  expect((await publint({ pkgDir, pack: false, strict: true })).messages).toEqual([]);
});

test('the types of the npm package resolve in every way that TypeScript knows', async () => {
  const tarball = await readFile(client.tarball);
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  expect(result).toMatchObject({ types: { kind: 'included' }, problems: [] });
});
