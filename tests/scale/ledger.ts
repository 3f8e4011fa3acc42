import { sql } from 'kysely';
import type { Json } from '../support/client.ts';
import type { TestDatabase } from '../support/database.ts';
import type { FakeFcm } from '../support/fcm.ts';
import type { Person } from '../support/people.ts';
import { countsOf, POSITIONS } from '../support/votes.ts';
import type { Ledger, Published } from './load.ts';

/** Stored rows as sorted lines, one for each row, so that duplicates show. */
export interface Stored {
  readonly posts: string[];
  readonly receipts: string[];
  readonly follows: string[];
  readonly notifications: string[];
}

/** Returns the rows that the acknowledged requests must have stored, each once. @param members of the Hub */
export function expectedRows({ posts, votes, follows }: Ledger, members: readonly Person[]): Stored {
  const others = ({ authorId }: Published) => members.filter(({ id }) => id !== authorId);
  return {
    posts: posts.map(({ id, words }) => `${id} ${words}`).sort(),
    receipts: votes.map(({ postId, voterId }) => `${voterId} ${postId}`).sort(),
    follows: follows.map(({ followerId, followeeId }) => `${followerId} ${followeeId}`).sort(),
    notifications: [
      ...follows.map(({ followerId, followeeId }) => `user_followed ${followerId} - ${followeeId}`),
      ...posts
        .filter(({ isOfHub }) => isOfHub)
        .flatMap((post) =>
          others(post).map(({ id }) => `hub_post_created ${post.authorId} ${post.id} ${id}`),
        ),
    ].sort(),
  };
}

/** Reads the stored posts, receipts, follows and notifications of `people`. */
export async function storedRows(
  { superuser }: TestDatabase,
  { posts }: Ledger,
  people: readonly Person[],
): Promise<Stored> {
  const lines = async (query: ReturnType<typeof sql<{ line: string }>>) =>
    (await query.execute(superuser)).rows.map(({ line }) => line).sort();
  const [ids, actors] = [posts, people].map((rows) => sql`any (${rows.map(({ id }) => id)}::uuid[])`);
  return {
    posts: await lines(sql`
      select id || ' ' || slider_text as line from app.posts where author_id = ${actors}`),
    receipts: await lines(
      sql`select user_id || ' ' || post_id as line from app.vote_receipts where post_id = ${ids}`,
    ),
    follows: await lines(
      sql`select follower_id || ' ' || followee_id as line from app.follows where follower_id = ${actors}`,
    ),
    notifications: await lines(sql`
      select concat_ws(' ', e.type, e.actor_id, coalesce(e.post_id::text, '-'), n.recipient_id) as line
      from app.notifications as n join app.events as e on e.id = n.event_id
      where e.type in ('user_followed', 'hub_post_created') and e.actor_id = ${actors}`),
  };
}

/** Returns the shown and the expected counts by position of each post. */
export async function tallies(
  { votes }: Ledger,
  viewer: Person,
): Promise<{ shown: Record<string, number[]>; expected: Record<string, number[]> }> {
  const expected: Record<string, number[]> = {};
  for (const { postId, position } of votes) {
    const counts = expected[postId] ?? POSITIONS.map(() => 0);
    expected[postId] = counts.map((count, place) => count + (POSITIONS[place] === position ? 1 : 0));
  }
  const shown: Record<string, number[]> = {};
  for (const id of Object.keys(expected)) shown[id] = await countsOf(viewer, { id });
  return { shown, expected };
}

/** Returns the notifications that no FCM message delivered; `devices` maps a person's id to their push token. */
export async function unnotified(
  { superuser }: TestDatabase,
  { taken }: FakeFcm,
  devices: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; recipient_id: string }>`
    select id, recipient_id from app.notifications where recipient_id = any (${[...devices.keys()]}::uuid[])`.execute(
    superuser,
  );
  const delivered = new Set(
    taken.map(({ message: { data, token } }: Json) => `${data.notificationId} ${token}`),
  );
  return rows
    .map(({ id, recipient_id: recipientId }) => `${id} ${devices.get(recipientId)}`)
    .filter((pair) => !delivered.has(pair));
}
