import { sql } from 'kysely';
import { POSITIONS } from '../builders/votes.ts';
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

/** What is sealed, opened by `keys`: rows with the counts that were in them. */
export async function opened({ opine, versions }: Spoils, keys: readonly string[]): Promise<Version[]> {
  const sealed = versions.filter(({ sealed }) => sealed !== null);
  const rows: Version[] = [];
  for (const version of sealed) {
    for (const key of keys) {
      const text = await unsealed(opine, version.sealed ?? Buffer.alloc(0), key);
      if (text !== null) rows.push(...countsIn(version, text));
    }
  }
  return rows;
}

async function unsealed({ database }: Spoils['opine'], sealed: Buffer, key: string): Promise<string | null> {
  try {
    const { rows } = await sql<{ text: string }>`
      select extensions.pgp_sym_decrypt(${sealed}, ${key}) as text`.execute(database.superuser);
    return rows[0]?.text ?? null;
  } catch {
    return null;
  }
}

/** A ballot is one vote in several Hubs; a total is five counts in one, by name or in order. */
function countsIn(version: Version, text: string): Version[] {
  const value: unknown = JSON.parse(text.trim());
  const parts = new Map(Object.entries(Object(value)));
  const position = parts.get('position');
  if (typeof position === 'string') {
    const counts = POSITIONS.map((one) => Number(one === position));
    return [{ ...version, counts, hubs: [] }];
  }
  const counts = POSITIONS.map((one, index) =>
    Number(parts.get(`${one}_count`) ?? parts.get(String(index)) ?? 0),
  );
  return [{ ...version, counts }];
}

/** By times and transactions, from what was sealed and is opened by `keys`. */
export async function bySeals(spoils: Spoils, keys: readonly string[]): Promise<Theory[]> {
  const rows = await opened(spoils, keys);
  return [...byTime(spoils, rows), ...pairTransactions(spoils, [...spoils.visible, ...rows])];
}
