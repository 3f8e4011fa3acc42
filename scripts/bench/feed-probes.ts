import pg from 'pg';
import { idOf } from './population.ts';
import type { Database } from './world.ts';

/** The newest events of each source, past every policy: what a feed cannot do without. */
function probesOf(limit: number): string {
  return `
select count(probe.post_id), max(probe.occurred_at)
from unnest($1::uuid[]) as source (id)
cross join lateral (
  select e.occurred_at, e.post_id
  from app.feed_events as e
  where e.source_id = source.id and e.ended_at is null
  order by e.occurred_at desc, e.post_id desc
  limit ${limit}
) as probe`;
}

/** Everybody who shares a Hub with somebody, and a probe for each of them instead of each Hub. */
const CO_MEMBERS = `
select probe.post_id, probe.occurred_at
from (
  select distinct theirs.user_id as id
  from app.memberships as mine
  join app.memberships as theirs on theirs.hub_id = mine.hub_id
  where mine.user_id = $1 and theirs.user_id <> $1
) as source
cross join lateral (
  select e.occurred_at, e.post_id
  from app.feed_events as e
  where e.source_id = source.id and e.ended_at is null
  order by e.occurred_at desc, e.post_id desc
  limit 21
) as probe
order by probe.occurred_at desc, probe.post_id desc
limit 21`;

/** Whoever somebody's home feed is about: they themselves, whom they follow, their Hubs and who is in them. */
const SOURCES = `
select $1::uuid as id
union
select f.followee_id from app.follows as f where f.follower_id = $1
union
select m.hub_id from app.memberships as m where m.user_id = $1
union
select theirs.user_id
from app.memberships as mine
join app.memberships as theirs on theirs.hub_id = mine.hub_id
where mine.user_id = $1`;

/** Probes of the index of streams by themselves, as a superuser. */
export interface Probes extends AsyncDisposable {
  sourcesOf(user: number): Promise<string[]>;
  /** @param limit so many events of each source */
  probe(sources: readonly string[], limit: 1 | 21): Promise<unknown>;
  /** The page of a feed that asks each co-member instead of each Hub. */
  askCoMembers(user: number): Promise<unknown>;
}

/** Connects as a superuser, with plans that are made once. */
export async function connectProbes(database: Database): Promise<Probes> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  await client.query('set plan_cache_mode = force_generic_plan');
  return {
    sourcesOf: async (user) => {
      const { rows } = await client.query<{ id: string }>(SOURCES, [idOf(user)]);
      return rows.map(({ id }) => id);
    },
    probe: (sources, limit) =>
      client.query({ name: `probe ${limit}`, text: probesOf(limit), values: [`{${sources.join()}}`] }),
    askCoMembers: (user) => client.query({ name: 'co-members', text: CO_MEMBERS, values: [idOf(user)] }),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
