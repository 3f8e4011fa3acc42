import { copyFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aWalk, type InstalledClient, installClient, linkPackage } from '../support/client-package.ts';
import { type Bundle, bundleApp, compile, runInHermes } from '../support/react-native.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';

// React Native's own modules that make `fetch`, `XMLHttpRequest` and timers out of their native parts.
const APP = `
  import 'react-native/Libraries/Core/setUpGlobals';
  import 'react-native/Libraries/Core/setUpPerformance';
  import 'react-native/Libraries/Core/polyfillPromise';
  import 'react-native/Libraries/Core/setUpTimers';
  import 'react-native/Libraries/Core/setUpXHR';
  import binaryToBase64 from 'react-native/Libraries/Utilities/binaryToBase64';
  import { createClient } from '@supabase/supabase-js';
  import * as imported from '@opine/client';
  import { walk } from './walk.mjs';

  const clients = { import: imported, require: require('@opine/client') };
  const digest = (bytes) => phone.digest(binaryToBase64(bytes));
  globalThis.startWalk = (loadedBy, { realtime, ...given }) => {
    const options = { digest, ...(realtime && { realtime: { ...realtime, createClient } }) };
    walk(clients[loadedBy], { ...given, options }).then(phone.finish, (error) => phone.finish(error.stack));
  };
`;

let opine: OpineWithStorage;
let client: InstalledClient;
let bundle: Bundle;

beforeAll(async () => {
  [opine, client] = await Promise.all([startOpineWithStorage(), installClient()]);
  await copyFile(path.join(import.meta.dirname, '../client/walk.mjs'), path.join(client.folder, 'walk.mjs'));
  await linkPackage('@supabase', client.folder);
  bundle = await bundleApp(client, APP);
});

afterAll(() => Promise.all([opine.stop(), client.remove()]));

test('Metro bundles one module of the npm package for import and one for require, and hermesc compiles them', async () => {
  const modules = bundle.sources.filter((file) => file.includes('@opine/client'));
  expect(modules.map((file) => path.basename(file)).sort()).toEqual(['index.cjs', 'index.js']);
  expect((await stat(await compile(bundle))).size).toBeGreaterThan(0);
});

test.each(['import', 'require'])(
  'a React Native app on Hermes that loads the client by %s signs in, reads the feed, votes, uploads and listens',
  async (loadedBy) => {
    const { given, expected } = await aWalk(opine);
    const start = `startWalk('${loadedBy}', ${JSON.stringify(given)})`;
    expect(await runInHermes(bundle, start)).toEqual(expected);
  },
);

test('a React Native app on Hermes without a URL polyfill throws RealtimeError instead of listening', async () => {
  const { given } = await aWalk(opine);
  const realtime = { url: opine.url, publishableKey: 'key' };
  expect(
    await runInHermes(bundle, `startWalk('import', ${JSON.stringify({ ...given, realtime })})`),
  ).toContain(
    "RealtimeError: The Supabase client cannot start: TypeError: Cannot assign to property 'protocol'",
  );
});
