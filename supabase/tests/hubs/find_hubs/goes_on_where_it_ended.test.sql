select plan(4);

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

select tests.act_as('maya');
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

select * from finish();
