begin;
select plan(69);
savepoint empty;

-- find_people: best first
select tests.named('key_5', 'Mullans Xi');
select tests.named('key_3', 'Carl Ulla');
select tests.named('key_4', 'Bert Xu');
select tests.named('key_1', 'Ulladin Young');
select tests.named('key_2', 'Ulla Young');
select tests.named('key_0', 'Ulla');
select tests.named('ullabel', 'Ulla Zet');
select tests.named('ulla_b', 'Yara Zet');
select tests.named('ulla', 'Zora Zet');

-- No index lends an order that is not asked for.
set local enable_indexscan = off;
set local enable_bitmapscan = off;
select tests.authenticate_as_guest();
select is(
  tests.search('ulla'), '{ulla,ulla_b,ullabel,key_0,key_2,key_1,key_3}',
  'the exact username, usernames that begin so, names that do, last names that do: each in the order of the alphabet'
);
select is(tests.search('@Úlla'), tests.search('ulla'), 'however it is written');
select is((tests.search('ulla y'))[1], 'key_2', 'names may be typed on');
select is(
  tests.search('zet'), array(select p.username::text from app.profiles as p where p.full_name ~ 'Zet$' order by p.user_id),
  'those of one last name are in the order of ids'
);
select is(tests.search('b'), '{key_4}', 'one letter is enough');

rollback to empty;

-- find_people: finds by underscores
select tests.named('___', 'Maya Berg');
select tests.named('_lena', 'Lena Berg');
select tests.authenticate_as_guest();
select is((tests.search('___'))[1], '___', 'who chose no letter as a username is found by it');
select is(tests.search('_'), '{___,_lena}', 'as is whoever''s username begins with none');

rollback to empty;

-- find_people: finds nobody twice
-- All but the last fit several tiers.
select tests.named('berg', 'Berg Berg');
select tests.named('berg_two', 'Two Berg');
select tests.named('other', 'Berg Berger');
select tests.named('third', 'Carl Berg');
select tests.named('fourth', 'Carl Berk');

select tests.authenticate_as_guest();
select is(tests.search('berg'), '{berg,berg_two,other,third,fourth}', 'each once, where they fit best');
select is(
  tests.on_pages('search_users', '{"q": "berg", "limit": 1}'), '{berg,berg_two,other,third,fourth}', 'on pages as on one, and no empty one at the end'
);

rollback to empty;

-- find_people: gives a part at a time
select tests.named('nina', 'One');
select tests.named('nina_b', 'Two');
select tests.named('first', 'Nina Two');
select tests.named('first_b', 'Nina Un');
select tests.named('last', 'Two Nina');
select tests.named('last_b', 'Two Ninas');
select tests.named('alike_b', 'Ninna');
select tests.named('alike', 'Xu Nina Ko');

create function pg_temp.find(p_limit integer, p_after app.search_hit default app.decode_hit(null))
returns text
language sql
return (
  select string_agg(hit.tier || ':' || p.username, ' ' order by hit.place)
  from app.find_people('nina', p_after, p_limit) with ordinality as hit (tier, key, user_id, place)
  join app.profiles as p using (user_id)
);

select tests.authenticate_as_guest();
select is(
  pg_temp.find(10), '1:nina 1:nina_b 2:first 2:first_b 3:last 3:last_b 4:alike 4:alike_b', 'everybody, with how well they fit'
);
select is(
  array_length(string_to_array(pg_temp.find(n), ' '), 1), n, format('%s of them, where so many are asked for', n)
)
from generate_series(1, 8) as n;
select is(
  pg_temp.find(10, (1, 'nina', tests.id('nina'))::app.search_hit), '1:nina_b 2:first 2:first_b 3:last 3:last_b 4:alike 4:alike_b',
  'and those behind somebody'
);
select is(
  pg_temp.find(10, (2, 'nina two', tests.id('first'))::app.search_hit), '2:first_b 3:last 3:last_b 4:alike 4:alike_b', 'of their tier'
);
select is(
  pg_temp.find(10, (3, 'nina', tests.id('last'))::app.search_hit), '3:last_b 4:alike 4:alike_b', 'and of those that are left'
);
select is(pg_temp.find(2, (4, '', tests.id('last'))::app.search_hit), '4:alike 4:alike_b', 'down to the last tier');
select is(pg_temp.find(10, (4, '9999999', tests.id('last'))::app.search_hit), null, 'until nobody is left');

