import { POSITIONS } from '../support/votes.ts';
import { COUNTS, type Heap, type HeapRow } from './heaps.ts';

/** A row version: the ids that it names, and its counts. */
export interface Version {
  readonly table: string;
  readonly ctid: string;
  readonly xmin: number;
  readonly users: readonly string[];
  readonly posts: readonly string[];
  readonly hubs: readonly string[];
  /** Counts by position, or null. */
  readonly counts: readonly number[] | null;
  /** The other fields, which identify versions of the same row with counts. */
  readonly key: string;
  /** Its bytea column, which may be sealed, or null. */
  readonly sealed: Buffer | null;
  /** Its integers, by column. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Its times in milliseconds, those of UUIDv7 ids included, by column. */
  readonly times: Readonly<Record<string, number>>;
}

/** The known ids of users, posts and Hubs. */
export interface Ids {
  readonly users: ReadonlySet<string>;
  readonly posts: ReadonlySet<string>;
  readonly hubs: ReadonlySet<string>;
}

/** Parses a row of `heap` and finds the `ids` that it names. */
export function versionOf(heap: Heap, { table, ctid, xmin, fields }: HeapRow, ids: Ids): Version {
  const mentioned = fields.flatMap((field) => (field === null ? [] : idsIn(field)));
  const named = (set: ReadonlySet<string>) => [...new Set(mentioned.filter((id) => set.has(id)))];
  const place = heap.columns.findIndex(({ type }) => type === COUNTS);
  const counts = place < 0 ? null : countsIn(fields[place] ?? null);
  return {
    table,
    ctid,
    xmin,
    users: named(ids.users),
    posts: named(ids.posts),
    hubs: named(ids.hubs),
    counts,
    key: `${table} ${fields.filter((_, index) => index !== place).map((field) => field?.toString('hex'))}`,
    sealed: contentOf(fields[heap.columns.findLastIndex(({ type }) => type === 'bytea')] ?? null),
    numbers: {
      ...numbersIn(heap, fields, /^(integer|bigint|smallint|xid|xid8|oid)$/, numberIn),
      ...Object.fromEntries((counts ?? []).map((count, index) => [`${POSITIONS[index]}_count`, count])),
    },
    times: {
      ...numbersIn(heap, fields, /^timestamp/, timestampIn),
      ...numbersIn(heap, fields, /^uuid$/, timeIn),
    },
  };
}

/** Reads the counts of a field of the type `COUNTS` in the order of positions; zeros if it is none. */
function countsIn(field: Buffer | null): number[] {
  const from = (field?.length ?? 0) - 8 * POSITIONS.length;
  return POSITIONS.map((_, index) => (from < 0 ? 0 : Number(field?.readBigInt64LE(from + 8 * index))));
}

/** Strips the length header of a varlena field. */
function contentOf(field: Buffer | null): Buffer | null {
  return field?.subarray((field[0] ?? 0) & 1 ? 1 : 4) ?? null;
}

/** Returns every id in a field, as bytes or text, at any offset. All ids are recent UUIDv7. */
function idsIn(field: Buffer): string[] {
  const hex = field.toString('hex');
  const ids: string[] = field.toString('latin1').match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  for (let start = hex.indexOf('01'); start >= 0; start = hex.indexOf('01', start + 1)) {
    const isId = start % 2 === 0 && start + 32 <= hex.length && hex[start + 12] === '7';
    if (isId) ids.push(dashed(hex.slice(start, start + 32)));
  }
  return ids;
}

function dashed(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function numbersIn(
  { columns }: Heap,
  fields: readonly (Buffer | null)[],
  types: RegExp,
  read: (field: Buffer | null) => number | null,
): Record<string, number> {
  const numbers: [string, number][] = [];
  columns.forEach(({ name, type }, index) => {
    const number = types.test(type) ? read(fields[index] ?? null) : null;
    if (number !== null) numbers.push([name, number]);
  });
  return Object.fromEntries(numbers);
}

function numberIn(field: Buffer | null): number | null {
  if (field?.length === 8) return Number(field.readBigInt64LE());
  return field?.length === 4 ? field.readInt32LE() : null;
}

/** Converts a Postgres timestamp, in microseconds since 2000. */
function timestampIn(field: Buffer | null): number | null {
  const microseconds = numberIn(field);
  return microseconds === null ? null : microseconds / 1000 + Date.UTC(2000);
}

/** Returns the time of a UUIDv7. */
function timeIn(field: Buffer | null): number | null {
  return field?.length === 16 && ((field[6] ?? 0) & 0xf0) === 0x70 ? field.readUIntBE(0, 6) : null;
}
