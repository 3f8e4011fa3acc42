begin;
select plan(24);
savepoint empty;

-- find_hubs finds no closed Hub.
select tests.person('maya', 1);
insert into app.hubs (id, name, closed_at)
select tests.id(name), name, app.now() from unnest(array['Elm', 'Old elm', 'Old elm here']) as name;
select tests.authenticate_as('maya');
select is_empty(
  $$ select app.find_hubs('elm', 'elm', app.decode_hit('list', null), 10) $$,
  'find_hubs finds no closed Hub in any tier'
);
reset role;
select is_empty($$ select app.find_hubs_alike('elm', 'elm') $$, 'find_hubs_alike finds no closed Hub');
update app.hubs set closed_at = null;
select tests.authenticate_as('maya');
select is(count(*)::integer, 3, 'find_hubs finds the same Hubs while they are open')
from app.find_hubs('elm', 'elm', app.decode_hit('list', null), 10);

rollback to empty;

-- find_hubs continues after a cursor, in every tier, without gaps or repeats.
select tests.person('maya', 1);
create function pg_temp.hubs(p_prefix text, p_name text, p_link text default null)
returns void
language sql
as $$
  insert into app.hubs (id, name, custom_link)
  select tests.id(p_prefix || n), format(p_name, n), format(p_link, n) from generate_series(5, 1, -1) as n
$$;

select pg_temp.hubs('link', 'Zoo', 'elm-%s'), pg_temp.hubs('name', 'Elm'), pg_temp.hubs('other name', 'Elm %s');
select pg_temp.hubs('word', 'Old elm'), pg_temp.hubs('other word', 'Old elm%s');
select pg_temp.hubs('less alike', 'Old elk here'), pg_temp.hubs('alike', 'Old elm here');
select tests.disable_index_scans();

create function pg_temp.numbered(p_prefix text)
returns uuid[]
language sql
return array(select tests.id(p_prefix || n) from generate_series(1, 5) as n order by n);

create function pg_temp.by_id(p_prefix text)
returns uuid[]
language sql
return array(select id from unnest(pg_temp.numbered(p_prefix)) as id order by id);

create function pg_temp.found_one_by_one()
returns uuid[]
language plpgsql
as $$
declare
  v_hit app.search_hit := app.decode_hit('list', null);
  v_ids uuid[] := '{}';
begin
  for v_place in 1..50 loop
    v_hit := app.find_hubs('elm', 'elm', v_hit, 1);
    exit when v_hit.id is null;
    v_ids := v_ids || v_hit.id;
  end loop;
  return v_ids;
end
$$;

select tests.authenticate_as('maya');
create temporary table answers as select api.search_hubs('{"q": "elm", "limit": 35}') as page;
select is(
  tests.item_ids(page),
  pg_temp.numbered('link') || pg_temp.by_id('name') || pg_temp.numbered('other name')
    || pg_temp.by_id('word') || pg_temp.numbered('other word') || pg_temp.by_id('alike') || pg_temp.by_id('less alike'),
  'search_hubs sorts Hubs with the same key by id'
)
from answers;
select is(page ->> 'nextCursor', null, 'search_hubs returns no cursor on a page with all hits') from answers;
select is(
  pg_temp.found_one_by_one(), tests.item_ids(page),
  'find_hubs with a limit of one finds each Hub of the whole page once, in order'
)
from answers;
select is(
  tests.item_ids(api.search_hubs(jsonb_build_object(
    'q', 'elm', 'limit', 33, 'cursor', api.search_hubs('{"q": "elm", "limit": 2}') ->> 'nextCursor'
  ))),
  (tests.item_ids(page))[3:], 'search_hubs continues after the next cursor of a page'
)
from answers;

rollback to empty;

-- find_hubs ranks hits in four tiers: custom link, name, last word, similar word (docs/product.md H26).
create function pg_temp.hub(p_name text, p_link text default null)
returns void
language sql
as $$ insert into app.hubs (id, name, custom_link) values (tests.id(p_name), p_name, p_link) $$;

select pg_temp.hub('Elk'), pg_temp.hub('Green street of elms here'), pg_temp.hub('Old elmwood'),
  pg_temp.hub('Old elms');
select pg_temp.hub('Tall Elmes'), pg_temp.hub('Elm two'), pg_temp.hub('Elm one'), pg_temp.hub('elmé', 'fir');
select pg_temp.hub('Elm elm', 'elm-9');
select pg_temp.hub('Zoo', 'elm'), pg_temp.hub('Elm', 'elm-2'), pg_temp.hub('Two elm', 'elm-1');
select pg_temp.hub('Oak'), pg_temp.hub('Belmont');

create function pg_temp.found(p_query text)
returns text[]
language sql
return array(
  select hit.tier || ' ' || h.name
  from app.find_hubs(
    app.handle_key(p_query), app.search_key(p_query), app.decode_hit('list', null), 20
  ) with ordinality as hit (tier, key, id, place)
  join app.hubs as h on h.id = hit.id
  order by hit.place
);

