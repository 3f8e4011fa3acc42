import { sql } from 'kysely';
import { createGateway } from '../../src/db/gateway.ts';
import type { Json } from './client.ts';
import type { Hub } from './hubs.ts';
import { PENDING_VOTE_KEY } from './keys.ts';
import type { Opine } from './opine.ts';
import { POSITIONS } from './votes.ts';

/** A registered person with a session who only votes. */
export interface Voter {
  readonly id: string;
  readonly sessionId: string;
}

/** Inserts `size` registered people with a session in one statement: signing in each is too slow. */
export async function anAudience({ database }: Opine, size: number): Promise<Voter[]> {
  const { rows } = await sql<Voter>`
    with people as (
      insert into app.users (terms_version, terms_accepted_at)
      select '1', app.now() from generate_series(1, ${size}::integer)
      returning id
    ), profiles as (
      insert into app.profiles (user_id, username, full_name)
      select id, 'voter_' || right(replace(id::text, '-', ''), 20), 'Audience member' from people
    )
    insert into app.sessions (user_id) select id from people returning user_id as id, id as "sessionId"
  `.execute(database.superuser);
  return rows;
}

/** Inserts `size` Hub-ready members of `hub`. */
export async function anAudienceIn(opine: Opine, { id: hubId }: Hub, size: number): Promise<Voter[]> {
  const audience = await anAudience(opine, size);
  const ids = audience.map(({ id }) => id);
  const { superuser } = opine.database;
  await sql`
    update app.users as u
    set phone = '+88' || lpad((numbered.number + (select count(*) from app.users))::text, 10, '0'),
      phone_verified_at = app.now(), media_completed_at = app.now(), contacts_synced_at = app.now()
    from unnest(${ids}::uuid[]) with ordinality as numbered (id, number)
    where u.id = numbered.id`.execute(superuser);
  await sql`
    insert into app.memberships (hub_id, user_id, role)
    select ${hubId}, unnest(${ids}::uuid[]), 'member'`.execute(superuser);
  return audience;
}

/** Makes each of `audience` vote on `post`, spread over the slider, `concurrency` at a time. */
export async function audienceVotes(
  { database }: Opine,
  audience: readonly Voter[],
  post: Json,
  concurrency = 1,
): Promise<void> {
  const gateway = createGateway({
    url: database.urlAs('opine_gateway'),
    serializableUrl: database.urlAs('opine_serializable'),
    poolSize: concurrency,
    photosUrl: '',
    limits: null,
    onIdleError: () => {},
    onVisitLost: () => {},
    onRetry: () => {},
  });
  const waiting = [...audience.entries()].reverse();
  const votes = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [index, voter] = next;
      await gateway.callSerializable({
        operation: 'cast_vote',
        claims: claimsOf(voter),
        revokesAccess: false,
        requestId: 'a vote',
        args: {
          postId: post.id,
          position: POSITIONS[index % POSITIONS.length],
          activityDelay: { from: 0, to: 0 },
          pendingVoteKeys: [PENDING_VOTE_KEY],
        },
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, votes));
  } finally {
    await gateway.close();
  }
}

const IN_2100 = 4_102_444_800;

function claimsOf({ id, sessionId }: Voter): object {
  return { sub: id, role: 'authenticated', aud: 'authenticated', session_id: sessionId, exp: IN_2100 };
}
