import pg from 'pg';
import { withClient } from '../local/connection.ts';
import { FAMILY_NAMES, GIVEN_NAMES, RARE_BEGINNINGS, RARE_ENDS } from './names.ts';
import { FIRST_ID, ID_PREFIX, USERS } from './population.ts';
import { settle } from './settle.ts';

/** People in the database of the searches, those of the population among them. */
export const PEOPLE = 1_000_000;

/** The share of people with a family name that many have. */
const FREQUENT = 0.7;

const arrayOf = (names: readonly string[]) =>
  `array[${names.map((name) => pg.escapeLiteral(name)).join(', ')}]`;

// What is drawn follows from the person's number alone: the audience is the same in every run.
const CROWD = `
set synchronous_commit = off;
set maintenance_work_mem = '512MB';
-- Neither foreign keys nor triggers have anything to find here.
set session_replication_role = replica;

create function pg_temp.draw(p_number bigint, p_what bigint) returns float8 language sql immutable
return (hashint8extended(p_number, p_what) & 1048575) / 1048576.0;

create function pg_temp.handle_of(p_name text) returns text language sql immutable
return regexp_replace(app.folded(p_name), '[^a-z]', '', 'g');

create temp table given_names as
select place, name, pg_temp.handle_of(name) as handle
from unnest(${arrayOf(GIVEN_NAMES)}) with ordinality as given (name, place);

create temp table family_names as
select place, name, pg_temp.handle_of(name) as handle
from (
  select name, place from unnest(${arrayOf(FAMILY_NAMES)}) with ordinality as frequent (name, place)
  union all
  select beginning || ending, ${FAMILY_NAMES.length} + row_number() over (order by hashtext(beginning || ending), beginning)
  from unnest(${arrayOf(RARE_BEGINNINGS)}) as beginning, unnest(${arrayOf(RARE_ENDS)}) as ending
) as family;

create temp table audience as
select
  n, drawn.bio,
  given.name || drawn.initial || ' ' || family.name as full_name,
  case drawn.style
    when 0 then given.handle || '_' || family.handle
    when 1 then given.handle || family.handle
    when 2 then left(given.handle, 1) || family.handle
    when 3 then family.handle || given.handle
    when 4 then given.handle || '_' || drawn.year
    else 'the_' || given.handle || left(family.handle, 1)
  end as handle
from (
  select
    n,
    1 + floor(${GIVEN_NAMES.length} * pg_temp.draw(n, 1) ^ 1.5)::integer as given_place,
    case when pg_temp.draw(n, 2) < ${FREQUENT}
      then 1 + floor(${FAMILY_NAMES.length} * pg_temp.draw(n, 3) ^ 1.3)::integer
      else ${FAMILY_NAMES.length} + 1 + floor(${RARE_BEGINNINGS.length * RARE_ENDS.length} * pg_temp.draw(n, 3) ^ 2)::integer
    end as family_place,
    case when pg_temp.draw(n, 4) < 0.4 then ' ' || chr(65 + floor(26 * pg_temp.draw(n, 5))::integer) || '.' else '' end as initial,
    floor(6 * pg_temp.draw(n, 6))::integer as style,
    1950 + floor(60 * pg_temp.draw(n, 7))::integer as year,
    case when pg_temp.draw(n, 8) < 0.3 then 'Gardens, trams and long walks with the dog.' end as bio
  from generate_series(${USERS}, ${PEOPLE - 1}) as n
) as drawn
join given_names as given on given.place = drawn.given_place
join family_names as family on family.place = drawn.family_place;

-- Indexes of app.profiles, made again when it is full, which is faster than row by row.
create temp table set_aside as
select pg_get_indexdef(i.indexrelid) as definition, i.indexrelid::regclass::text as name
from pg_index as i
left join pg_constraint as c on c.conindid = i.indexrelid
where i.indrelid = 'app.profiles'::regclass and c.oid is null;

do $$
declare
  v_index record;
begin
  for v_index in select * from set_aside loop
    execute format('drop index %s', v_index.name);
  end loop;
  insert into app.users (id, terms_version, terms_accepted_at)
  select ('${ID_PREFIX}' || ${FIRST_ID} + n)::uuid, '1', now() from audience;
  insert into app.profiles (user_id, username, full_name, bio)
  select
    ('${ID_PREFIX}' || ${FIRST_ID} + n)::uuid,
    left(handle, 23) || coalesce(nullif(row_number() over (partition by left(handle, 23) order by n), 1)::text, ''),
    full_name, bio
  from (select n, full_name, bio, case when handle ~ '^[a-z0-9_]{3}' then handle else 'person' end as handle from audience) as person
  order by n;
  for v_index in select * from set_aside loop
    execute v_index.definition;
  end loop;
end
$$;
`;

/** Fills a database of the population up to PEOPLE. @param superuserUrl a superuser's connection URL */
export function addAudience(superuserUrl: string): Promise<void> {
  return withClient(superuserUrl, async (client) => {
    await client.query(CROWD);
    await settle(client);
  });
}
