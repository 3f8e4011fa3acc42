import { sql } from 'kysely';
import type { Opine } from '../support/opine.ts';

/** The type of counts by position: five integers of 8 bytes behind the headers of a row. */
export const COUNTS = 'app.position_counts';

/** The layout of a column in a row. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** Negative for a variable length. */
  readonly length: number;
  readonly alignment: number;
}

/** A relation with rows: a table, its TOAST table or a materialized view. */
export interface Heap {
  readonly table: string;
  readonly columns: readonly Column[];
}

type Database = Pick<Opine, 'database'>['database'];

/** Installs `pageinspect`, so that the test's superuser can read pages. */
export async function allowPageReads({ superuser }: Database): Promise<void> {
  await sql`create extension if not exists pageinspect with schema public`.execute(superuser);
}

/** Returns every relation with rows outside the Postgres catalogue. */
export async function heapsOf({ superuser }: Database): Promise<Heap[]> {
  const { rows } = await sql<Heap>`
    select h.oid::regclass::text as table, json_agg(json_build_object(
      'name', a.attname, 'type', a.atttypid::regtype, 'length', a.attlen,
      'alignment', case a.attalign when 'd' then 8 when 'i' then 4 when 's' then 2 else 1 end
    ) order by a.attnum) as columns
    from ${heaps} as h
    join pg_attribute as a on a.attrelid = h.oid and a.attnum > 0
    group by h.oid`.execute(superuser);
  return rows;
}

/** A row version in a page, live or dead. */
export interface HeapRow {
  readonly table: string;
  readonly ctid: string;
  readonly xmin: number;
  readonly fields: readonly (Buffer | null)[];
}

/** Reads every row version with a line pointer in a page, live or dead. */
export async function readHeapRows({ superuser }: Database): Promise<HeapRow[]> {
  const { rows } = await sql<HeapRow>`
    select h.oid::regclass::text as table, format('(%s,%s)', page.number, i.lp) as ctid,
      i.t_xmin::text::double precision as xmin, i.t_attrs as fields
    from ${heaps} as h
    cross join lateral generate_series(0, pg_relation_size(h.oid) / 8192 - 1) as page (number)
    cross join lateral heap_page_item_attrs(
      get_raw_page(h.oid::regclass::text, page.number::integer), h.oid, false
    ) as i
    where i.t_xmin is not null`.execute(superuser);
  return rows;
}

/** Returns the places of the rows that `select` shows. */
export async function visiblePlaces(
  database: Database,
  heaps: readonly Heap[],
): Promise<ReadonlySet<string>> {
  const places = heaps
    .map(({ table }) => `select '${table} ' || ctid::text as place from ${table}`)
    .join(' union all ');
  const { rows } = await sql.raw<{ place: string }>(places).execute(database.superuser);
  return new Set(rows.map(({ place }) => place));
}

/** A raw page. */
export interface Page {
  readonly table: string;
  readonly number: number;
  readonly bytes: Buffer;
}

export async function pagesOf({ superuser }: Database): Promise<Page[]> {
  const { rows } = await sql<Page>`
    select h.oid::regclass::text as table, page.number::integer,
      get_raw_page(h.oid::regclass::text, page.number::integer) as bytes
    from ${heaps} as h
    cross join lateral generate_series(0, pg_relation_size(h.oid) / 8192 - 1) as page (number)`.execute(
    superuser,
  );
  return rows;
}

const heaps = sql`(
  select c.oid
  from pg_class as c
  join pg_namespace as n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm', 't') and c.relpersistence <> 't'
    and n.nspname not in ('pg_catalog', 'information_schema') and c.oid >= 16384
)`;
