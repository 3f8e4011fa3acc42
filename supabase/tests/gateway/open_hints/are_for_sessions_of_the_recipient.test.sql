select plan(6);

select tests.elm();
select tests.session('maya'), tests.session('tablet', 'maya'), tests.session('jonas'), tests.session('lena');
select tests.notification('one', 'maya', p_actor => 'lena'), tests.notification('two', 'maya', p_actor => 'lena'), tests.notification('read', 'maya', p_actor => 'lena');
select tests.notification('his', 'jonas', p_actor => 'lena'), tests.notification('hidden', 'jonas', 'hub_role_changed', 'lena', 'oak') from tests.hub('oak', 'lena');
update app.notifications set read_at = app.now() where id = tests.id('read');
create function pg_temp.hints(p_notifications text[], p_sessions text[])
returns table (session_id uuid, notification_id uuid, hint jsonb)
language sql
as $$
  select * from gateway.open_hints(tests.ids(variadic p_notifications), array(select tests.id('session of ' || s) from unnest(p_sessions) as s))
$$;

select bag_eq(
  $$ select session_id, notification_id from pg_temp.hints(array['one', 'read', 'his', 'hidden', 'none'], array['maya', 'tablet', 'jonas', 'nobody']) $$,
  $$
    values
      (tests.id('session of maya'), tests.id('one')), (tests.id('session of tablet'), tests.id('one')), (tests.id('session of jonas'), tests.id('his'))
  $$,
  'each of theirs that is asked for, of what is due'
);
select is(
  hint, (select envelope from app.due_notifications where id = tests.id('one')) || jsonb_build_object('inboxVersion', tests.inbox_version('maya')), 'with the version of their inbox'
)
from pg_temp.hints(array['one'], array['maya']);
select is_empty($$ select from pg_temp.hints(array['one'], array['lena', 'jonas']) $$, 'nobody else''s');
select results_eq(
  $$ select notification_id from pg_temp.hints(array['one', 'two'], array['maya']) $$, $$ select id from unnest(tests.ids('one', 'two')) as id order by id $$, 'in their order'
);
delete from app.sessions where id = tests.id('session of maya');
select bag_eq($$ select session_id from pg_temp.hints(array['one'], array['maya', 'tablet']) $$, array[tests.id('session of tablet')], 'none that has ended');
select set_eq($$ select tests.who_may('select gateway.open_hints(null, null)') $$, array['opine_gateway'], 'the gateway asks');

select * from finish();
