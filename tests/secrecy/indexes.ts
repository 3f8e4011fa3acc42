import { sql } from 'kysely';
import type { AttackerView } from './attacker-view.ts';
import type { Theory } from './evidence.ts';
import { orderingsIn, pairByRank, sequencesIn } from './orders.ts';
import { type Version, versionOf } from './versions.ts';

/** An index entry, live or dead, with the heap place that it points to. */
interface Entry {
  readonly index: string;
  readonly ctid: string;
  readonly data: Buffer;
}

/** Reads every b-tree entry as a row version: the ids that it names and the place of its row. */
async function indexEntries({ opine, ids }: AttackerView): Promise<Version[]> {
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

/** Attacks by the order of rows: by place, transaction, number, time, or place in an index. */
export async function byOrder(view: AttackerView): Promise<Theory[]> {
  return pairByRank(view, sequencesIn(view.versions), [
    ...orderingsIn(view, view.visible),
    ...orderingsIn(view, view.versions),
    ...orderingsIn(view, await indexEntries(view)).filter(({ how }) => how.endsWith('ctid')),
  ]);
}

/** Returns the index columns that hold counts by position. */
export async function indexedCounts({ opine }: AttackerView): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%s.%s', c.oid::regclass, a.attname) as name
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid
    join pg_index as i on i.indexrelid = c.oid
    where pg_get_indexdef(c.oid, a.attnum, false) ~ 'counts|(left|neutral|right)_count'
      or coalesce(pg_get_expr(i.indpred, i.indrelid), '') ~ 'counts|(left|neutral|right)_count'
  `.execute(opine.database.superuser);
  return rows.map(({ name }) => name);
}
