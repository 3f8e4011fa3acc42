import type pg from 'pg';

/** Leaves what has been filled as it would be after a while: vacuumed, its statistics taken, written down. */
export async function settle(client: pg.Client): Promise<void> {
  // Nobody calls a row visible to all before its commit, and those of the numbers around it, are on disk: without
  // waiting for them it is chance whether index-only scans are planned.
  await client.query('set synchronous_commit = on');
  await client.query('vacuum (analyze, freeze)');
  await client.query('checkpoint');
}
