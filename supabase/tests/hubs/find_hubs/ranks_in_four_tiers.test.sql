select plan(3);

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
select tests.act_as('maya');
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

select * from finish();
