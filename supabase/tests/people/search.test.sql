begin;
select plan(80);
savepoint empty;

-- find_people lists the best matches first (docs/product.md P22).
select tests.person_named('key_5', 'Mullans Xi');
select tests.person_named('key_3', 'Carl Ulla');
select tests.person_named('key_4', 'Bert Xu');
select tests.person_named('key_1', 'Ulladin Young');
select tests.person_named('key_2', 'Ulla Young');
select tests.person_named('key_0', 'Ulla');
select tests.person_named('ullabel', 'Ulla Zet');
select tests.person_named('ulla_b', 'Yara Zet');
select tests.person_named('ulla', 'Zora Zet');

-- Without indexes, only the query itself can order its rows.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
select tests.authenticate_as_guest();
select is(
  tests.search_users('ulla'), '{ulla,ulla_b,ullabel,key_0,key_2,key_1,key_3}',
  'find_people lists the exact username, username prefixes, name prefixes, last names, each in alphabetical order'
);
select is(
  tests.search_users('@Úlla'), tests.search_users('ulla'),
  'find_people ignores case, accents and a leading @ of the query'
);
select is(
  (tests.search_users('ulla y'))[1], 'key_2', 'find_people matches a query that runs into the next word of a name'
);
select is(
  tests.search_users('zet'),
  array(select p.username::text from app.profiles as p where p.full_name ~ 'Zet$' order by p.user_id),
  'find_people orders users of one last name by id'
);
select is(tests.search_users('b'), '{key_4}', 'find_people accepts a query of one letter');

rollback to empty;

-- find_people finds nobody twice.
-- All but the last match in several tiers.
select tests.person_named('berg', 'Berg Berg');
select tests.person_named('berg_two', 'Two Berg');
select tests.person_named('other', 'Berg Berger');
select tests.person_named('third', 'Carl Berg');
select tests.person_named('fourth', 'Carl Berk');

select tests.authenticate_as_guest();
select is(
  tests.search_users('berg'), '{berg,berg_two,other,third,fourth}',
  'find_people lists a user of several tiers once, in the best one'
);
select is(
  tests.usernames_across_pages('search_users', '{"q": "berg", "limit": 1}'), '{berg,berg_two,other,third,fourth}',
  'pages of search_users list each user once and end without an empty page'
);

rollback to empty;

-- find_people returns at most p_limit hits, and only those after p_after.
select tests.person_named('nina', 'One');
select tests.person_named('nina_b', 'Two');
select tests.person_named('first', 'Nina Two');
select tests.person_named('first_b', 'Nina Un');
select tests.person_named('last', 'Two Nina');
select tests.person_named('last_b', 'Two Ninas');
select tests.person_named('alike_b', 'Ninna');
select tests.person_named('alike', 'Xu Nina Ko');

create function pg_temp.find(p_limit integer, p_after app.search_hit default app.decode_hit('list', null))
returns text
language sql
return (
  select string_agg(hit.tier || ':' || p.username, ' ' order by hit.place)
  from app.find_people('nina', 'nina', p_after, p_limit) with ordinality as hit (tier, key, user_id, place)
  join app.profiles as p using (user_id)
);

select tests.authenticate_as_guest();
select is(
  pg_temp.find(10), '1:nina 1:nina_b 2:first 2:first_b 3:last 3:last_b 4:alike 4:alike_b',
  'find_people returns every match with its tier'
);
select is(
  array_length(string_to_array(pg_temp.find(n), ' '), 1), n,
  format('find_people returns %s hits for a limit of %1$s', n)
)
from generate_series(1, 8) as n;
select is(pg_temp.find(max_hits, (tier, key, tests.id(name))::app.search_hit), expected, title)
from (
  values
    (
      10, 1, 'nina', 'nina', '1:nina_b 2:first 2:first_b 3:last 3:last_b 4:alike 4:alike_b',
      'find_people continues in the first tier'
    ),
    (
      10, 2, 'nina two', 'first', '2:first_b 3:last 3:last_b 4:alike 4:alike_b',
      'find_people continues in the second tier'
    ),
    (10, 3, 'nina', 'last', '3:last_b 4:alike 4:alike_b', 'find_people continues in the third tier'),
    (2, 4, '', 'last', '4:alike 4:alike_b', 'find_people continues in the last tier'),
    (10, 4, '9999999', 'last', null, 'find_people returns no hits after the last one')
) as c (max_hits, tier, key, name, expected, title);

