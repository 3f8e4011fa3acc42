import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const SCRIPTS = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).scripts;

test('every command that the README names exists, and runs where Node is older than what runs the code', () => {
  expect(README).not.toMatch(/`node \S+\.ts/);
  // curl before 7.82, as in Ubuntu 20.04 and 22.04, does not know it.
  expect(README).not.toContain('--json');
  const named = [...README.matchAll(/`npm (?:run )?([a-z:]+)/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'ci');

  expect(named).not.toHaveLength(0);
  expect(Object.keys(SCRIPTS)).toEqual(expect.arrayContaining(named));
});

test('.env.example names every variable that the service reads', () => {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
  const variables = [...read('src/config.ts').matchAll(/^ {4}([A-Z_]+): /gm)].map(([, name]) => name);
  const named = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);

  expect(variables).toContain('DATABASE_URL');
  expect(named.toSorted()).toEqual(variables.filter((name) => name !== 'NODE_ENV').toSorted());
});
