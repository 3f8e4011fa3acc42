import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';

const SCHEMAS = 'supabase/schemas';
const NAME = String.raw`(?:app|api|staff|gateway)\.\w+`;
const CREATED = new RegExp(
  String.raw`^create (?:or replace )?(?:unlogged |materialized )?(?:function|procedure|table|view|type|domain|sequence|aggregate)\s+(?:if not exists )?(${NAME})`,
  'gm',
);
const USED = new RegExp(String.raw`\b${NAME}\b`, 'g');
const OPERATION = /^ {4}id: '(\w+)',$/gm;
// Comments are prose: they may name what lies above.
const PROSE = /comment on [^;]*?(?:'(?:[^']|'')*'\s*)+;|--.*/g;

/** A name, the file that has it, and the room of that file: its folder below `supabase/schemas` or `src/domains`. */
type Place = { name: string; file: string; room: string };

/**
 * Checks the rooms of SQL: a folder of `supabase/schemas` uses itself and those before it, and the function of an
 * operation lies in the folder of its domain, as its row does in `src/domains`.
 * @param root the root of the repository
 * @returns a line for each use of a later folder, and for each operation that lies elsewhere in SQL
 */
export async function misplaced(root = ROOT): Promise<string> {
  const files = readAll(root, `${SCHEMAS}/**/*.sql`).map(({ text, ...file }) => ({
    ...file,
    text: text.replaceAll(PROSE, ''),
  }));
  const homes = new Map(find(files, CREATED).map((place) => [place.name, place]));
  const upward = find(files, USED).flatMap(({ name, file, room }) => {
    const home = homes.get(name);
    return home !== undefined && home.room > room
      ? [`${file} uses ${name}, which ${home.file} creates later`]
      : [];
  });
  const elsewhere = find(readAll(root, 'src/domains/**/*.ts'), OPERATION).flatMap(({ name, file, room }) => {
    const home = homes.get(`api.${name}`) ?? homes.get(`staff.${name}`);
    return home !== undefined && !home.room.endsWith(`_${room}`)
      ? [`${file} has ${name}, which ${home.file} creates`]
      : [];
  });
  return [...new Set([...upward, ...elsewhere])].join('\n');
}

type RoomFile = Omit<Place, 'name'> & { text: string };

function readAll(root: string, pattern: string): RoomFile[] {
  return globSync(pattern, { cwd: root })
    .sort()
    .map((file) => ({
      file,
      room: file.split(path.sep)[2] ?? '',
      text: readFileSync(path.join(root, file), 'utf8'),
    }));
}

/** Returns what a pattern matches: its first group, or all of it. */
function find(files: readonly RoomFile[], pattern: RegExp): Place[] {
  return files.flatMap(({ text, file, room }) =>
    Array.from(text.matchAll(pattern), ([all, group]) => ({ name: group ?? all, file, room })),
  );
}
