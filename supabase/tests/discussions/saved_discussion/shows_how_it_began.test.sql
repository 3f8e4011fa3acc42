select plan(4);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('second', 'jonas', 'trams in elm', null, app.now() - interval '3 hours');
select tests.message('first', 'jonas', 'trams in elm', null, app.now() - interval '4 hours');
select tests.message('reply', 'maya', 'trams in elm', 'first', app.now() - interval '2 hours');
select tests.message('fourth', 'jonas', 'trams in elm', null, app.now() - interval '1 hour');
select tests.message('elsewhere', 'jonas', 'bikes in elm', null, app.now() - interval '1 day');

create function pg_temp.saved(p_name text)
returns jsonb
language sql
as $$ select app.saved_discussion(d) from app.discussions as d where d.id = tests.id(p_name) $$;

select tests.act_as('maya');
select is(
  pg_temp.saved('trams in elm') - 'previewMessages', app.listed_discussions(d.hub_id, array[(null, d.id)::app.list_entry]) -> 0 || jsonb_build_object('hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm')), 'in which Hub'
)
from app.discussions as d where d.id = tests.id('trams in elm');
select is(
  tests.listed(jsonb_build_object('items', pg_temp.saved('trams in elm') -> 'previewMessages')), tests.ids('first', 'second', 'reply'),
  'with the three earliest messages, replies too'
);
reset role;
delete from app.messages;
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['one', 'two', 'three', 'four']) as name;
select tests.without_indexes();
select tests.act_as('maya');
select is(
  tests.listed(jsonb_build_object('items', pg_temp.saved('trams in elm') -> 'previewMessages')), array(select m.id from app.messages as m order by m.id limit 3),
  'those of one moment in the order of their ids'
);
select is(pg_temp.saved('bikes in elm') -> 'previewMessages', '[]', 'there may be none');

select * from finish();
