import type { Theory } from './evidence.ts';
import { type Column, type Heap, type Lying, type Page, pagesOf } from './heaps.ts';
import { orderingsIn, pairByRank, sequencesIn } from './orders.ts';
import type { Spoils } from './spoils.ts';
import { pairTransactions } from './transactions.ts';
import { type Version, versionOf } from './versions.ts';

/** The header of a row: where it says how many columns it has, whether some are null, and where they begin. */
const HEADER = 23;
const COLUMNS_AT = 18;
const FLAGS_AT = 20;
const FIELDS_AT = 22;
const MAX_COLUMNS = 0x07ff;
const HAS_NULLS = 0x0001;

/** What looks like a row in the bytes of pages, wherever it lies: also where no line points to any more. */
export async function rowsInBytes(spoils: Spoils): Promise<Version[]> {
  const pages = await pagesOf(spoils.opine.database);
  return pages.flatMap((page) => {
    const heap = spoils.heaps.find(({ table }) => table === page.table);
    if (heap === undefined) return [];
    const rows: Version[] = [];
    for (let start = 24; start + HEADER < page.bytes.length; start += 8) {
      const row = rowAt(heap, page, start);
      const version = row && versionOf(heap, row, spoils.ids);
      if (version && version.posts.length === 1) rows.push(version);
    }
    return rows;
  });
}

/** The row whose header begins at `start`, as far as its columns are of one length; null where there is none. */
function rowAt({ table, columns }: Heap, { number, bytes }: Page, start: number): Lying | null {
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
  for (const [index, { length, alignment }] of columns.entries()) {
    if (isNull(index)) {
      fields.push(null);
      continue;
    }
    if (length < 0) break;
    at = Math.ceil(at / alignment) * alignment;
    if (at + length > bytes.length) return null;
    fields.push(bytes.subarray(at, at + length));
    at += length;
  }
  return fields;
}

/** By transactions and orders, from whatever bytes of rows are left in pages, overwritten in part or not. */
export function byBytes(spoils: Spoils, rows: readonly Version[]): Theory[] {
  const orderings = orderingsIn(spoils, rows).map((one) => ({ ...one, how: `${one.how} in bytes` }));
  return [...pairTransactions(spoils, rows), ...pairByRank(spoils, sequencesIn(rows), orderings)];
}

/** How many images of rows with counts, and of rows that name voters, lie where no row is. */
export function leftIn(spoils: Spoils, rows: readonly Version[]): Record<string, number> {
  const live = new Set(spoils.versions.map(({ key, xmin, counts }) => `${key} ${xmin} ${counts}`));
  const stale = rows.filter(
    ({ key, xmin, counts }) => counts !== null && !live.has(`${key} ${xmin} ${counts}`),
  );
  const names = Map.groupBy(stale, ({ table }) => table);
  return Object.fromEntries([...names].map(([table, some]) => [table, some.length]));
}
