import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { VARIABLES } from '../../src/config.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

test('every npm command in the README exists, and no command there needs Node 24 or curl 7.82', () => {
  const readme = read('README.md');
  expect(readme).not.toMatch(/`node \S+\.ts/);
  // Ubuntu 20.04 and 22.04 have a curl without --json.
  expect(readme).not.toContain('--json');
  const named = [...readme.matchAll(/`npm (?:run )?([a-z:]+)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'ci');

  expect(named).not.toHaveLength(0);
  expect(Object.keys(JSON.parse(read('package.json')).scripts)).toEqual(expect.arrayContaining(named));
});

// docs/product.md R5
test('.env.example lists every variable of the service', () => {
  const named = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);

  expect(named.toSorted()).toEqual(VARIABLES.filter((name) => name !== 'NODE_ENV').toSorted());
});