rollback to empty;

-- find_people: leaves out hidden users
-- One of each tier.
select tests.named('vera', 'One');
select tests.named('first', 'Vera Two');
select tests.named('last', 'Two Vera');
select tests.named('verra', 'Three');
select tests.person('jonas');
select tests.person('lena');
select tests.person('maya');
select tests.block('jonas', tier) from unnest(array['vera', 'first', 'last', 'verra']) as tier;
select tests.block(tier, 'lena') from unnest(array['vera', 'first', 'last', 'verra']) as tier;

select tests.authenticate_as('maya');
select is(tests.search('vera'), '{vera,first,last,verra}', 'others find everybody');
select tests.authenticate_as_guest();
select is(tests.search('vera'), '{vera,first,last,verra}', 'and so does a guest');
select tests.authenticate_as('jonas');
select is(tests.search('vera'), '{}', 'who has blocked them finds none of them');
select tests.authenticate_as('lena');
select is(tests.search('vera'), '{}', 'and neither does whoever they have blocked');
select is_empty(
  format('select from app.find_people(%L, app.decode_hit(null), 10)', query), 'not by ' || query
)
from unnest(array['vera', 'verra']) as query;
select tests.authenticate_as('vera');
select is(tests.search('jonas'), '{}', 'who is blocked does not find who has blocked them');
select is(tests.search('lena'), '{}', 'nor whom they have blocked');
reset role;
insert into app.suspensions (user_id) select tests.id(tier) from unnest(array['vera', 'first', 'last', 'verra']) as tier;
select tests.authenticate_as('maya');
select is(tests.search('vera'), '{}', 'nobody finds suspended people, in any tier');
reset role;
delete from app.suspensions;
select tests.authenticate_as('maya');
select is(tests.search('vera'), '{vera,first,last,verra}', 'and everybody does once they are restored');

rollback to empty;

-- find_people: pages through namesakes
select tests.named('sam_' || n, 'Kim Lee') from generate_series(10, 16) as n;
select tests.authenticate_as_guest();
select is(cardinality(tests.search('kim')), 7, 'many have one name');
select is(tests.on_pages('search_users', '{"q": "kim", "limit": 2}'), tests.search('kim'), 'pages by a name hold each of them once');
select is(tests.on_pages('search_users', '{"q": "lee", "limit": 2}'), tests.search('lee'), 'and so do pages by a last name');

rollback to empty;

-- find_people: takes no query for a pattern
select tests.named('maya', 'Maya Berg');
select tests.named('may_a', 'Lena Berg');

create function pg_temp.find(p_query text)
returns text[]
language sql
stable
as $$
  select array_agg(p.username::text)
  from app.find_people(p_query, app.decode_hit(null), 10) as hit
  join app.profiles as p on p.user_id = hit.id
  where hit.tier < 4
$$;

