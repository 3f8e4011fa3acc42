import { POSITIONS } from '../support/votes.ts';
import type { Heap, Lying } from './heaps.ts';

/** A version of a row, and what matters of it: whom and what it names, and which counts it carries. */
export interface Version {
  readonly table: string;
  readonly ctid: string;
  readonly xmin: number;
  readonly users: readonly string[];
  readonly posts: readonly string[];
  readonly hubs: readonly string[];
  /** By position; null where it carries none. */
  readonly counts: readonly number[] | null;
  /** The other fields: versions of the same row with counts have the same. */
  readonly key: string;
  /** What it carries as bytes, which may be sealed; null where it carries none. */
  readonly sealed: Buffer | null;
  /** Its whole numbers, by column. */
  readonly numbers: Readonly<Record<string, number>>;
  /** Its times in milliseconds, those that ids begin with as well, by column. */
  readonly times: Readonly<Record<string, number>>;
}

/** The ids that are looked for. */
export interface Ids {
  readonly users: ReadonlySet<string>;
  readonly posts: ReadonlySet<string>;
  readonly hubs: ReadonlySet<string>;
}

/** Reads what `row` of `heap` tells of `ids`. */
export function versionOf(heap: Heap, { table, ctid, xmin, fields }: Lying, ids: Ids): Version {
  const mentioned = fields.flatMap((field) => (field === null ? [] : idsIn(field)));
  const named = (set: ReadonlySet<string>) => [...new Set(mentioned.filter((id) => set.has(id)))];
  const places = countColumns(heap);
  return {
    table,
    ctid,
    xmin,
    users: named(ids.users),
    posts: named(ids.posts),
    hubs: named(ids.hubs),
    counts: places?.map((place) => numberIn(fields[place] ?? null) ?? 0) ?? null,
    key: `${table} ${fields.filter((_, index) => !places?.includes(index)).map((field) => field?.toString('hex'))}`,
    sealed: contentOf(fields[heap.columns.findLastIndex(({ type }) => type === 'bytea')] ?? null),
    numbers: numbersIn(heap, fields, /^(integer|bigint|smallint|xid|xid8|oid)$/, numberIn),
    times: {
      ...numbersIn(heap, fields, /^timestamp/, timestampIn),
      ...numbersIn(heap, fields, /^uuid$/, timeIn),
    },
  };
}

/** Where `heap` carries counts by position, in the order of positions; null where it does not. */
export function countColumns({ columns }: Heap): number[] | null {
  const places = POSITIONS.map((position) => columns.findIndex(({ name }) => name === `${position}_count`));
  return places.includes(-1) ? null : places;
}

/** A field of varying length without the length before it. */
function contentOf(field: Buffer | null): Buffer | null {
  return field?.subarray((field[0] ?? 0) & 1 ? 1 : 4) ?? null;
}

/** Every id in a field, as bytes or as text, wherever it begins. All ids here are version 7, of this era. */
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

/** Postgres counts microseconds from the year 2000 on. */
function timestampIn(field: Buffer | null): number | null {
  const microseconds = numberIn(field);
  return microseconds === null ? null : microseconds / 1000 + Date.UTC(2000);
}

/** The time that a UUIDv7 begins with. */
function timeIn(field: Buffer | null): number | null {
  return field?.length === 16 && ((field[6] ?? 0) & 0xf0) === 0x70 ? field.readUIntBE(0, 6) : null;
}
