import pg from 'pg';

/** Given names, the most frequent first. */
export const GIVEN_NAMES =
  `Maria James Anna John Mary Robert Jennifer Michael Linda David Elizabeth William Sofia Mohamed Fatima José Ana Carlos
Laura Daniel Sarah Thomas Julia Alexander Karen Joseph Emma Charles Olivia Christopher Ava Matthew Isabella Anthony Mia
Mark Charlotte Luis Amelia Steven Chloé Paul Camila Andrew Lucía Joshua Elena Kenneth Victoria Kevin Hannah Brian Zoë
George Nora Timothy Lea Ronald Leonie Edward Marie Jason François Ryan Søren Jacob Łukasz Gary Björn Nicholas Jürgen Eric
Jonathan Agnieszka Stephen Katarzyna Larry Piotr Justin Małgorzata Scott Wei Brandon Li Benjamin Yuki Samuel Haruto
Gregory Aiko Frank Priya Patrick Arjun Raymond Ananya Jack Rohan Dennis Ibrahim Jerry Aisha Tyler Omar Aaron Layla Henry
Yusuf Adam Zeynep Douglas Emre Nathan Ayşe Peter Mehmet Zachary Ngọc Kyle Minh Walter Thảo Harold Chinedu Jeremy Amara
Ethan Kwame Carl Abena Keith Thandiwe Roger Sipho Gerald Siobhán Christian Niamh Terry Cillian Sean Aoife Arthur Ingrid
Austin Astrid Noah Måns Lawrence Freja Jesse Eero Joe Aino Bryan Ágnes Billy Zoltán Jordan Špela Albert Željko Dylan
Мария Bruce Иван Willie 美咲`.split(/\s+/);

/** Frequent family names, the most frequent first. */
export const FAMILY_NAMES =
  `Smith García Johnson Williams Brown Jones Müller Rodríguez Davis Martínez Nguyễn Hernández López Wilson González
Anderson Thomas Taylor Moore Jackson Martin Lee Pérez Thompson White Harris Sánchez Clark Ramírez Lewis Robinson Walker
Young Allen King Wright Scott Torres Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts
Gómez Phillips Evans Turner Díaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutiérrez
Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chávez Wood Bennett
Gray Mendoza Ruiz Hughes Price Álvarez Castillo Sanders Patel Myers Long Ross Foster Jiménez Schmidt Schneider Fischer
Weber Wagner Kowalski Nowak Yılmaz Øverby Ångström O'Brien O'Sullivan Núñez Dubois Lefèvre Rossi Esposito Silva Santos
Иванов 山田`.split(/\s+/);

// Rare family names are combinations of both.
const RARE_BEGINNINGS =
  `Ash Bar Black Brad Bran Brook Buck Burn Chat Clay Crom Dal Darn Dun East El Fair Farn Fen Gar Glen Hag Hal Hart Hazel
Hol Ing Ken Kir Lang Lin Long Lud Mal Mar Mel Nether North Oak Old Over Pem Pen Pres Quar Rad Raven Red Ridge Ro Rud Sal
Sed Shel Stan Stock Straf Sut Thorn Till Tre Upper Ux Wal War West Whit Win Wood Wyn Yar`.split(/\s+/);

const RARE_ENDS =
  `bank berg borough bourne bridge brook burn bury by cliffe combe cote court croft dale den down fell field ford gate
grave ham hampton head holm house hurst kirk land ley lock low man march mere mond moor more mouth ness over pool rick
ridge shaw shire stead stein stock stone ston thorpe ton tree wald ward water well wick wold wood worth wright yard`.split(
    /\s+/,
  );

/** The share of people with a frequent family name. */
const FREQUENT = 0.7;

const arrayOf = (names: readonly string[]) =>
  `array[${names.map((name) => pg.escapeLiteral(name)).join(', ')}]`;

