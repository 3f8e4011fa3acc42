import { sql } from 'kysely';
import type { Theory } from './evidence.ts';
import { orderingsIn, pairByRank, sequencesIn } from './orders.ts';
import type { Spoils } from './spoils.ts';
import { type Version, versionOf } from './versions.ts';

/** An entry of an index, in whatever state: what it holds, and to which place of a heap it points or pointed. */
interface Entry {
  readonly index: string;
  readonly ctid: string;
  readonly data: Buffer;
}

/** Every entry of every b-tree as a version of a row: whom and what it names, and where its row lay. */
async function indexEntries({ opine, ids }: Spoils): Promise<Version[]> {
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

/** By the order in which rows lie, were written, are numbered or timed, or lay where indexes still point to. */
export async function byOrder(spoils: Spoils): Promise<Theory[]> {
  return pairByRank(spoils, sequencesIn(spoils.versions), [
    ...orderingsIn(spoils, spoils.visible),
    ...orderingsIn(spoils, spoils.versions),
    ...orderingsIn(spoils, await indexEntries(spoils)).filter(({ how }) => how.endsWith('ctid')),
  ]);
}

/** The columns of indexes that hold counts by position. */
export async function indexedCounts({ opine }: Spoils): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%s.%s', c.oid::regclass, a.attname) as name
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid
    join pg_index as i on i.indexrelid = c.oid
    where pg_get_indexdef(c.oid, a.attnum, false) ~ '(left|neutral|right)_count'
      or coalesce(pg_get_expr(i.indpred, i.indrelid), '') ~ '(left|neutral|right)_count'
  `.execute(opine.database.superuser);
  return rows.map(({ name }) => name);
}