rollback to empty;

-- find_people omits hidden users.
-- One user of each tier (docs/product.md P19).
select tests.person_named('vera', 'One');
select tests.person_named('first', 'Vera Two');
select tests.person_named('last', 'Two Vera');
select tests.person_named('verra', 'Three');
create temporary table tiers as select unnest(array['vera', 'first', 'last', 'verra']) as name;
select tests.person(name) from unnest(array['jonas', 'lena', 'maya']) as name;
select tests.block('jonas', name), tests.block(name, 'lena') from tiers;

create function pg_temp.search(p_caller text, p_query text)
returns text[]
language plpgsql
as $$
begin
  if p_caller is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_caller);
  end if;
  return tests.search_users(p_query);
end
$$;

select is(pg_temp.search(caller, query), expected, title)
from (
  values
    ('maya', 'vera', '{vera,first,last,verra}'::text[], 'find_people finds users of every tier'),
    (null, 'vera', '{vera,first,last,verra}', 'find_people finds users of every tier for a guest'),
    ('jonas', 'vera', '{}', 'find_people omits users of every tier whom the caller blocks'),
    ('lena', 'vera', '{}', 'find_people omits users of every tier who block the caller'),
    ('vera', 'jonas', '{}', 'find_people omits the blocker of a blocked caller'),
    ('vera', 'lena', '{}', 'find_people omits a user whom the caller blocks')
) as c (caller, query, expected, title);
select tests.authenticate_as('lena');
select is_empty(
  format('select from app.find_people(%L, %1$L, app.decode_hit(''list'', null), 10)', query),
  format('find_people returns no hits for %s where the matches block the caller', query)
)
from unnest(array['vera', 'verra']) as query;
reset role;
insert into app.suspensions (user_id) select tests.id(name) from tiers;
select is(pg_temp.search('maya', 'vera'), '{}', 'find_people omits suspended users of every tier');
reset role;
delete from app.suspensions;
select is(
  pg_temp.search('maya', 'vera'), '{vera,first,last,verra}', 'find_people finds users after their suspension ends'
);

rollback to empty;

-- find_people pages through namesakes.
select tests.person_named('sam_' || n, 'Kim Lee') from generate_series(10, 16) as n;
select tests.authenticate_as_guest();
select is(cardinality(tests.search_users('kim')), 7, 'find_people finds every user of one name');
select is(
  tests.usernames_across_pages('search_users', format('{"q": "%s", "limit": 2}', query)::jsonb),
  tests.search_users(query), title
)
from (
  values
    ('kim', 'pages of search_users list namesakes by first name once, in order'),
    ('lee', 'pages of search_users list namesakes by last name once, in order')
) as c (query, title);

rollback to empty;

-- find_people takes no character of a query for a wildcard.
select tests.person_named('maya', 'Maya Berg');
select tests.person_named('may_a', 'Lena Berg');

create function pg_temp.find(p_query text)
returns text[]
language sql
stable
as $$
  select array_agg(p.username::text)
  from app.find_people(app.handle_key(p_query), app.search_key(p_query), app.decode_hit('list', null), 10) as hit
  join app.profiles as p on p.user_id = hit.id
  where hit.tier < 4
$$;

