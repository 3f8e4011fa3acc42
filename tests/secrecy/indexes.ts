import { sql } from 'kysely';
import { type Ordering, orderingsIn } from './orders.ts';
import type { Spoils } from './spoils.ts';
import { type Version, versionOf } from './versions.ts';

/** An entry of an index, in whatever state: what it holds, and to which place of a heap it points or pointed. */
interface Entry {
  readonly index: string;
  readonly ctid: string;
  readonly data: Buffer;
}

/** Every entry of every b-tree as a version of a row: whom and what it names, and where its row lay. */
export async function indexEntries({ opine, ids }: Spoils): Promise<Version[]> {
  const { rows } = await sql<Entry>`
    select c.oid::regclass::text as index, coalesce(i.htid, i.ctid)::text as ctid,
      decode(replace(i.data, ' ', ''), 'hex') as data
    from pg_class as c
    join pg_namespace as n on n.oid = c.relnamespace
    join pg_am as a on a.oid = c.relam and a.amname = 'btree'
    cross join lateral generate_series(1, pg_relation_size(c.oid) / 8192 - 1) as page (number)
    cross join lateral bt_page_items(c.oid::regclass::text, page.number) as i
    where c.relkind = 'i' and n.nspname in ('app', 'gateway', 'staff') and i.data is not null
  `.execute(opine.database.superuser);
  return rows.map(({ index, ctid, data }) =>
    versionOf({ table: index, columns: [] }, { table: index, ctid, xmin: 0, fields: [data] }, ids),
  );
}

/** The orders in which indexes say that rows of voters lie, or once lay. */
export function orderingsOfIndexes(spoils: Spoils, entries: readonly Version[]): Ordering[] {
  return orderingsIn(spoils, entries).filter(({ how }) => how.endsWith('ctid'));
}

/** The indexes that hold counts by position. */
export async function indexesWithCounts({ opine }: Spoils): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select i.indexrelid::regclass::text as name
    from pg_index as i
    cross join lateral generate_series(1, i.indnatts) as place (number)
    where pg_get_indexdef(i.indexrelid) ~ '(strong_|left_|neutral_|right_)'
    group by 1`.execute(opine.database.superuser);
  return rows.map(({ name }) => name);
}