// All values follow from numbers: they are the same in every run, and a person has the same name at every size.
/** SQL that prepares a session for drawn populations. The population writes what triggers would write, for all rows at once. */
export const DRAWING = `
set maintenance_work_mem = '512MB';
set work_mem = '256MB';
set session_replication_role = replica;
create function pg_temp.draw(p_number bigint, p_what bigint) returns float8 language sql immutable
return (hashint8extended(p_number, p_what) & 1048575) / 1048576.0;
create function pg_temp.handle_of(p_name text) returns text language sql immutable
return regexp_replace(app.folded(p_name), '[^a-z]', '', 'g');
create temp table given_names as
select place, name, pg_temp.handle_of(name) as handle
from unnest(${arrayOf(GIVEN_NAMES)}) with ordinality as given (name, place);
create temp table family_names as
select name, place, pg_temp.handle_of(name) as handle
from (
  select name, place from unnest(${arrayOf(FAMILY_NAMES)}) with ordinality as frequent (name, place)
  union all
  select beginning || ending, ${FAMILY_NAMES.length} + row_number() over (order by hashtext(beginning || ending), beginning)
  from unnest(${arrayOf(RARE_BEGINNINGS)}) as beginning, unnest(${arrayOf(RARE_ENDS)}) as ending
) as family;
`;

/** Returns SQL that draws the names of people into a table `people`. It needs `DRAWING`. */
export function namesSql(first: number, last: number): string {
  return `
create temp table people as
select
  n, pg_temp.id_of(n) as id, given.name as given_name, family.name as family_name, given.handle as given_handle,
  family.handle as family_handle
from (
  select
    n,
    1 + floor(${GIVEN_NAMES.length} * pg_temp.draw(n, 1) ^ 1.5)::integer as given_place,
    case when pg_temp.draw(n, 2) < ${FREQUENT}
      then 1 + floor(${FAMILY_NAMES.length} * pg_temp.draw(n, 3) ^ 1.3)::integer
      else ${FAMILY_NAMES.length} + 1 + floor(${RARE_BEGINNINGS.length * RARE_ENDS.length} * pg_temp.draw(n, 3) ^ 2)::integer
    end as family_place
  from generate_series(${first}, ${last}) as n
) as drawn
join given_names as given on given.place = drawn.given_place
join family_names as family on family.place = drawn.family_place;
`;
}

/** Returns SQL that adds people who may join Hubs, with sessions. It needs `DRAWING`. */
export function hubReadyPeopleSql(first: number, last: number): string {
  return `${namesSql(first, last)}
insert into app.users (
  id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at
)
select p.id, '+1303' || 2000000 + p.n, now(), '1', now(), now(), now() from people as p order by p.n;
insert into app.profiles (user_id, username, full_name)
select
  p.id, left(p.given_handle || '_' || p.family_handle, 20) || p.n,
  p.given_name || ' ' || p.family_name
from people as p order by p.n;
-- Some people have another name inside Hubs.
insert into app.hub_profiles (user_id, display_name)
select p.id, p.given_name || ' ' || left(p.family_name, 1) || '.' from people as p where p.n % 10 = 0;
insert into app.sessions (id, user_id)
select p.id, p.id from people as p order by p.n;
-- The worker ends sessions without a refresh token.
insert into app.refresh_tokens (token_hash, session_id, expires_at)
select sha256(p.n::text::bytea), p.id, now() + interval '1 day' from people as p;
`;
}

/** SQL that writes what the triggers of memberships write and the worker folds: presence and searchable names. */
export const MEMBER_COUNTS = `
insert into app.hub_presence (hub_id, seen_in, member_count, is_folded)
select m.hub_id, app.presence_slot(m.seen_at), count(*), true
from app.memberships as m where m.seen_at > now() - interval '1 day' group by 1, 2 order by 2;
insert into app.member_names (hub_id, name, user_id)
select m.hub_id, named.name, m.user_id
from (select p.id, name from people as p cross join lateral app.search_names_of(p.id) as name) as named
join app.memberships as m on m.user_id = named.id order by 1, 2, 3;
`;
