import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';

const PAGE = 'docs/product.md';
const TESTS = ['tests/**/*.test.ts', 'supabase/tests/**/*.test.sql'];
const TEXTS = [
  '*.md',
  '.env.example',
  '{clients,docs,ops,scripts,src,supabase,tests}/**/*.{md,psql,sql,ts,tsx}',
];

const RULE = /^(?:- )?\*\*([A-Z]+\d+)\.\*\*/gm;
const CITATION = /docs\/product\.md (?:(?:, )?[A-Z]+\d+(?:-[A-Z]+\d+)?)+/g;
const REFERENCE = /\b(PO|[A-Z])(\d+)(?:-\1(\d+))?\b/g;
// A citation may continue on the next line of a comment, or in an adjacent literal of SQL.
const LINE_BREAK = /\s*'?\s*\n\s*(?:\*|\/\/|--|')?\s*/g;

/**
 * Checks the citations of the rules of docs/product.md.
 * @param root the root of the repository
 * @returns a line for each rule that no test cites, and for each citation of a rule that does not exist
 */
export async function brokenCitations(root = ROOT): Promise<string> {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const find = (patterns: string[]) => globSync(patterns, { cwd: root, exclude: ['**/node_modules'] }).sort();
  const page = read(PAGE);
  const rules = new Set(Array.from(page.matchAll(RULE), ([, rule = '']) => rule));
  const tested = new Set(find(TESTS).flatMap((file) => citations(read(file))));

  const untested = [...rules].filter((rule) => !tested.has(rule));
  const unknown = [
    ...references(page).map((rule) => ({ file: PAGE, rule })),
    ...find(TEXTS).flatMap((file) => citations(read(file)).map((rule) => ({ file, rule }))),
  ].filter(({ rule }) => !rules.has(rule));
  return [
    ...untested.map((rule) => `no test cites ${rule} of ${PAGE}`),
    ...unknown.map(({ file, rule }) => `${file} cites ${rule}, which ${PAGE} does not have`),
  ].join('\n');
}

/** Returns the rules that a text cites as the page describes: `docs/product.md V3, V5-V7`. */
function citations(text: string): string[] {
  return (text.replaceAll(LINE_BREAK, ' ').match(CITATION) ?? []).flatMap(references);
}

/** Returns the rules that a text names, those within ranges too. */
function references(text: string): string[] {
  return Array.from(text.matchAll(REFERENCE)).flatMap(([, domain, first, last = first]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, index) => `${domain}${Number(first) + index}`,
    ),
  );
}
