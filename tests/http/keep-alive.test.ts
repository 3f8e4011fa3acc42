import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { readConfig } from '../../src/config.ts';
import { anOpine, testEnvironment } from '../support/opine.ts';

/** Returns the number that a file of the repository has behind a name. */
function numberIn(file: string, pattern: RegExp): number {
  const [, number] = pattern.exec(readFileSync(path.join(ROOT, file), 'utf8')) ?? [];
  return Number(number);
}

// docs/product.md R11
test.each([
  ['65 seconds by default', undefined, 'timeout=65'],
  ['as long as KEEP_ALIVE_SECONDS says', '7', 'timeout=7'],
])('an idle connection stays open %s', async (_, KEEP_ALIVE_SECONDS, announced) => {
  const { url } = await anOpine({ KEEP_ALIVE_SECONDS });
  expect((await fetch(`${url}/healthz`)).headers.get('keep-alive')).toBe(announced);
});

test('nginx closes idle connections before the service does, by the files of the repository', async () => {
  const ofNginx = numberIn('ops/nginx.conf', /^ *keepalive_timeout (\d+)s;$/m);
  const ofExample = numberIn('.env.example', /^KEEP_ALIVE_SECONDS=(\d+)$/m);
  const { database } = await anOpine();
  const { KEEP_ALIVE_SECONDS } = readConfig(testEnvironment(database));
  expect(ofExample).toBe(KEEP_ALIVE_SECONDS);
  expect(ofNginx).toBeGreaterThan(0);
  expect(ofNginx).toBeLessThan(KEEP_ALIVE_SECONDS);
});
