import { sql } from 'kysely';
import { POSITIONS } from '../support/votes.ts';
import type { Theory } from './evidence.ts';
import { pagesOf } from './heaps.ts';
import type { Spoils } from './spoils.ts';
import { byTime } from './times.ts';
import { pairTransactions } from './transactions.ts';
import type { Version } from './versions.ts';

/** Everything in the database that may be a key: in rows and former ones, settings, functions and statements. */
export async function keysIn({ opine }: Spoils): Promise<string[]> {
  const { database } = opine;
  const { rows } = await sql<{ text: string }>`
    select prosrc as text from pg_proc
    union all select query from pg_stat_activity
    union all select setting from pg_settings
    union all select array_to_string(setconfig, ' ') from pg_db_role_setting
    union all select pg_get_viewdef(oid) from pg_class where relkind = 'v'
    union all select description from pg_description`.execute(database.superuser);
  const pages = await pagesOf(database);
  const texts = [...rows.map(({ text }) => text), ...pages.map(({ bytes }) => bytes.toString('latin1'))];
  return [...new Set(texts.flatMap((text) => text.match(/[A-Za-z0-9+/]{43}=/g) ?? []))];
}

/** What is sealed, as it lies there and opened by `keys`: rows with the counts that were in them. */
async function opened({ opine, versions }: Spoils, keys: readonly string[]): Promise<Version[]> {
  const rows: Version[] = [];
  for (const version of versions) {
    if (version.sealed === null) continue;
    const texts = [version.sealed.toString('utf8')];
    for (const key of keys) texts.push(await unsealed(opine, version.sealed, key));
    rows.push(...texts.flatMap((text) => countsIn(version, text)));
  }
  return rows;
}

/** What `key` opens; an empty text where it does not. */
async function unsealed({ database }: Spoils['opine'], sealed: Buffer, key: string): Promise<string> {
  try {
    const { rows } = await sql<{ text: string }>`
      select extensions.pgp_sym_decrypt(${sealed}, ${key}) as text`.execute(database.superuser);
    return rows[0]?.text ?? '';
  } catch {
    return '';
  }
}

/** The five counts in a text of JSON, wherever they are: a ballot has them beside its Hubs, a total is them. */
function countsIn(version: Version, text: string): Version[] {
  return objectsIn(jsonIn(text)).flatMap((parts) => {
    const counts = POSITIONS.map((position) => Number(parts.get(`${position}_count`)));
    return counts.every(Number.isInteger) ? [{ ...version, counts }] : [];
  });
}

function objectsIn(value: unknown): Map<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = new Map(Object.entries(value));
  return [parts, ...[...parts.values()].flatMap(objectsIn)];
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** By times and transactions, from what was sealed and is opened by `keys`. */
export async function bySeals(spoils: Spoils, keys: readonly string[]): Promise<Theory[]> {
  const rows = await opened(spoils, keys);
  return [...byTime(spoils, rows), ...pairTransactions(spoils, [...spoils.visible, ...rows])];
}
