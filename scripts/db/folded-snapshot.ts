import type pg from 'pg';
import { withClient } from '../local/connection.ts';

/**
 * Takes a snapshot in which no vote lies as it was cast: whatever is read of it cannot pair who voted with what was
 * voted (docs/vote-secrecy.md). Requests of people wait meanwhile, for some milliseconds.
 * @param ownerUrl connection URL of the role that owns the database; not through a pooler in transaction mode
 * @param use reads by the snapshot's id, which holds until it returns
 * @throws the database's error where a lock was not to be had within two seconds: nothing has happened then but a fold
 */
export function withFoldedSnapshot<T>(ownerUrl: string, use: (snapshot: string) => Promise<T>): Promise<T> {
  return withClient(ownerUrl, (holder) =>
    withClient(ownerUrl, async (reader) => {
      // Whoever waits for the other lets go, and nobody waits for both for long.
      for (const client of [holder, reader]) await client.query(`set lock_timeout = '2s'`);
      // Most of it while people vote, so that they wait for little.
      await fold(reader);
      await holder.query('begin');
      // Who votes has looked up their session: none is on the way then, and none begins. The fold does not look there.
      await holder.query('lock table app.sessions in access exclusive mode');
      await fold(reader);
      await reader.query('begin isolation level repeatable read, read only');
      const { rows } = await reader.query<{ id: string }>('select pg_export_snapshot() as id');
      await holder.query('commit');
      return use(rows[0]?.id ?? '');
    }),
  );
}

/** The fold of what can be read without a key; ballots stay sealed. */
async function fold(client: pg.Client): Promise<void> {
  await client.query('select app.fold_pools(0::smallint), app.fold_pools(1::smallint)');
  for (let isMore = true; isMore; ) {
    const { rows } = await client.query<{ more: boolean }>('select app.fold_receipts() as more');
    isMore = rows[0]?.more ?? false;
  }
}