select tests.authenticate_as_guest();
select is(pg_temp.find(query), expected, title)
from (
  values
    ('%', null::text[], 'find_people does not take a percent sign for a wildcard'),
    ('m%a', null, 'find_people does not take a percent sign between letters for a wildcard'),
    ('m_y', null, 'find_people does not take an underscore for a wildcard'),
    ('may_a', '{may_a}', 'find_people finds a username with an underscore'),
    ('\', null, 'find_people does not take a backslash for an escape')
) as c (query, expected, title);

rollback to empty;

-- find_people_alike ranks 500 users at most.
insert into app.users (id) select tests.id(n::text) from generate_series(1, 501) as n;
insert into app.profiles (user_id, username, full_name)
select tests.id(n::text), 'user_' || n, 'Katarina' from generate_series(1, 501) as n;
select tests.authenticate_as_guest();
select is(count(*)::integer, 500, 'find_people_alike ranks 500 of 501 similar users')
from app.find_people('katharina', 'katharina', app.decode_hit('list', null), 1000);

rollback to empty;

-- find_people_alike lists the most similar names first (docs/product.md P22).
select tests.person_named('exact', 'Katharina Meyer');
select tests.person_named('near', 'Katarina Meyer');
select tests.person_named('farther', 'Katrina Meyer');
select tests.person_named('other', 'Jonas Schmidt');
select tests.person_named('by_handle', 'Somebody Else');
select tests.person_named('katharinna', 'Else Somebody');

select tests.authenticate_as_guest();
select is(tests.search_users(query), expected, title)
from (
  values
    (
      'katharina', '{exact,katharinna,near,farther}'::text[],
      'find_people_alike lists similar names after prefixes, the most similar first'
    ),
    ('smidt', '{other}', 'find_people_alike matches a similar word of the name'),
    ('handel', '{by_handle}', 'find_people_alike matches a similar word of the username'),
    ('xyzzy', '{}', 'find_people_alike does not match a dissimilar query')
) as c (query, expected, title);
select is(max(tier), 4, 'find_people returns similar names in the last tier')
from app.find_people('katharina', 'katharina', app.decode_hit('list', null), 10);

rollback to empty;

-- find_people_alike lists usernames next to a username (docs/product.md P22).
select tests.person('viewer');
select tests.person_named('katharina', 'Owner');
select tests.person_named('katarina', 'Neighbour');
select tests.person_named('zoe', 'Katarina Meyer');
insert into app.users (id) select tests.id(n::text) from generate_series(1, 50) as n;
insert into app.profiles (user_id, username, full_name)
select tests.id(n::text), 'lena_' || n, 'Lena' from generate_series(1, 50) as n;

select tests.authenticate_as('viewer');
select is(
  tests.search_users('katharina'), '{katharina,katarina}',
  'a search for a taken username lists similar usernames next to it, not similar names elsewhere'
);
select is(
  tests.search_users('katarine'), '{katarina,zoe}', 'a search for any other text lists similar names of everybody'
);
reset role;
select tests.block('viewer', 'katharina');
select tests.authenticate_as('viewer');
select is(
  tests.search_users('katharina'), '{katarina,zoe}',
  'a search for the username of a hidden user lists similar names of everybody'
);

rollback to empty;

-- find_people_alike needs a query of three characters.
select tests.person_named('other', 'Anna Xi');
select tests.authenticate_as_guest();
select is(tests.search_users('nn'), '{}', 'find_people_alike does not match a query of two characters');
select is(tests.search_users('ana'), '{other}', 'find_people_alike matches a query of three characters');

rollback to empty;

-- find_people_alike pages without repetition.
select tests.person_named('who_' || n, 'Katarina ' || repeat('m', n)) from generate_series(1, 5) as n;
select tests.authenticate_as_guest();
select is(cardinality(tests.search_users('katharina')), 5, 'find_people_alike finds every similar name');
select is(
  tests.usernames_across_pages('search_users', '{"q": "katharina", "limit": 2}'), tests.search_users('katharina'),
  'pages of search_users list similar names once, in order'
);

rollback to empty;

-- handle_key normalises a username that is typed.
select is(app.handle_key(query), expected, format(title, query))
from (
  values
    ('@Maya', 'maya', 'handle_key of "%s" drops the leading @ and folds case'),
    ('  @Zoë_B ', 'zoe_b', 'handle_key of "%s" drops spaces around it, the leading @ and accents'),
    ('@@maya', '@maya', 'handle_key of "%s" drops only one @'),
    ('@', '', 'handle_key of "%s" is an empty text')
) as c (query, expected, title);

rollback to empty;

-- search_users finds people by each word of their names, in every script (docs/product.md P22, W29).
select tests.person_named('person_' || place, name)
from unnest(array[
  'Siobhán O’Neill-Smith', 'Anna Maria Berg', '山田太郎', 'Жанна Ершова', 'Ελένη Παππάς', 'שירה כהן', '김민수', 'Ana❤️Lu',
  'Dr. med. Xu'
]) with ordinality as given (name, place);
select tests.authenticate_as_guest();
select is(tests.search_users(query), array['person_' || place], format('search_users finds %s', title))
from (
  values
    ('oneill', 1, 'a name with an apostrophe without it'), ('O''Neill', 1, 'a name with another kind of apostrophe'),
    ('neill', 1, 'the part after an apostrophe'), ('smith', 1, 'the word after a hyphen'),
    ('maria', 2, 'a word in the middle'), ('berg anna', 2, 'words in another order'),
    ('太郎', 3, 'the end of a run of Han'), ('田太', 3, 'the middle of a run of Han'),
    ('жана', 4, 'a Cyrillic name with a typo'), ('ελενι', 5, 'a Greek name with a typo'),
    ('שירא', 6, 'a Hebrew name with a typo'),
    ('김민소', 7, 'a Hangul name with a typo'), ('lu', 8, 'the word after an emoji'),
    ('med', 9, 'a word before a full stop')
) as c (query, place, title);
select is(tests.search_users(query), '{}', format('search_users finds nobody for %s', title))
from (
  values
    ('山郎', 'characters of a run that are no neighbours'), ('❤️', 'an emoji'), ('.', 'punctuation'), ('-----', 'hyphens')
) as c (query, title);

rollback to empty;

-- search_users returns 30 users by default.
select tests.person('user_' || n) from generate_series(101, 131) as n;
select tests.authenticate_as_guest();
select is(cardinality(tests.search_users('user_1')), 30, 'search_users returns 30 users by default');
select is(cardinality(tests.search_users('user_1', '{"limit": 100}')), 31, 'search_users accepts a limit of 100');

rollback to empty;

-- search_users shows public fields of the users found (docs/product.md P23).
select tests.person('maya');
select tests.person('jonas');
select tests.person('lena');
select tests.person('jonathan', 1);
select tests.asset('photo', 'jonas', 'profile_photo');
update app.profiles set bio = 'Bikes', photo_asset_id = tests.id('photo') where user_id = tests.id('jonas');
select tests.follow('maya', 'jonas');

create function pg_temp.person(p_change jsonb default '{}')
returns jsonb
language sql
return jsonb_build_object('items', jsonb_build_array(jsonb_build_object(
  'id', tests.id('jonas'), 'name', 'Jonas', 'username', 'jonas', 'bio', 'Bikes',
  'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('photo')
) || p_change), 'nextCursor', null);

select tests.authenticate_as_guest();
select is(
  api.search_users('{"q": "jon"}'), pg_temp.person(), 'search_users shows a guest public fields of users with a profile'
);
select tests.authenticate_as('maya');
select is(
  api.search_users('{"q": "jon"}'), pg_temp.person('{"viewerFollows": true}'),
  'search_users shows a member that they follow the user'
);
select tests.authenticate_as('lena');
select is(
  api.search_users('{"q": "jon"}'), pg_temp.person('{"viewerFollows": false}'),
  'search_users shows a member that they do not follow the user'
);
select is(
  api.search_users('{"q": "@"}'), '{"items": [], "nextCursor": null}',
  'search_users finds nobody for an empty search key'
);

select * from finish();
rollback;
