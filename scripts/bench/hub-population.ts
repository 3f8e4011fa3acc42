import pg from 'pg';
import { withClient } from '../local/connection.ts';
import { HUBS, type HubSize, LARGE, LISTED_EVERY, LISTER, memberSql } from './hub-sizes.ts';
import { FAMILY_NAMES, GIVEN_NAMES, RARE_BEGINNINGS, RARE_ENDS } from './names.ts';
import { FIRST_ID, ID_PREFIX } from './population.ts';
import { settle } from './settle.ts';

/** The share of people with a family name that many have. */
const FREQUENT = 0.7;

/** The share of members who used their Hub within a day. */
const ACTIVE = 0.2;

const arrayOf = (names: readonly string[]) =>
  `array[${names.map((name) => pg.escapeLiteral(name)).join(', ')}]`;

// What is drawn follows from numbers alone: the same in every run, and a person has the same name at every size.
export const DRAWING = `
set synchronous_commit = off;
set maintenance_work_mem = '512MB';
set work_mem = '256MB';
-- Foreign keys have nothing to find here; what triggers would keep is counted below, from all rows at once.
set session_replication_role = replica;

create function pg_temp.id_of(p_number integer) returns uuid language sql immutable
return ('${ID_PREFIX}' || ${FIRST_ID} + p_number)::uuid;

create function pg_temp.draw(p_number bigint, p_what bigint) returns float8 language sql immutable
return (hashint8extended(p_number, p_what) & 1048575) / 1048576.0;

create function pg_temp.handle_of(p_name text) returns text language sql immutable
return regexp_replace(app.folded(p_name), '[^a-z]', '', 'g');

create temp table given_names as
select place, name from unnest(${arrayOf(GIVEN_NAMES)}) with ordinality as given (name, place);

create temp table family_names as
select name, place from unnest(${arrayOf(FAMILY_NAMES)}) with ordinality as frequent (name, place)
union all
select beginning || ending, ${FAMILY_NAMES.length} + row_number() over (order by hashtext(beginning || ending), beginning)
from unnest(${arrayOf(RARE_BEGINNINGS)}) as beginning, unnest(${arrayOf(RARE_ENDS)}) as ending;
`;

export function peopleOf({ people }: HubSize): string {
  return `
create temp table people as
select n, pg_temp.id_of(n) as id, given.name as given_name, family.name as family_name
from (
  select
    n,
    1 + floor(${GIVEN_NAMES.length} * pg_temp.draw(n, 1) ^ 1.5)::integer as given_place,
    case when pg_temp.draw(n, 2) < ${FREQUENT}
      then 1 + floor(${FAMILY_NAMES.length} * pg_temp.draw(n, 3) ^ 1.3)::integer
      else ${FAMILY_NAMES.length} + 1 + floor(${RARE_BEGINNINGS.length * RARE_ENDS.length} * pg_temp.draw(n, 3) ^ 2)::integer
    end as family_place
  from generate_series(${LISTER}, ${LISTER + people - 1}) as n
) as drawn
join given_names as given on given.place = drawn.given_place
join family_names as family on family.place = drawn.family_place;

insert into app.users (
  id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at
)
select p.id, '+1303' || 2000000 + p.n, now(), '1', now(), now(), now() from people as p order by p.n;

insert into app.profiles (user_id, username, full_name)
select
  p.id, left(pg_temp.handle_of(p.given_name) || '_' || pg_temp.handle_of(p.family_name), 20) || p.n,
  p.given_name || ' ' || p.family_name
from people as p
order by p.n;

-- Some people are called otherwise inside Hubs.
insert into app.hub_profiles (user_id, display_name)
select p.id, p.given_name || ' ' || left(p.family_name, 1) || '.' from people as p where p.n % 10 = 0;

insert into app.sessions (id, user_id)
select p.id, p.id from people as p order by p.n;

-- The worker ends sessions that can no longer be refreshed.
insert into app.refresh_tokens (token_hash, session_id, expires_at)
select sha256(p.n::text::bytea), p.id, now() + interval '1 day' from people as p;
`;
}

