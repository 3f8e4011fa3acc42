import { metadataOf } from './answers.ts';
import type { StoredObject } from './object-folders.ts';

/** Which part of a bucket to list, and how. */
export interface ListOptions {
  /** The folder to look into; empty: the bucket's root. */
  readonly prefix: string;
  /** What the names in that folder have to begin with. */
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: {
    readonly column: 'name' | 'updated_at' | 'created_at' | 'last_accessed_at';
    readonly order: 'asc' | 'desc';
  };
}

const MAX_LIMIT = 1500;

/**
 * One level of a bucket, as the first version of Supabase's listing has it: files and folders with their names
 * relative to the folder, matched without regard to case; by time, folders come before files.
 */
export function listLevel(objects: readonly StoredObject[], options: ListOptions) {
  const { column, order } = options.sortBy;
  const direction = order === 'asc' ? 1 : -1;
  const folder =
    options.prefix === '' || options.prefix.endsWith('/') ? options.prefix : `${options.prefix}/`;
  const wanted = (folder + options.search).toLowerCase();
  const matching = objects
    .filter(({ key }) => key.toLowerCase().startsWith(wanted))
    .sort((a, b) => direction * compare(a.key.toLowerCase(), b.key.toLowerCase()));
  const entries = new Map<string, ReturnType<typeof fileEntry> | ReturnType<typeof folderEntry>>();
  for (const object of matching) {
    const slash = object.key.indexOf('/', wanted.length);
    const path = slash < 0 ? object.key : object.key.slice(0, slash);
    const id = slash < 0 ? path : `${path.toLowerCase()}/`;
    const name = path.slice(folder.length);
    entries.set(id, entries.get(id) ?? (slash < 0 ? fileEntry(name, object) : folderEntry(name)));
  }
  const sorted = [...entries.values()];
  if (column !== 'name') {
    sorted.sort((a, b) => direction * compare(a[column] ?? '', b[column] ?? ''));
    sorted.sort((a, b) => Number(a.id !== null) - Number(b.id !== null));
  }
  return sorted.slice(options.offset, options.offset + Math.min(options.limit, MAX_LIMIT));
}

function fileEntry(name: string, object: StoredObject) {
  const { id, updatedAt, createdAt } = object;
  const times = { updated_at: updatedAt, created_at: createdAt, last_accessed_at: createdAt };
  return { name, id, ...times, metadata: metadataOf(object) };
}

function folderEntry(name: string) {
  const times = { updated_at: null, created_at: null, last_accessed_at: null };
  return { name, id: null, ...times, metadata: null };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
