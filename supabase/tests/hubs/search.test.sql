begin;
select plan(28);
savepoint empty;

-- find_hubs: finds no closed ones
select tests.person('maya', 1);
insert into app.hubs (id, name, closed_at)
select tests.id(name), name, app.now() from unnest(array['Elm', 'Old elm', 'Old elm here']) as name;
select tests.authenticate_as('maya');
select is_empty($$ select app.find_hubs('elm', app.decode_hit(null), 10) $$, 'by name, last word or likeness');
reset role;
select is_empty($$ select app.find_hubs_alike('elm') $$, 'or likeness alone');
update app.hubs set closed_at = null;
select tests.authenticate_as('maya');
select is(count(*)::integer, 3, 'while they are there all are') from app.find_hubs('elm', app.decode_hit(null), 10);

rollback to empty;

-- find_hubs: goes on where it ended
select tests.person('maya', 1);
create function pg_temp.hubs(p_prefix text, p_name text, p_link text default null)
returns void
language sql
as $$ insert into app.hubs (id, name, custom_link) select tests.id(p_prefix || n), format(p_name, n), format(p_link, n) from generate_series(5, 1, -1) as n $$;

select pg_temp.hubs('link', 'Zoo', 'elm-%s'), pg_temp.hubs('name', 'Elm'), pg_temp.hubs('other name', 'Elm %s');
select pg_temp.hubs('word', 'Old elm'), pg_temp.hubs('other word', 'Old elm%s'), pg_temp.hubs('less alike', 'Old elk here'), pg_temp.hubs('alike', 'Old elm here');
select tests.without_indexes();

create function pg_temp.numbered(p_prefix text)
returns uuid[]
language sql
return array(select tests.id(p_prefix || n) from generate_series(1, 5) as n order by n);

create function pg_temp.by_id(p_prefix text)
returns uuid[]
language sql
return array(select id from unnest(pg_temp.numbered(p_prefix)) as id order by id);

create function pg_temp.in_parts()
returns uuid[]
language plpgsql
as $$
declare
  v_hit app.search_hit := app.decode_hit(null);
  v_ids uuid[] := '{}';
begin
  for v_place in 1..50 loop
    v_hit := app.find_hubs('elm', v_hit, 1);
    exit when v_hit.id is null;
    v_ids := v_ids || v_hit.id;
  end loop;
  return v_ids;
end
$$;

select tests.authenticate_as('maya');
create temporary table answers as select api.search_hubs('{"q": "elm", "limit": 35}') as page;
select is(
  tests.listed(page),
  pg_temp.numbered('link') || pg_temp.by_id('name') || pg_temp.numbered('other name') || pg_temp.by_id('word') || pg_temp.numbered('other word')
    || pg_temp.by_id('alike') || pg_temp.by_id('less alike'),
  'what is called the same is in the order of its ids'
)
from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(pg_temp.in_parts(), tests.listed(page), 'or one after the other') from answers;
select is(
  tests.listed(api.search_hubs(jsonb_build_object('q', 'elm', 'limit', 33, 'cursor', api.search_hubs('{"q": "elm", "limit": 2}') ->> 'nextCursor'))),
  (tests.listed(page))[3:], 'by the cursor as well'
)
from answers;

rollback to empty;

-- find_hubs: ranks in four tiers
create function pg_temp.hub(p_name text, p_link text default null)
returns void
language sql
as $$ insert into app.hubs (id, name, custom_link) values (tests.id(p_name), p_name, p_link) $$;

select pg_temp.hub('Elk'), pg_temp.hub('Green street of elms here'), pg_temp.hub('Old elmwood'), pg_temp.hub('Old elms'), pg_temp.hub('Tall Elmes');
select pg_temp.hub('Elm two'), pg_temp.hub('Elm one'), pg_temp.hub('elmé', 'fir'), pg_temp.hub('Elm elm', 'elm-9');
select pg_temp.hub('Zoo', 'elm'), pg_temp.hub('Elm', 'elm-2'), pg_temp.hub('Two elm', 'elm-1');
select pg_temp.hub('Oak'), pg_temp.hub('Belmont');

create function pg_temp.found(p_query text)
returns text[]
language sql
return array(
  select hit.tier || ' ' || h.name from app.find_hubs(p_query, app.decode_hit(null), 20) with ordinality as hit (tier, key, id, place)
  join app.hubs as h on h.id = hit.id order by hit.place
);

