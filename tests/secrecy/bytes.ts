import type { AttackerView } from './attacker-view.ts';
import type { Theory } from './evidence.ts';
import { COUNTS, type Column, type Heap, type HeapRow, type Page, pagesOf } from './heaps.ts';
import { orderingsIn, pairByRank, sequencesIn } from './orders.ts';
import { pairTransactions } from './transactions.ts';
import { type Version, versionOf } from './versions.ts';

/** Layout of a heap tuple header: column count, null flag, offset of the fields. */
const HEADER = 23;
const COLUMNS_AT = 18;
const FLAGS_AT = 20;
const FIELDS_AT = 22;
const MAX_COLUMNS = 0x07ff;
const HAS_NULLS = 0x0001;

/** Finds every row image in the bytes of pages, without line pointers too. */
export async function rowsInBytes(view: AttackerView): Promise<Version[]> {
  const pages = await pagesOf(view.opine.database);
  return pages.flatMap((page) => {
    const heap = view.heaps.find(({ table }) => table === page.table);
    if (heap === undefined) return [];
    const rows: Version[] = [];
    for (let start = 24; start + HEADER < page.bytes.length; start += 8) {
      const row = rowAt(heap, page, start);
      const version = row && versionOf(heap, row, view.ids);
      if (version && version.posts.length === 1) rows.push(version);
    }
    return rows;
  });
}

/** Parses the row at `start` up to its first column of variable length that holds no counts, or returns null. */
function rowAt({ table, columns }: Heap, { number, bytes }: Page, start: number): HeapRow | null {
  const count = bytes.readUInt16LE(start + COLUMNS_AT) & MAX_COLUMNS;
  const hasNulls = (bytes.readUInt16LE(start + FLAGS_AT) & HAS_NULLS) !== 0;
  const from = HEADER + (hasNulls ? Math.ceil(count / 8) : 0);
  const fieldsAt = bytes.readUInt8(start + FIELDS_AT);
  if (count !== columns.length || fieldsAt !== Math.ceil(from / 8) * 8) return null;
  const isNull = (index: number): boolean =>
    hasNulls && ((bytes[start + HEADER + (index >> 3)] ?? 0) & (1 << (index & 7))) === 0;
  const fields = fieldsFrom(bytes, columns, start + fieldsAt, isNull);
  return fields && { table, ctid: `(${number},${start})`, xmin: bytes.readUInt32LE(start), fields };
}

function fieldsFrom(
  bytes: Buffer,
  columns: readonly Column[],
  start: number,
  isNull: (index: number) => boolean,
): (Buffer | null)[] | null {
  const fields: (Buffer | null)[] = [];
  let at = start;
  for (const [index, { type, length, alignment }] of columns.entries()) {
    if (isNull(index)) {
      fields.push(null);
      continue;
    }
    if (length < 0 && type !== COUNTS) break;
    // A value with a header of one byte is not aligned, and padding is zero.
    if (length >= 0 || bytes[at] === 0) at = Math.ceil(at / alignment) * alignment;
    const size = length >= 0 ? length : sizeOfVarlena(bytes, at);
    if (size === 0 || at + size > bytes.length) return null;
    fields.push(bytes.subarray(at, at + size));
    at += size;
  }
  return fields;
}

/** Returns the size of the value of variable length at `at` with its header; 0 if it is none. */
function sizeOfVarlena(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) return 0;
  const first = bytes.readUInt8(at);
  return first & 1 ? first >> 1 : bytes.readUInt32LE(at) >>> 2;
}

/** Attacks by transactions and orders of row images in pages, partly overwritten ones included. */
export function byBytes(view: AttackerView, rows: readonly Version[]): Theory[] {
  const orderings = orderingsIn(view, rows).map((one) => ({ ...one, how: `${one.how} in bytes` }));
  return [...pairTransactions(view, rows), ...pairByRank(view, sequencesIn(rows), orderings)];
}

/** Counts the images of former rows with counts, by table. */
export function countStaleImages(view: AttackerView, rows: readonly Version[]): Record<string, number> {
  const live = new Set(view.versions.map(({ key, xmin, counts }) => `${key} ${xmin} ${counts}`));
  const stale = rows.filter(
    ({ key, xmin, counts }) => counts !== null && !live.has(`${key} ${xmin} ${counts}`),
  );
  const byTable = Map.groupBy(stale, ({ table }) => table);
  return Object.fromEntries([...byTable].map(([table, images]) => [table, images.length]));
}
