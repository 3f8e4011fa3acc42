select plan(9);

select tests.elm();
select tests.notification('n' || n, 'jonas', p_actor => 'maya', p_created_at => app.now() - n * interval '1 minute') from generate_series(1, 5, 2) as n;
select tests.notification('n' || n, 'jonas', 'hub_role_changed', 'amara', 'elm', p_created_at => app.now() - n * interval '1 minute') from generate_series(2, 6, 2) as n;
select tests.notification('hidden', 'jonas', 'hub_role_changed', 'amara', 'oak') from tests.hub('oak', 'lena');
select tests.notification('malformed', 'jonas', 'hub_post_created', 'amara'), tests.notification('to maya', 'maya', p_actor => 'jonas');
select tests.notification('to maya in elm', 'maya', 'hub_role_changed', 'amara', 'elm');
update app.notifications set read_at = app.now() where id = any (tests.ids('n1', 'n4'));
create function pg_temp.entries(p_unread_only boolean, p_behind text, p_limit integer)
returns table (place bigint, at timestamptz, id uuid)
language plpgsql
as $$
declare
  v_from app.list_entry := (select (n.created_at, n.id)::app.list_entry from app.notifications as n where n.id = tests.id(p_behind));
begin
  perform tests.act_as('jonas');
  return query
  select e.place, e.at, e.id
  from unnest(app.inbox_entries(
    p_unread_only, coalesce(v_from, ('infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff')::app.list_entry), p_limit
  )) with ordinality as e (at, id, place);
  perform set_config('role', 'none', true);
end
$$;

select results_eq(
  $$ select id, at from pg_temp.entries(false, null, 10) order by place $$,
  $$ select tests.id('n' || n), app.now() - n * interval '1 minute' from generate_series(1, 6) as n $$, 'newest first, whatever they are of'
);
select results_eq($$ select id from pg_temp.entries(false, null, 3) order by place $$, tests.ids('n1', 'n2', 'n3'), 'so many');
select results_eq($$ select id from pg_temp.entries(false, 'n3', 2) order by place $$, tests.ids('n4', 'n5'), 'then the next');
select results_eq($$ select id from pg_temp.entries(true, null, 3) order by place $$, tests.ids('n2', 'n3', 'n5'), 'or those that are unread');
select tests.block('maya', 'jonas');
select results_eq($$ select id from pg_temp.entries(false, null, 2) order by place $$, tests.ids('n2', 'n4'), 'but what a block withholds');
delete from app.blocks;
update app.notifications set created_at = app.now();
select bag_eq(
  $$ select id from pg_temp.entries(false, null, 1) $$,
  $$ select id from unnest(tests.ids('n1', 'n2', 'n3', 'n4', 'n5', 'n6')) as id order by id desc limit 1 $$, 'of one time by their ids'
);
select results_eq(
  $$
    select id from pg_temp.entries(
      false, (select name from unnest(array['n1', 'n2', 'n3', 'n4', 'n5', 'n6']) as name order by tests.id(name) desc offset 2 limit 1), 10
    ) order by place
  $$,
  $$ select id from unnest(tests.ids('n1', 'n2', 'n3', 'n4', 'n5', 'n6')) as id order by id desc offset 3 $$, 'each once'
);
delete from app.memberships where user_id = tests.id('jonas');
select results_eq(
  $$ select id from pg_temp.entries(false, null, 2) order by place $$, $$ select id from unnest(tests.ids('n1', 'n3', 'n5')) as id order by id desc limit 2 $$,
  'also of one scope'
);
select set_eq($$ select tests.who_may('select app.inbox_entries(false, null, 1)') $$, array['authenticated'], 'signed-in people read their inbox');

select * from finish();