select tests.person('maya', 1);
select tests.authenticate_as('maya');
select is(
  pg_temp.found('elm'),
  array[
    '1 Zoo', '1 Two elm', '1 Elm', '1 Elm elm', '2 Elm one', '2 Elm two', '2 elmé', '3 Tall Elmes', '3 Old elms', '3 Old elmwood',
    '4 Green street of elms here', '4 Elk'
  ],
  'the exact link, other links, names, last words, and what is alike; each once'
);
select is(pg_temp.found('zzz'), '{}', 'or nothing');
select is(count(*)::integer, 2, 'or the best of it alone') from app.find_hubs('elm', app.decode_hit(null), 2);

rollback to empty;

-- find_hubs_alike: finds what is written wrongly
insert into app.hubs (id, name, custom_link)
values
  (tests.id('allotment'), 'The allotment gardeners', null), (tests.id('link'), 'Oak', 'allotments-2'), (tests.id('other'), 'Alligators', null),
  (tests.id('first'), 'Alotment', null), (tests.id('last'), 'Old alotment', null), (tests.id('linked'), 'Elm', 'alotment');
select set_config('pg_trgm.word_similarity_threshold', '0.5', true);

select set_eq(
  $$ select id from app.find_hubs_alike('alotment') $$, tests.ids('allotment', 'link'), 'in name or link, but for what the other tiers have found'
);
select set_eq('select tier from app.find_hubs_alike(''alotment'')', '{4}'::integer[], 'as the last tier');
select results_eq(
  $$ select key from app.find_hubs_alike('alotment') where id = tests.id('allotment') $$,
  $$ select to_char(1000000 * (1 - extensions.word_similarity('alotment', ' the allotment gardeners')), 'FM0000000') $$,
  'the likest first'
);
select is_empty($$ select app.find_hubs_alike('al') $$, 'two characters are like nothing');
select isnt_empty($$ select app.find_hubs_alike('all') $$, 'three are');
select is_empty($$ select tests.who_may($q$ select app.find_hubs_alike('elm') $q$) $$, 'no role asks by itself');

rollback to empty;

-- find_hubs_alike: holds 500
insert into app.hubs (name) select 'Of elms ' || n from generate_series(1, 501) as n;
select is(count(*)::integer, 500, 'of a frequent name') from app.find_hubs_alike('elm');

rollback to empty;

-- search_hubs: is for who has a session
select tests.elm();
select is(tests.refusals('search_hubs', '{"q": "elm"}'), '{"guest": "not theirs", "signed out": "UNAUTHORIZED"}', 'guests search none');
insert into app.hubs (name) select 'Elm ' || n from generate_series(1, 30) as n;
select tests.authenticate_as('lena');
select is(cardinality(tests.listed(api.search_hubs('{"q": "elm"}'))), 30, 'a page has 30');
select is(cardinality(tests.listed(api.search_hubs('{"q": "elm", "limit": 100}'))), 31, 'or up to 100');
select is(tests.refusal('search_hubs', '{"q": "elm", "limit": 101}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('search_hubs', '{"q": "elm", "cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');

rollback to empty;

-- search_hubs: shows previews
select tests.elm();
select tests.person('guest', 1);
update app.hubs set name = 'Élm', custom_link = 'oak', description = 'Trees';

create function pg_temp.found(p_query text)
returns jsonb
language sql
return api.search_hubs(jsonb_build_object('q', p_query)) -> 'items';

select tests.authenticate_as('jonas');
select is(
  pg_temp.found('elm'),
  jsonb_build_array(jsonb_build_object(
    'id', tests.id('elm'), 'name', 'Élm', 'description', 'Trees', 'profilePhotoUrl', null, 'memberCount', 3, 'viewerStatus', 'member', 'viewerRole', 'member'
  )),
  'a member sees one too'
);
select tests.authenticate_as('guest');
select is(pg_temp.found('ELM') #>> '{0,viewerStatus}', 'none', 'an anonymous user finds them as well, however they are written');
select is(pg_temp.found('@oak') #> '{0,id}', to_jsonb(tests.id('elm')), 'by the link too');
select is(pg_temp.found('@'), '[]', 'who looks for nothing finds none');
select is(api.search_hubs('{"q": "birch"}'), '{"items": [], "nextCursor": null}', 'there may be none');
reset role;
select tests.invitation('invitation', 'elm', 'amara', 'lena');
select tests.authenticate_as('lena');
select is(pg_temp.found('elm') #> '{0,invitationId}', to_jsonb(tests.id('invitation')), 'who is invited finds by what');

select * from finish();
rollback;