function hubsOf(size: HubSize): string {
  return `
create temp table places as
select
  hub, place,
  case
    when place = ${size.members - 1} and hub > 0 and hub % ${LISTED_EVERY} = 0 then ${LISTER}
    else ${memberSql(size, 'hub', 'place')}
  end as member
from generate_series(0, ${HUBS - 1}) as hub, generate_series(0, ${size.members - 1}) as place
union all
select ${LARGE}, place, ${LISTER} + (place + 1) % ${size.people} from generate_series(0, ${size.people - 1}) as place;

insert into app.hubs (id, name, description, custom_link, member_count, last_activity_at)
select
  pg_temp.id_of(hub), 'Neighbours of street ' || hub, 'What is going on between the bakery and the park.',
  case when hub % 3 = 0 then 'street-' || hub end,
  case when hub = ${LARGE} then ${size.people} else ${size.members} end,
  now() - pg_temp.draw(hub, 20) * interval '60 days'
from generate_series(0, ${LARGE}) as hub;

insert into app.memberships (hub_id, user_id, role, joined_at, seen_at)
select
  pg_temp.id_of(hub), pg_temp.id_of(member),
  (case when place = 0 then 'admin' when place < 3 then 'manager' else 'member' end)::app.hub_role,
  joined_at,
  now() - case when pg_temp.draw(pair, 11) < ${ACTIVE}
    then pg_temp.draw(pair, 12) * interval '24 hours'
    else interval '2 days' + pg_temp.draw(pair, 12) * interval '60 days'
  end
from (
  select hub, place, member, pair, now() - interval '90 days' - (1 - pg_temp.draw(pair, 10)) * interval '600 days' as joined_at
  from (select p.*, hub * 1000000::bigint + member as pair from places as p) as numbered
) as drawn
order by joined_at;
`;
}

// What the triggers of memberships keep, once the worker has folded it.
export const COUNTS = `
insert into app.hub_presence (hub_id, seen_in, member_count, is_folded)
select m.hub_id, app.presence_slot(m.seen_at), count(*), true
from app.memberships as m
where m.seen_at > now() - interval '1 day'
group by 1, 2
order by 2;

insert into app.member_names (hub_id, name, user_id)
select m.hub_id, called.name, m.user_id
from (select p.id, name from people as p cross join lateral app.search_names_of(p.id) as name) as called
join app.memberships as m on m.user_id = called.id
order by 1, 2, 3;
`;

/** SQL that fills tables without their indexes, which are made afterwards: faster than row by row. */
export function withoutIndexes(tables: readonly string[], sql: string): string {
  const names = tables.map((table) => pg.escapeLiteral(table)).join(', ');
  return `
create temp table set_aside as
select pg_get_indexdef(i.indexrelid) as definition, i.indexrelid::regclass::text as name
from pg_index as i
left join pg_constraint as c on c.conindid = i.indexrelid
where i.indrelid = any (array[${names}]::regclass[]) and c.oid is null;
do $$
declare
  v_index record;
begin
  for v_index in select * from set_aside loop
    execute format('drop index %s', v_index.name);
  end loop;
end
$$;
${sql}
do $$
declare
  v_index record;
begin
  for v_index in select * from set_aside loop
    execute v_index.definition;
  end loop;
end
$$;
`;
}

const TRIED = `pg_temp.id_of(${LISTED_EVERY})`;

/** What the triggers keep of one Hub. */
const KEPT = `
select 'presence' as what, p.seen_in::text as name, sum(p.member_count)::text as value
from app.hub_presence as p
where p.hub_id = ${TRIED} and p.seen_in > now() - interval '1 day'
group by p.seen_in
having sum(p.member_count) <> 0
union all
select 'name', n.name, n.user_id::text from app.member_names as n where n.hub_id = ${TRIED}
union all
select 'count', '', h.member_count::text from app.hubs as h where h.id = ${TRIED}
`;

// One Hub's members leave and join again under the triggers, which must keep what was counted here. Then all is as it
// was, by a block that fails: a transaction that did would be counted among those that the requests lost.
const TRIAL = `
do $$
declare
  v_differ boolean;
begin
  begin
    set local session_replication_role = origin;
    create temp table tried as select m.* from app.memberships as m where m.hub_id = ${TRIED};
    create temp table counted as ${KEPT};
    delete from app.memberships as m where m.hub_id = ${TRIED};
    insert into app.memberships select * from tried;
    create temp table kept as ${KEPT};
    v_differ := exists ((table counted except all table kept) union all (table kept except all table counted));
    raise sqlstate 'UNDO0';
  exception when sqlstate 'UNDO0' then null;
  end;
  if v_differ then
    raise exception 'the triggers of memberships keep something else';
  end if;
end
$$;
`;

/** Fills a database of the population with people and their Hubs. @param superuserUrl a superuser's connection URL */
export function addHubs(superuserUrl: string, size: HubSize): Promise<void> {
  const tables = ['app.profiles', 'app.memberships', 'app.hub_presence', 'app.member_names'];
  return withClient(superuserUrl, async (client) => {
    await client.query(DRAWING);
    await client.query(
      withoutIndexes(tables, `${peopleOf(size)} ${hubsOf(size)} analyze app.memberships; ${COUNTS}`),
    );
    await client.query(TRIAL);
    await settle(client);
  });
}
