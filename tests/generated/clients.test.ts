import { execFile } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { TSC } from '../../scripts/tools.ts';
import { addToDefaultFeed } from '../support/feeds.ts';
import { anOpine } from '../support/opine.ts';
import { confirmedPerson } from '../support/people.ts';
import { aSlider, seenBy } from '../support/posts.ts';

const LANGUAGES = ['java', 'kotlin', 'swift6', 'dart-dio', 'typescript-fetch', 'python'] as const;
type Language = (typeof LANGUAGES)[number];

const GENERATOR = path.join(ROOT, 'node_modules/.cache/openapi-generator/bin');
const DOCUMENT = path.join(ROOT, 'docs/openapi.app.json');
const folder = mkdtempSync(path.join(tmpdir(), 'opine-clients-'));
const logs = new Map<Language, string>();

const folderOf = (language: Language) => path.join(folder, language);

/** Runs a program to its end. Returns what it wrote. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 26 });
  return `${stdout}${stderr}`;
}

beforeAll(async () => {
  const limit = pLimit(2);
  await Promise.all(
    LANGUAGES.map((language) =>
      limit(async () => {
        const args = ['generate', '-g', language, '-i', DOCUMENT, '-o', folderOf(language)];
        logs.set(language, await run(path.join(GENERATOR, 'openapi-generator-cli'), args, folder));
      }),
    ),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(LANGUAGES)('the generated %s client', (language) => {
  test('has an API for votes, and no model with an invented name', () => {
    const lines = logs.get(language)?.split('\n');
    expect(lines?.filter((line) => /\bERROR\b|^Exception/.test(line))).toEqual([]);
    const names = globSync('**/*.{java,kt,swift,dart,ts,py}', { cwd: folderOf(language) }).map(
      (file) => path.parse(file).name,
    );
    expect(names.filter((name) => /^votes_?api$/i.test(name))).not.toEqual([]);
    const invented = /\d{3}_?response|inner\d*$|^(model_?)?(null|string)$|one_?of|any_?of|all_?of/i;
    expect(names.filter((name) => invented.test(name))).toEqual([]);
  });
});

test('the generated typescript-fetch client compiles', async () => {
  const options =
    '--noEmit --strict --target es2022 --module esnext --moduleResolution bundler --types'.split(' ');
  await run(process.execPath, [TSC, ...options, '', 'index.ts'], folderOf('typescript-fetch'));
});

test('the generated kotlin client compiles', async () => {
  copyFileSync(path.join(import.meta.dirname, 'kotlin.pom.xml'), path.join(folderOf('kotlin'), 'pom.xml'));
  // The daemon of the Kotlin compiler would outlive the test.
  await run('mvn', ['-q', '-B', '-Dkotlin.compiler.daemon=false', 'compile'], folderOf('kotlin'));
  expect(globSync('target/classes/**/VotesApi.class', { cwd: folderOf('kotlin') })).toHaveLength(1);
});

/** Has a walk sign in, read the feed and vote. Expects the vote on the only post of the feed. */
async function expectVote(walk: (...args: string[]) => Promise<string>): Promise<void> {
  const opine = await anOpine();
  const [author, voter] = [await confirmedPerson(opine), await confirmedPerson(opine)];
  await addToDefaultFeed(opine, author);
  const post = await aSlider(author);
  expect((await walk(`${opine.url}/api/v1`, voter.phoneNumber, '4242')).trim()).toBe(post.id);
  expect((await seenBy(voter, post)).viewerVote).toMatchObject({ hasVoted: true });
}

test('the generated java client compiles, signs in, reads the feed and votes', async () => {
  const skipped = ['test', 'javadoc', 'source'].map((part) => `-Dmaven.${part}.skip`);
  await run('mvn', ['-q', '-B', ...skipped, 'package'], folderOf('java'));
  const classes = ['target/classes', 'target/lib/*'].join(path.delimiter);
  const walk = path.join(import.meta.dirname, 'Walk.java');
  await expectVote((...args) => run('java', ['-cp', classes, walk, ...args], folderOf('java')));
});

test('the generated python client installs, imports, signs in, reads the feed and votes', async () => {
  const python = path.join(GENERATOR, 'python');
  const quiet = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(python, [...quiet, '--target', 'installed', '.'], folderOf('python'));
  const installed = path.join(folderOf('python'), 'installed');
  const importAll = `
import importlib, openapi_client, pkgutil
for module in pkgutil.walk_packages(openapi_client.__path__, 'openapi_client.'):
    importlib.import_module(module.name)`;
  await run(python, ['-c', importAll], installed);
  const walk = path.join(import.meta.dirname, 'walk.py');
  await expectVote((...args) => run('env', [`PYTHONPATH=${installed}`, python, walk, ...args], installed));
});