select tests.authenticate_as_guest();
select is(pg_temp.find('%'), null, 'no character stands for others');
select is(pg_temp.find('may_'), '{may_a}', 'an underscore is one');
select is(pg_temp.find('m%'), null, 'and a percent sign');
select is(pg_temp.find('\'), null, 'nor does any escape another');

rollback to empty;

-- find_people_alike: holds five hundred
insert into app.users (id) select tests.id(n::text) from generate_series(1, 501) as n;
insert into app.profiles (user_id, username, full_name)
select tests.id(n::text), 'user_' || n, 'Katarina' from generate_series(1, 501) as n;
select tests.authenticate_as_guest();
select is(count(*)::integer, 500, 'of very many, as many are ranked as does not take long')
from app.find_people('katharina', app.decode_hit(null), 1000);

rollback to empty;

-- find_people_alike: nearest first
select tests.named('exact', 'Katharina Meyer');
select tests.named('near', 'Katarina Meyer');
select tests.named('farther', 'Katrina Meyer');
select tests.named('other', 'Jonas Schmidt');
select tests.named('by_handle', 'Somebody Else');
select tests.named('katharinna', 'Else Somebody');

select tests.authenticate_as_guest();
select is(tests.search('katharina'), '{exact,katharinna,near,farther}', 'who is called so, then who is called alike, nearest first');
select is(tests.search('smidt'), '{other}', 'by a word of the name');
select is(tests.search('handel'), '{by_handle}', 'or of the username');
select is(tests.search('xyzzy'), '{}', 'nobody is called like nothing');
reset role;
select is_empty($$ select tests.who_may('select app.find_people_alike(null, null, null, 1)') $$, 'it is a part of app.find_people');
select is(max(tier), 4, 'the last') from app.find_people('katharina', app.decode_hit(null), 10);

rollback to empty;

-- find_people_alike: needs three characters
select tests.named('other', 'Anna Xi');
select tests.authenticate_as_guest();
select is(tests.search('nn'), '{}', 'two characters are like nothing');
select is(tests.search('ana'), '{other}', 'three are');

rollback to empty;

-- find_people_alike: pages without repetition
select tests.named('who_' || n, 'Katarina ' || repeat('m', n)) from generate_series(1, 5) as n;
select tests.authenticate_as_guest();
select is(cardinality(tests.search('katharina')), 5, 'five are called alike');
select is(
  tests.on_pages('search_users', '{"q": "katharina", "limit": 2}'), tests.search('katharina'), 'and are on pages as on one'
);

rollback to empty;

-- search_key: is empty without letters
select is(app.search_key(typed), '', format('nobody is called %L', typed)) from unnest(array['%', ' .-*"', '\', '@@!']) as typed;
select is(app.search_key('%maya'), '%maya', 'but a part of it may be a name');

rollback to empty;

-- search_key: is what somebody typed
select is(app.search_key('@Maya'), 'maya', 'a leading @ is left out');
select is(app.search_key('  @Zoë Berg '), 'zoe berg', 'as are blanks around it, capitals and accents');
select is(app.search_key('@@maya'), '@maya', 'one of them');
select is(app.search_key('a@b'), 'a@b', 'and none inside');
select is(app.search_key('@'), '', 'then there may be nothing left');

rollback to empty;

-- search_users: has thirty on a page
select tests.person('user_' || n) from generate_series(101, 131) as n;
select tests.authenticate_as_guest();
select is(cardinality(tests.search('user_1')), 30, 'unless another number is asked for');
select is(cardinality(tests.search('user_1', '{"limit": 100}')), 31, 'which may be up to 100');

rollback to empty;

-- search_users: shows found people
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
select is(api.search_users('{"q": "jon"}'), pg_temp.person(), 'a guest finds public fields alone, and who has a profile alone');
select tests.authenticate_as('maya');
select is(api.search_users('{"q": "jon"}'), pg_temp.person('{"viewerFollows": true}'), 'a member sees whether they follow');
select tests.authenticate_as('lena');
select is(api.search_users('{"q": "jon"}'), pg_temp.person('{"viewerFollows": false}'), 'each for themselves');
select is(api.search_users('{"q": "@"}'), '{"items": [], "nextCursor": null}', 'who types nothing finds nobody');
select is(tests.search('on'), '{}', 'the inside of a word is no beginning');
select is(
  tests.error_of($$ select api.search_users('{"q": "jon", "limit": 101}') $$) #> '{details,issues,0,path}', '["limit"]', 'no page is longer than 100'
);

select * from finish();
rollback;
