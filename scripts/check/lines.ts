import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';

/** The longest line of SQL that people write. */
const MAX_COLUMNS = 120;

/** The longest line of a comment before an object. */
const MAX_COMMENT_COLUMNS = 110;

/** The longest function of SQL, in lines, but for a table and for those whose one statement or two branches read best together. */
const MAX_LINES = 60;
const MAY_BE_LONGER = [
  'api.list_comments',
  'api.list_messages',
  'app.cards_of',
  'app.home_posts',
  'app.marks',
  'app.newest_events',
  'app.rank_votes',
];

/** A COMMENT on an object, with its literals. A column's may have several sentences, since no line stands before a column. */
const COMMENT = /^comment on (?!column)([^\n]+?) is\s+((?:'(?:[^']|'')*'\s*)+);$/gm;

const FUNCTION = /^create (?:function|procedure) ([\w.]+)[\s\S]*?^(?:\$\$|end|return\b[^;]*);$/gm;

/**
 * Checks how long lines, functions and comments of SQL are. Biome checks functions of TypeScript.
 * @param root the root of the repository
 * @returns a line for each that is too long
 */
export async function longSql(root = ROOT): Promise<string> {
  const files = globSync(['supabase/*.sql', 'supabase/{schemas,tests}/**/*.{sql,psql}'], {
    cwd: root,
  }).sort();
  return files
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      const isSchema = file.includes('schemas');
      return [
        ...longLines(file, text),
        ...(isSchema ? [...longFunctions(file, text), ...longComments(file, text)] : []),
      ];
    })
    .join('\n');
}

function longLines(file: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line].length > MAX_COLUMNS ? [`${file}:${index + 1} has more than ${MAX_COLUMNS} columns`] : [],
    );
}

function longFunctions(file: string, text: string): string[] {
  return [...text.matchAll(FUNCTION)].flatMap(([body, name = '']) => {
    const count = body.split('\n').length;
    const isLong = count > MAX_LINES && !MAY_BE_LONGER.includes(name);
    return isLong ? [`${file}: ${name} has ${count} lines, more than ${MAX_LINES}`] : [];
  });
}

function longComments(file: string, text: string): string[] {
  const wide = text
    .split('\n')
    .flatMap((line, index) =>
      line.startsWith('--') && [...line].length > MAX_COMMENT_COLUMNS
        ? [`${file}:${index + 1}: a comment before an object has more than ${MAX_COMMENT_COLUMNS} columns`]
        : [],
    );
  const several = [...text.matchAll(COMMENT)].flatMap(([, object, literals = '']) =>
    /[.)] [A-Z]/.test(literals.replaceAll(/'\s+'/g, '').replaceAll(/\([^)]*\)/g, ''))
      ? [`${file}: the COMMENT on ${object} has more than one sentence; write the rest before the object`]
      : [],
  );
  return [...wide, ...several];
}
