import pg from 'pg';
import { withClient } from '../local/connection.ts';
import { PHOTOS_URL } from './api.ts';
import { claimsOf } from './bearers.ts';
import type { Database } from './world.ts';

const BYPASS = 'bench_past_policies';

/** A session of somebody's, under row-level policies or past them. */
export interface Session extends AsyncDisposable {
  /** The first page as Postgres writes it. */
  homeFeed(): Promise<string>;
  /** The cards of posts, and nothing else of a feed. */
  cards(postIds: readonly string[]): Promise<unknown>;
}

/** Makes the role which reads what everybody signed in may, past every policy. */
export function createBypass(database: Database): Promise<unknown> {
  return withClient(database.superuserUrl, (client) =>
    client.query(`create role ${BYPASS} bypassrls; grant authenticated to ${BYPASS}`),
  );
}

/** Connects as somebody, past the gateway. */
export async function connectSession(
  database: Database,
  user: number,
  role: 'authenticated' | 'past policies',
): Promise<Session> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query(
    `select set_config('request.jwt.claims', $1, false), set_config('opine.photos_url', $2, false)`,
    [JSON.stringify(claimsOf(user)), PHOTOS_URL],
  );
  await client.query(`set role ${role === 'authenticated' ? role : BYPASS}`);
  return {
    homeFeed: async () => {
      const { rows } = await client.query<{ answer: string }>({
        name: 'home feed',
        text: `select api.get_home_feed('{}')::text as answer`,
      });
      return rows[0]?.answer ?? '';
    },
    cards: (postIds) =>
      client.query({
        name: 'cards',
        text: 'select c.post_id, c.card::text from app.post_cards($1) as c',
        values: [postIds],
      }),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
