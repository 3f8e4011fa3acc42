import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { brokenCitations } from '../../scripts/check/rules.ts';

const PAGE = 'docs/product.md';

/** Returns the lines of the check for a repository with these files and a page with the rules V1 to V5 and PO1. */
async function problems(files: Record<string, string>): Promise<string[]> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'opine-rules-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const rules =
    '- **V1.** One.\n- **V2.** Two (V1, V3).\n\n**V3.** Three:\n\n- **V4.** Four.\n- **V5.** Five.\n- **PO1.** Six.\n';
  for (const [name, text] of Object.entries({ [PAGE]: rules, ...files })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const report = await brokenCitations(root);
  return report.split('\n').filter((line) => line !== '');
}

test('the check of rules accepts citations of every rule, by ranges and across the lines of comments too', async () => {
  const files = {
    'tests/votes/cast.test.ts': `// One vote (${PAGE} V1,\n// V3-V5).`,
    'supabase/tests/votes/cast.test.sql': `-- ${PAGE}\n-- V2\nselect 'as ${PAGE} '\n  'PO1 says';`,
    'src/votes.ts': `/** Votes (${PAGE} V1-V5, PO1). */`,
  };
  expect(await problems(files)).toEqual([]);
});

test('the check of rules names each rule that no test cites, even if other files or a list of domains do', async () => {
  const files = {
    'tests/votes/cast.test.ts': `// ${PAGE} V1-V3 and V4, and ${PAGE} PO, V.`,
    'tests/support/votes.ts': `// ${PAGE} V5`,
    'supabase/schemas/votes.sql': `-- ${PAGE} PO1`,
  };
  const missing = ['V4', 'V5', 'PO1'].map((rule) => `no test cites ${rule} of ${PAGE}`);
  expect(await problems(files)).toEqual(missing);
});

test.each(['tests/a.test.ts', 'src/a.ts', 'supabase/schemas/a.sql', 'docs/a.md', '.env.example'])(
  'the check of rules names a rule that %s cites and the page does not have',
  async (file) => {
    const files = { 'tests/all.test.ts': `// ${PAGE} V1-V5, PO1`, [file]: `${PAGE} V4-V6` };
    expect(await problems(files)).toEqual([`${file} cites V6, which ${PAGE} does not have`]);
  },
);

test('the check of rules names a rule that the page refers to and does not have', async () => {
  const files = { 'tests/all.test.ts': `// ${PAGE} V1`, [PAGE]: '- **V1.** One (V2).' };
  expect(await problems(files)).toEqual([`${PAGE} cites V2, which ${PAGE} does not have`]);
});