select tests.person('maya', 1);
select tests.authenticate_as('maya');
select is(
  pg_temp.found('elm'),
  array[
    '1 Zoo', '1 Two elm', '1 Elm', '1 Elm elm', '2 Elm one', '2 Elm two', '2 elmé', '3 Tall Elmes', '3 Old elms',
    '3 Old elmwood',
    '4 Green street of elms here', '4 Elk'
  ],
  'find_hubs ranks the exact link, links, names, last words and similar words, each Hub once'
);
select is(pg_temp.found('zzz'), '{}', 'find_hubs finds nothing for a word that no Hub resembles');
select is(
  count(*)::integer, 2, 'find_hubs returns no more than its limit'
) from app.find_hubs('elm', 'elm', app.decode_hit('list', null), 2);

rollback to empty;

-- find_hubs_alike finds misspelled names and links that the other tiers do not find.
insert into app.hubs (id, name, custom_link)
values
  (tests.id('allotment'), 'The allotment gardeners', null), (tests.id('link'), 'Oak', 'allotments-2'),
  (tests.id('other'), 'Alligators', null),
  (tests.id('first'), 'Alotment', null), (tests.id('last'), 'Old alotment', null),
  (tests.id('linked'), 'Elm', 'alotment');
-- As find_hubs sets the threshold before its call.
select set_config('pg_trgm.word_similarity_threshold', '0.5', true);

select set_eq(
  $$ select id from app.find_hubs_alike('alotment', 'alotment') $$, tests.ids('allotment', 'link'),
  'find_hubs_alike finds similar names and links, and no hit of another tier'
);
select set_eq(
  $$ select tier from app.find_hubs_alike('alotment', 'alotment') $$, '{4}'::integer[],
  'find_hubs_alike puts each hit into the fourth tier'
);
select results_eq(
  $$ select key from app.find_hubs_alike('alotment', 'alotment') where id = tests.id('allotment') $$,
  $$ select to_char(1000000 * (1 - extensions.word_similarity('alotment', ' the allotment gardeners')), 'FM0000000') $$,
  'the sort key of find_hubs_alike puts the most similar Hub first'
);
select is_empty($$ select app.find_hubs_alike('al', 'al') $$, 'find_hubs_alike finds nothing for two characters');
select isnt_empty($$ select app.find_hubs_alike('all', 'all') $$, 'find_hubs_alike finds Hubs for three characters');
delete from app.hubs;
insert into app.hubs (name) select 'Of elms ' || n from generate_series(1, 501) as n;
select is(count(*)::integer, 500, 'find_hubs_alike finds at most 500 Hubs') from app.find_hubs_alike('elm', 'elm');

rollback to empty;

-- search_hubs returns previews (docs/product.md H26).
select tests.elm();
select tests.person('anonymous', 1);
update app.hubs set name = 'Élm', custom_link = 'oak', description = 'Trees';

create function pg_temp.found(p_query text)
returns jsonb
language sql
return api.search_hubs(jsonb_build_object('q', p_query)) -> 'items';

select tests.authenticate_as('jonas');
select is(
  pg_temp.found('elm'),
  jsonb_build_array(jsonb_build_object(
    'id', tests.id('elm'), 'name', 'Élm', 'description', 'Trees', 'profilePhotoUrl', null, 'memberCount', 3,
    'viewerStatus', 'member', 'viewerRole', 'member'
  )),
  'search_hubs returns the preview of a Hub to its members too'
);
select tests.authenticate_as('anonymous');
select is(
  pg_temp.found('ELM') #>> '{0,viewerStatus}', 'none', 'an anonymous user finds a Hub regardless of case and accents'
);
select is(
  pg_temp.found('@oak') #> '{0,id}', to_jsonb(tests.id('elm')), 'search_hubs finds a Hub by its custom link after an @'
);
select is(pg_temp.found('@'), '[]', 'search_hubs finds nothing for a lone @');
select is(
  api.search_hubs('{"q": "birch"}'), '{"items": [], "nextCursor": null}',
  'search_hubs without hits returns an empty page without cursor'
);
reset role;
select tests.invitation('invitation', 'elm', 'amara', 'lena');
select tests.authenticate_as('lena');
select is(
  pg_temp.found('elm') #> '{0,invitationId}', to_jsonb(tests.id('invitation')),
  'search_hubs shows an invited user the invitation''s id'
);
reset role;
insert into app.hubs (name) select 'Elm ' || n from generate_series(1, 30) as n;
select tests.authenticate_as('lena');
select is(
  array[
    cardinality(tests.item_ids(api.search_hubs('{"q": "elm"}'))),
    cardinality(tests.item_ids(api.search_hubs('{"q": "elm", "limit": 100}')))
  ],
  array[30, 31], 'search_hubs returns 30 Hubs by default, and all at a limit of 100'
);
select is(
  tests.refusal('search_hubs', '{"q": "elm", "cursor": "?"}'), 'VALIDATION_FAILED',
  'search_hubs refuses a malformed cursor'
);

select * from finish();
rollback;
