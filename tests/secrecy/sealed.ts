import { sql } from 'kysely';
import { POSITIONS } from '../support/votes.ts';
import type { AttackerView } from './attacker-view.ts';
import type { Theory } from './evidence.ts';
import { pagesOf } from './heaps.ts';
import { byTime } from './times.ts';
import { pairTransactions } from './transactions.ts';
import type { Version } from './versions.ts';

/** Returns every text in the database that may be a key: in live and dead rows, settings, functions and queries. */
export async function keysIn({ opine }: AttackerView): Promise<string[]> {
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

/** Opens sealed values by `keys` and returns their rows with the counts in them. */
async function unsealedRows({ opine, versions }: AttackerView, keys: readonly string[]): Promise<Version[]> {
  const rows: Version[] = [];
  for (const version of versions) {
    if (version.sealed === null) continue;
    const texts = [version.sealed.toString('utf8')];
    for (const key of keys) texts.push(await unseal(opine, version.sealed, key));
    rows.push(...texts.flatMap((text) => countsIn(version, text)));
  }
  return rows;
}

/** Decrypts by `key`, or returns an empty text. */
async function unseal({ database }: AttackerView['opine'], sealed: Buffer, key: string): Promise<string> {
  try {
    const { rows } = await sql<{ text: string }>`
      select extensions.pgp_sym_decrypt(${sealed}, ${key}) as text`.execute(database.superuser);
    return rows[0]?.text ?? '';
  } catch {
    return '';
  }
}

/** Returns the five counts anywhere in a JSON text: a ballot nests them, a total consists of them. */
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

/** Attacks by times and transactions of sealed values that `keys` open. */
export async function bySeals(view: AttackerView, keys: readonly string[]): Promise<Theory[]> {
  const rows = await unsealedRows(view, keys);
  return [...byTime(view, rows), ...pairTransactions(view, [...view.visible, ...rows])];
}
